import { Thread } from '#adapters/threads/thread.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { configText } from '#config/config-text.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { SharedData } from '#research/backtest/shared-data.ts';
import { paramsText, type TrialJob } from '#research/replay/trial.ts';
import type { ReplayedTrial } from './screen.ts';
import type { TrialBase } from './sweep-trial.ts';
import type { TrialPlayers, TrialWork, Way } from './trial-players.ts';

/** A thread plays one trial after the other; the columns lie in memory that all threads read. */
export interface SweepThread {
  readonly data: { readonly config: string; readonly shared: SharedData };
  readonly toThread: { readonly jobs: readonly TrialJob[]; readonly way: Way };
  readonly fromThread: readonly ReplayedTrial[];
}

/** Each trial loads its strategy modules anew and they are never freed, so a thread is replaced now and then. */
const TRIALS_A_THREAD = 1_000;

/**
 * What a thread may have for what lives shortly, and for all else. Left alone the first grows to four times this, and V8 lets a
 * heap that may become larger grow in larger steps: memory of a hundred trials would be half as much again, none of them faster.
 */
const HEAP = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 2_000 };

/** How long the trials that a thread takes at once may last, in milliseconds, and how many they are at most. */
const TOGETHER_MS = 100;
const MAX_TOGETHER = 64;

/** A thread that waits for its next job. */
interface Player {
  readonly thread: Thread<SweepThread>;
  played: number;
  isGone: boolean;
}

/** Threads that play trials. They stay between batches, since a new one needs a second until it is warm; `close` ends them. */
export class TrialThreads implements TrialPlayers {
  private readonly data: SweepThread['data'];
  private readonly players = new Set<Player>();
  private idle: Player[] = [];

  constructor({ config, shared }: TrialBase) {
    this.data = { config: configText(config), shared };
  }

  /**
   * Plays jobs. Returns when all are finished or the signal came; throws, with every thread ended, where a thread dies of an error
   * of its own.
   */
  async play(work: TrialWork): Promise<void> {
    const { jobs, threads, signal } = work;
    const left = [...jobs].reverse();
    const end = (): void => this.close();
    signal.addEventListener('abort', end, { once: true });
    try {
      await Promise.all(Array.from({ length: Math.min(threads, jobs.length) }, () => this.turn(left, work)));
    } catch (error) {
      left.length = 0;
      this.close();
      throw error;
    } finally {
      signal.removeEventListener('abort', end);
    }
  }

  /** Ends all threads at once. */
  close(): void {
    for (const { thread } of this.players) void thread.stop();
    this.idle = [];
  }

  /** Plays jobs in one thread after the other, until there are none or the signal comes. */
  private async turn(left: TrialJob[], { threads, signal, way = 'engine', onResults, onUnequal }: TrialWork): Promise<void> {
    let player: Player | undefined;
    let together = 1;
    while (left.length > 0 && !signal.aborted) {
      const share = Math.ceil(left.length / threads);
      const jobs = left.splice(-Math.min(together, share)).reverse();
      player ??= this.idle.pop() ?? this.start();
      const { thread } = player;
      const began = systemTimers.monotonicMs();
      try {
        const next = thread.next();
        thread.post({ jobs, way });
        const answers = await next;
        if (signal.aborted) return;
        for (const { unequal } of answers) if (unequal) onUnequal?.(unequal);
        onResults(answers.map(({ result }) => result));
      } catch (error) {
        if (signal.aborted) return;
        throw error instanceof KairosError ? error : told(error, jobs[0]);
      }
      const isQuick = way === 'screen' && systemTimers.monotonicMs() - began < TOGETHER_MS;
      together = isQuick ? Math.min(2 * together, MAX_TOGETHER) : 1;
      // What is screened loads no module.
      player.played += way === 'screen' ? 0 : 1;
      if (player.played < TRIALS_A_THREAD) continue;
      await thread.stop();
      player = undefined;
    }
    if (player && !player.isGone) this.idle.push(player);
  }

  private start(): Player {
    const entry = new URL('./sweep-thread-entry.ts', import.meta.url);
    const thread = new Thread<SweepThread>({ entry, name: 'sweep', data: this.data, limits: HEAP });
    const player: Player = { thread, played: 0, isGone: false };
    this.players.add(player);
    void thread.ended.then(() => {
      player.isGone = true;
      this.players.delete(player);
      this.idle = this.idle.filter((one) => one !== player);
    });
    return player;
  }
}

/** An error of a thread, with the trial that it came of. */
function told(error: unknown, job: TrialJob | undefined): KairosError {
  const where = job ? paramsText(job.params) : 'before its first trial';
  return new KairosError('SWEEP_FAILED', `a thread died of ${messageOf(error)} (${where}); finished trials are kept`, { cause: error });
}
