import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { RedisQueue } from '#adapters/shared-jobs/redis-queue.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { PACKAGED_STRATEGIES } from '#assembly/package.ts';
import { Study, type StudyBase } from '#research/sweep/study.ts';
import type { TrialPlayers } from '#research/sweep/trial-players.ts';
import { QueueKey } from '#research/workers/queue-key.ts';
import { QueuePlayers } from '#research/workers/queue-players.ts';
import { benchConfig } from './settings.ts';

/** What a process that played trials has measured of itself. */
export interface SweepMeasured {
  /** From the first job to the last result, starts of threads included. */
  readonly ms: number;
  /** CPU time of the whole process in that time. */
  readonly cpuMs: number;
  /** Most memory that the process had at a time. */
  readonly bytes: number;
}

/** Plays so many trials of a sweep in so many threads, screened or not, or by a queue, and prints what it took. */
const [folder, trials, threads, how, key = ''] = process.argv.slice(2);
if (folder !== undefined) console.log(JSON.stringify(await measured(folder, Number(trials), Number(threads))));

async function measured(cwd: string, count: number, at: number): Promise<SweepMeasured> {
  const strategies = [{ id: 'cross', use: 'sma-cross', product: 'eurusd', amount: { base: 1000 }, params: { fast: 200, slow: 600 } }];
  // A log of its own: no trial is known from another process.
  const own = mkdtempSync(join(cwd, 'run-'));
  const study = await Study.open({
    config: benchConfig({ folder: own, baseUrl: null, strategies }),
    folders: { cwd, packaged: PACKAGED_STRATEGIES },
    data: join(cwd, 'ticks'),
    from: undefined,
    to: undefined,
    ...(how === 'screen' ? { screen: true } : how !== undefined && { players: (base: StudyBase) => byQueue(base, how) }),
  });
  const jobs = Array.from({ length: count }, (_, n) => study.job({ cross: { fast: 100 + (n % 400), slow: 600 + Math.floor(n / 400) } }));
  const before = process.cpuUsage();
  const began = performance.now();
  const { results, known } = await study.play(jobs, { threads: at, signal: new AbortController().signal, onShare: () => {} });
  const ms = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  await study.close();
  if (known > 0 || results.some(({ fills }) => fills === 0)) throw new Error('a trial was not played, or without a fill');
  return { ms, cpuMs: (user + system) / 1000, bytes: process.resourceUsage().maxRSS * 1024 };
}

async function byQueue(base: StudyBase, at: string): Promise<TrialPlayers> {
  const queue = await RedisQueue.open({ url: at, password: null, lockMs: 30_000, timers: systemTimers });
  const options = { queue, key: new QueueKey(key), timers: systemTimers, at: { host: '127.0.0.1', port: 0, url: null } };
  const players = await QueuePlayers.open({ ...options, tell: () => {}, onStop: () => {} }, base);
  return {
    play: (work) => players.play(work),
    close: async () => {
      await players.close();
      await queue.close();
    },
  };
}
