import { KairosError, messageOf } from '#domain/errors.ts';
import type { SweepAct } from '#domain/sweep-act.ts';
import type { Timers } from '#ports/timers.ts';
import type { WorkQueue } from '#ports/work-queue.ts';
import { askSweep, type QueueBoards, queueBoards } from './boards.ts';
import type { QueueKey } from './queue-key.ts';
import type { Progress } from './sweep-progress.ts';

interface QueueWatchOptions {
  readonly queue: WorkQueue;
  readonly key: QueueKey;
  /** The queue's address as a person may see it. */
  readonly place: string;
  readonly timers: Pick<Timers, 'monotonicMs' | 'after'>;
}

/** Asked again at most so often, however many look. In milliseconds. */
const LOOK_MS = 1_500;
/** A queue that has not answered by then is told to be silent. */
const ANSWER_MS = 5_000;

/** The sweeps of a queue for a page, asked while somebody looks. Tells nothing that gives access to the queue. */
export class QueueWatch {
  private readonly options: QueueWatchOptions;
  private boards: QueueBoards = { sweeps: [], workers: [], ended: [] };
  private why: string | null = null;
  private asking: Promise<void> | undefined;
  private askedMs = Number.NEGATIVE_INFINITY;

  constructor(options: QueueWatchOptions) {
    this.options = options;
  }

  /** What is known now; asks for what is newer, without waiting. */
  view() {
    void this.poll();
    const isSilent = this.asking !== undefined && this.options.timers.monotonicMs() - this.askedMs > ANSWER_MS;
    const { sweeps, workers, ended } = this.boards;
    return {
      place: this.options.place,
      why: isSilent ? 'it does not answer' : this.why,
      sweeps: sweeps.map(({ sweep, host, engine, paused, workers: count, ...progress }) => ({
        ...{ sweep, host, version: engine.version, paused, workers: count },
        ...progressOf(progress),
      })),
      workers: workers.map(({ worker, engine, sweeps: plays, trials }) => ({ worker, version: engine.version, sweeps: plays, trials })),
      ended: ended.map(({ sweep, host, at, how, ...progress }) => ({ sweep, host, at, how, ...progressOf(progress) })),
    };
  }

  /** Asks the queue, unless it is being asked or was just now. Never throws. */
  poll(): Promise<void> {
    const { queue, key, timers } = this.options;
    const now = timers.monotonicMs();
    if (this.asking === undefined && now - this.askedMs >= LOOK_MS) {
      this.askedMs = now;
      this.asking = queueBoards(queue, key)
        .then(
          (boards) => {
            [this.boards, this.why] = [boards, null];
          },
          (error: unknown) => {
            this.why = messageOf(error);
          },
        )
        .finally(() => {
          this.asking = undefined;
        });
    }
    return this.asking ?? Promise.resolve();
  }

  /** Asks the coordinator of a sweep. Throws NOT_FOUND, and QUEUE_UNREACHABLE where the queue does not answer. */
  async ask(sweep: string, ask: SweepAct): Promise<void> {
    const { queue, key, timers, place } = this.options;
    const silent = Promise.withResolvers<never>();
    const cancel = timers.after(ANSWER_MS, () =>
      silent.reject(new KairosError('QUEUE_UNREACHABLE', `the queue at ${place} does not answer: look again when it is back`)),
    );
    await Promise.race([askSweep(queue, key, { sweep, ask }), silent.promise]).finally(cancel);
    this.askedMs = Number.NEGATIVE_INFINITY;
  }
}

const progressOf = ({ finished, wanted, played, best }: Progress): Progress => ({ finished, wanted, played, best });
