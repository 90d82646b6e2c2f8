import path from 'node:path';
import { Redis } from 'ioredis';
import { RedisQueue } from '#adapters/shared-jobs/redis-queue.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { PACKAGED_STRATEGIES } from '#assembly/package.ts';
import { loadConfig } from '#config/load.ts';
import type { TrialResult } from '#research/replay/trial.ts';
import { TrialLog } from '#research/replay/trial-log.ts';
import { Study } from '#research/sweep/study.ts';
import { packQuotes } from '#research/workers/packed-quotes.ts';
import { QueueKey } from '#research/workers/queue-key.ts';
import { DaemonFolder } from '../../support/daemon-folder.ts';
import { startRedis } from '../../support/redis.ts';
import { syntheticRecording } from '../../support/synthetic-recording.ts';

const CONFIG = `strategies:
  - { id: cross, use: sma-cross, product: btcusd, amount: { base: 0.01 }, params: { fast: 2, slow: 240 } }
risk: { maxOrdersPerMinute: off, maxOrdersPerMinuteOfStrategy: off, maxOrdersPerMinuteOfProduct: off, maxLossStreak: off }
`;
const KEY = new QueueKey('a key of the measurement, which is no secret');
/** A day and a bit, so that results have days in them. */
const SECONDS = 30 * 3600;
const TRIALS_OF_A_JOB = 200;
const WARM = 20;
const PLAYED = 60;
const RESULTS_OF_A_MESSAGE = 50;
const ROUNDS = 200;

/** What this machine takes for each part of a sweep by queue. Times in milliseconds. */
export async function measured() {
  const folder = new DaemonFolder('queue-paper');
  const redis = await startRedis();
  try {
    const trials = await played(folder);
    const text = KEY.sign('job', {
      sweep: '0'.repeat(12),
      study: '0'.repeat(64),
      url: 'http://10.0.0.7:7480',
      trials: jobOf(trials.results),
    });
    const together = Array.from({ length: RESULTS_OF_A_MESSAGE }, (_, n) => ({ ...repeated(trials.results, n), id: `${n}` }));
    const message = KEY.sign('results', { worker: 'machine-12345', engine: '0'.repeat(16), results: together });
    const costs = await costsOnRedis(`redis://127.0.0.1:${redis.port}`, text, message);
    const { trialMs, quotes, bytesAQuote } = trials;
    return {
      ...{ trialMs, quotes, bytesAQuote, ...costs, jobBytes: text.length },
      resultBytes: message.length / RESULTS_OF_A_MESSAGE,
      keepMs: keeping(path.join(folder.path, 'kept.jsonl'), message),
    };
  } finally {
    await redis.close();
    folder.remove();
  }
}

const repeated = (results: readonly TrialResult[], n: number): TrialResult => {
  const result = results[n % results.length];
  if (!result) throw new Error('no trial was played');
  return result;
};

const jobOf = (results: readonly TrialResult[]) =>
  Array.from({ length: TRIALS_OF_A_JOB }, (_, n) => {
    const { id, setup, params, from, to } = repeated(results, n);
    return { id, setup, params, from, to };
  });

/** Trials in one thread that is warm. */
async function played(folder: DaemonFolder) {
  folder.write('kairos.yaml', CONFIG);
  syntheticRecording({ dir: folder.recordings, lanes: ['btcusd 0.01'], seconds: SECONDS, quotesPerSecond: 0.5 });
  const study = await Study.open({
    config: loadConfig({ env: {}, cwd: folder.path }),
    folders: { cwd: folder.path, packaged: PACKAGED_STRATEGIES },
    ...{ data: undefined, from: undefined, to: undefined },
  });
  const playing = { threads: 1, signal: new AbortController().signal, onShare: () => {} };
  const jobs = Array.from({ length: WARM + PLAYED }, (_, n) => study.job({ cross: { fast: 10 + n } }));
  await study.play(jobs.slice(0, WARM), playing);
  const before = process.cpuUsage();
  const { results } = await study.play(jobs.slice(WARM), playing);
  const { user, system } = process.cpuUsage(before);
  const trialMs = (user + system) / 1000 / PLAYED;
  const { columns } = study.session.shared.data;
  const quotes = columns.reduce((sum, { length }) => sum + length, 0);
  let bytes = 0;
  packQuotes(columns, (packed) => {
    bytes += packed.length;
    return '';
  });
  await study.close();
  return { trialMs, results, quotes, bytesAQuote: bytes / quotes };
}

/** What the process of Redis works for each. */
async function costsOnRedis(url: string, job: string, message: string) {
  const queue = await RedisQueue.open({ url, password: null, lockMs: 30_000, timers: systemTimers });
  const client = new Redis(url);
  const usedMs = async (): Promise<number> =>
    [...(await client.info('cpu')).matchAll(/used_cpu_(?:sys|user):([\d.]+)/g)].reduce(
      (sum, [, seconds]) => sum + Number(seconds) * 1000,
      0,
    );
  const cpuMs = async (work: () => Promise<void>): Promise<number> => {
    const before = await usedMs();
    await work();
    return ((await usedMs()) - before) / ROUNDS;
  };
  try {
    const jobRedisMs = await cpuMs(async () => {
      await queue.give(
        'paper',
        Array.from({ length: ROUNDS }, (_, n) => ({ id: `paper-${n}`, text: job })),
      );
      let left = ROUNDS;
      await new Promise<void>((resolve) => {
        const taking = queue.consume('paper', async () => {
          left -= 1;
          if (left === 0) queueMicrotask(() => void taking.close().then(resolve));
          return 'done';
        });
      });
    });
    const messageRedisMs = await cpuMs(async () => {
      for (let n = 0; n < ROUNDS; n += 1) {
        await queue.send('paper', message);
        const [found] = await queue.receive('paper', '0', 1_000);
        await queue.trim('paper', found?.id);
      }
    });
    return { jobRedisMs, messageRedisMs };
  } finally {
    client.disconnect();
    await queue.close();
  }
}

/** A result on the coordinator: read, checked, on disk. */
function keeping(file: string, message: string): number {
  const log = TrialLog.open(file);
  const begun = performance.now();
  for (let n = 0; n < ROUNDS; n += 1) {
    const { results } = KEY.read('results', message) as { readonly results: readonly TrialResult[] };
    log.keep(results.map((result, k) => ({ ...result, id: `${n} ${k}` })));
  }
  const ms = (performance.now() - begun) / ROUNDS / RESULTS_OF_A_MESSAGE;
  log.close();
  return ms;
}
