import type { BlobStore } from '#adapters/shared-jobs/blob-store.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { pause } from '#ports/pause.ts';
import type { Timers } from '#ports/timers.ts';
import type { JobEnd, QueuedJob, WorkQueue } from '#ports/work-queue.ts';
import { recordedData } from '#research/backtest/data.ts';
import type { Unequal } from '#research/sweep/screen.ts';
import { TrialThreads } from '#research/sweep/sweep-thread.ts';
import {
  type EngineBuild,
  engineText,
  jobText,
  NOTICE_MS,
  RENEW_MS,
  resultsOf,
  SWEEPS,
  type SweepNotice,
  sweepNotice,
  WORKERS,
  type WorkerNotice,
} from './messages.ts';
import { areQuotes, type PackedQuotes, unpackQuotes } from './packed-quotes.ts';
import { unpackStudy } from './packed-study.ts';
import type { QueueKey } from './queue-key.ts';
import { ResultSender } from './result-sender.ts';

export interface WorkerOptions {
  readonly queue: WorkQueue;
  readonly key: QueueKey;
  readonly engine: EngineBuild;
  readonly name: string;
  readonly blobs: BlobStore;
  /** Where bundles of strategies are laid. */
  readonly cache: string;
  /** A folder of recordings that is looked in before quotes are fetched. */
  readonly data: string | undefined;
  readonly threads: number;
  readonly timers: Timers;
  readonly tell: (line: string) => void;
}

/** A study that is being played. */
interface Playing {
  readonly study: string;
  readonly threads: TrialThreads;
}

/** Looks without a job, while another recording's sweep waits, after which that one is played. */
const IDLE_LOOKS = 3;

/** Plays the trials of whatever sweeps are on the queue: of one recording after the other, which it reads once. */
export class SweepWorker {
  private readonly options: WorkerOptions;
  private readonly told = new Set<string>();
  /** Sweeps that this worker may play, as they stand on the board. */
  private open: readonly SweepNotice[] = [];
  private refused: readonly string[] = [];
  private playing: Playing | undefined;
  private queueName: string | null = null;
  private trials = 0;
  private idle = 0;
  private job: { readonly sweep: string; readonly stop: AbortController } | undefined;

  constructor(options: WorkerOptions) {
    this.options = options;
  }

  /** Works until the signal comes; a job that is being played then waits for another worker. Throws what ends the connection. */
  async run(signal: AbortSignal): Promise<void> {
    const { queue, timers, name } = this.options;
    try {
      while (!signal.aborted) {
        await this.inspect();
        const [next] = this.open;
        if (next) await this.serve(next, signal);
        else await pause(timers, RENEW_MS, signal);
      }
    } finally {
      this.playing?.threads.close();
      await queue.unpost(WORKERS, name);
    }
  }

  /** Takes jobs of one recording while there are sweeps of it, or until another's wait and this one has none. */
  private async serve(notice: SweepNotice, signal: AbortSignal): Promise<void> {
    const { queue, timers, tell } = this.options;
    let columns: readonly QuoteColumns[];
    try {
      columns = await this.quotesOf(notice);
    } catch (error) {
      if (!(error instanceof KairosError)) throw error;
      this.once(error.message);
      return pause(timers, RENEW_MS, signal);
    }
    this.queueName = notice.queue;
    tell(`plays the sweep ${notice.sweep} of ${notice.host}`);
    const taker = queue.consume(notice.queue, (job, lost) => this.play(job, { columns, lost, signal }));
    this.idle = 0;
    try {
      while (!signal.aborted) {
        await pause(timers, RENEW_MS, signal);
        await this.inspect();
        if (this.job && !this.open.some(({ sweep }) => sweep === this.job?.sweep)) this.job.stop.abort();
        const others = this.open.some(({ queue: other }) => other !== notice.queue);
        this.idle = this.job ? 0 : this.idle + 1;
        if (!this.open.some(({ queue: own }) => own === notice.queue) || (others && this.idle >= IDLE_LOOKS)) break;
      }
    } finally {
      await taker.close();
      this.playing?.threads.close();
      this.playing = undefined;
      this.queueName = null;
    }
  }

  /** Reads the board of sweeps, and tells of itself. */
  private async inspect(): Promise<void> {
    const { queue, key, engine, name } = this.options;
    const open: SweepNotice[] = [];
    const refused: string[] = [];
    for (const [id, text] of await queue.notices(SWEEPS)) {
      const notice = sweepNotice(key, text);
      if (!notice) this.once(`the sweep ${id} was not signed with this key: takes no jobs of it; check KAIROS_QUEUE_KEY_FILE on both`);
      else if (notice.engine.hash === engine.hash) open.push(notice);
      else {
        refused.push(notice.sweep);
        this.once(
          `the sweep ${id} of ${notice.host} is played by ${engineText(notice.engine)}, this is ${engineText(engine)}: takes no jobs of it; install the same Kairos and Node on both`,
        );
      }
    }
    // One that has just been served stands last, so that no sweep waits for ever.
    this.open = open.toSorted((a, b) => Number(a.queue === this.queueName) - Number(b.queue === this.queueName));
    this.refused = refused;
    const notice: WorkerNotice = { worker: name, engine, queue: this.queueName, trials: this.trials, refused: this.refused };
    await queue.post(WORKERS, name, { text: key.sign('worker', notice), keepMs: NOTICE_MS });
  }

  private async play(
    { text }: QueuedJob,
    { columns, lost, signal }: { readonly columns: readonly QuoteColumns[]; readonly lost: AbortSignal; readonly signal: AbortSignal },
  ): Promise<JobEnd> {
    const { key, queue, threads, engine, name, timers } = this.options;
    const job = jobText(key, text);
    if (!job) {
      this.once('a job that was not signed with this key is refused');
      throw new Error(`the worker ${name} refuses a job that was not signed with its key`);
    }
    const { sweep, study, url, way, trials } = job;
    const stop = new AbortController();
    this.job = { sweep, stop };
    const until = AbortSignal.any([stop.signal, lost, signal]);
    const unequal = new Map<string, Unequal>();
    const sender = new ResultSender({
      timers,
      send: (results) => {
        // A difference goes with its result, which may wait for a later message.
        const differ = results.flatMap(({ id }) => unequal.get(id) ?? []);
        return queue.send(resultsOf(sweep), key.sign('results', { worker: name, engine: engine.hash, way, results, unequal: differ }));
      },
    });
    try {
      const playing = await this.playerOf(study, url, columns);
      await playing.threads.play({
        ...{ jobs: trials, way, threads, signal: until },
        onUnequal: (one) => unequal.set(one.job.id, one),
        onResults: (results) => {
          this.trials += results.length;
          sender.add(results);
        },
      });
      await sender.flush();
      return stop.signal.aborted || !until.aborted ? 'done' : 'back';
    } catch (error) {
      this.once(messageOf(error));
      throw error;
    } finally {
      sender.close();
      this.job = undefined;
    }
  }

  private async playerOf(study: string, url: string, columns: readonly QuoteColumns[]): Promise<Playing> {
    if (this.playing?.study === study) return this.playing;
    this.playing?.threads.close();
    const { blobs, cache } = this.options;
    const base = await unpackStudy(study, { columns, blobOf: (hash) => blobs.get(hash, url), dir: cache });
    this.playing = { study, threads: new TrialThreads(base) };
    return this.playing;
  }

  /** The quotes of a sweep: those of the shared folder where they are the same, else those that its coordinator gives out. */
  private async quotesOf({ recording, url, dataHash }: SweepNotice): Promise<readonly QuoteColumns[]> {
    const { blobs, data, tell } = this.options;
    const packed: PackedQuotes = JSON.parse(Buffer.from(await blobs.get(recording, url)).toString('utf8'));
    if (data !== undefined) {
      const lanes = new Set<string>(packed.map(({ names }) => names.lane));
      const { columns } = recordedData(data, {}, ({ lane }) => lanes.has(lane));
      if (areQuotes(columns, packed)) return columns;
      this.once(`${data} does not hold the quotes ${dataHash.slice(0, 12)} of the sweep: they are fetched from ${url}`);
    }
    const bytes = packed.flatMap(({ parts }) => parts).reduce((sum, part) => sum + part.bytes, 0);
    tell(`quotes ${dataHash.slice(0, 12)}: ${(bytes / 1e6).toFixed(1)} MB, from its cache or from ${url}`);
    return unpackQuotes(packed, (hash) => blobs.get(hash, url));
  }

  private once(line: string): void {
    if (this.told.has(line)) return;
    this.told.add(line);
    this.options.tell(line);
  }
}
