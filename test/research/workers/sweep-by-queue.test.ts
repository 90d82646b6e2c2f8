import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { blobHash } from '#adapters/shared-jobs/blob-server.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { paramsText, type TrialResult } from '#research/replay/trial.ts';
import type { Unequal } from '#research/sweep/screen.ts';
import { sweep } from '#research/sweep/sweep.ts';
import { TrialThreads } from '#research/sweep/sweep-thread.ts';
import type { Way } from '#research/sweep/trial-players.ts';
import { askSweep, queueBoards } from '#research/workers/boards.ts';
import { ENDED, type JobText, jobText, resultsOf, STOPS, SWEEPS, sweepNotice, thisEngine, WORKERS } from '#research/workers/messages.ts';
import { areQuotes, packQuotes, unpackQuotes } from '#research/workers/packed-quotes.ts';
import { QueueKey } from '#research/workers/queue-key.ts';
import { strategyYaml } from '../../config/support.ts';
import { bench, OFF } from '../backtest/session-bench.ts';
import { here, playing, studyOf } from '../sweep/study.ts';
import { KEY, QueueBench } from './bench.ts';

const YAML = `${strategyYaml({ params: '{ fast: 2, slow: 4 }' })}${OFF}backtest: { latency: 20 }\n`;
const TPE = {
  ...{ vary: ['one.fast=2..9', 'one.slow=10..20'], random: undefined, seed: '1', by: undefined },
  ...({ search: 'tpe', trials: 6, batch: 3 } as const),
};
const FOREIGN = new QueueKey('another key that nobody here has given');
const small = () => bench(YAML, { seconds: 120 });

/** The queue's one sweep as it stands on the board. */
async function noticeOn({ queue }: QueueBench) {
  const [text = ''] = (await queue.notices(SWEEPS)).values();
  const notice = sweepNotice(KEY, text);
  if (!notice) throw new Error('no sweep is on the board');
  return notice;
}

/** A study whose jobs nobody plays but the test: answers those that were given, with made-up results. */
async function byHand() {
  const [own, b] = [new QueueBench(), small()];
  const study = await studyOf(b, { players: own.players });
  const jobs = [3, 4, 5].map((fast) => study.job({ one: { fast, slow: 9 } }));
  const results = jobs.map((job, n): TrialResult => {
    return { ...job, figures: { netProfit: n }, days: [], fills: n, exact: n, halted: null, failed: null, headlines: [], refusals: [] };
  });
  const notice = await noticeOn(own);
  const send = (of: readonly TrialResult[], { key = KEY, engine = notice.engine.hash } = {}): Promise<void> =>
    own.queue.send(resultsOf(notice.sweep), key.sign('results', { worker: 'w', engine, way: 'engine', results: of, unequal: [] }));
  return { own, b, study, jobs, results, notice, send };
}

describe('a sweep by queue', () => {
  test('comes to what one machine comes to, round by round where it learns; quotes that a shared folder has otherwise are fetched; nothing stays on the queue but word of its end', async () => {
    const own = new QueueBench();
    const study = await studyOf(small(), { players: own.players });
    own.worker({ data: bench(YAML, { seconds: 60 }).config.settings.recording.dir });
    const alone = await sweep(await studyOf(small(), { players: here }), TPE, playing());
    const { ranking, played, first } = await sweep(study, TPE, playing());
    expect(played).toEqual(alone.played);
    expect(JSON.stringify(ranking)).toBe(JSON.stringify(alone.ranking));
    expect(JSON.stringify(first)).toBe(JSON.stringify(alone.first));
    expect(own.workerSaid[0]).toMatch(/does not hold the quotes \w+ of the sweep: they are fetched from http/);
    await study.close();
    expect(own.queue.left.toSorted()).toEqual([ENDED, WORKERS]);
    const { ended } = await queueBoards(own.queue, KEY);
    expect(ended).toMatchObject([{ how: 'finished', played: 6, finished: 3, wanted: 3 }]);
    expect(own.said).toEqual([]);
  });

  test('screened trials are confirmed by workers', async () => {
    const own = new QueueBench();
    const study = await studyOf(bench(`${strategyYaml()}${OFF}backtest: { latency: 20 }\n`, { seconds: 120 }), {
      ...{ players: own.players, screen: true },
    });
    own.worker();
    const grid = { vary: ['one.fast=2..5', 'one.slow=10..16:2'], random: undefined, seed: '1', by: 'netProfit' };
    const { ranking, screen } = await sweep(study, grid, playing());
    if (!screen) throw new Error('a screened sweep says so');
    const byEngine = screen.unscreened.reduce((sum, { trials }) => sum + trials, 0);
    // The first of the worker's one thread is the engine's, and says why.
    expect([screen.trials, screen.screened + byEngine]).toEqual([16, 16]);
    expect(screen.confirmed).toBeGreaterThan(0);
    expect(ranking.trials.slice(0, 10).some(({ screened }) => screened)).toBe(false);
    expect(ranking.trials.some(({ screened }) => screened)).toBe(true);
  });

  test("a model's weights go to the workers with the strategy that imports them", async () => {
    const source = `import { buy, param, strategy } from 'kairos/strategy';
import weights from './weights.json' with { type: 'json' };
export default strategy({
  name: 'weighted',
  params: { least: param.number(0) },
  signals: ({ quotes$ }) => quotes$,
  decide: (_, { position, amount }, { least }) => (position.isFlat && weights.bias > least ? buy(amount, 'in') : undefined),
});
`;
    const weighted = bench(`${strategyYaml({ use: 'weighted' })}${OFF}`, { seconds: 60 }, { weighted: source });
    writeFileSync(path.join(weighted.cwd, 'strategies', 'weights.json'), '{ "bias": 0.5 }');
    const own = new QueueBench();
    const study = await studyOf(weighted, { players: own.players });
    own.worker();
    const grid = { vary: ['one.least=0.4,0.6'], random: undefined, seed: '1', by: 'netProfit' };
    const { ranking } = await sweep(study, grid, playing());
    expect(Object.fromEntries(ranking.trials.map(({ params, fills, failed }) => [paramsText(params), [fills, failed]]))).toEqual({
      'one.least=0.4': [1, null],
      'one.least=0.6': [0, null],
    });
  });

  test('quotes are packed and unpacked to the last bit; a shared folder has them or has not; changed bytes are refused', async () => {
    const { columns } = (await small().open()).shared.data;
    const blobs = new Map<string, Uint8Array>();
    const packed = packQuotes(columns, (bytes) => {
      const hash = blobHash(bytes);
      blobs.set(hash, bytes);
      return hash;
    });
    const unpacked = await unpackQuotes(packed, async (hash) => blobs.get(hash) ?? new Uint8Array());
    expect(unpacked).toEqual(columns);
    expect(areQuotes((await small().open()).shared.data.columns, packed)).toBe(true);
    expect(areQuotes((await bench(YAML, { seconds: 60 }).open()).shared.data.columns, packed)).toBe(false);
    const other = new Map([...blobs].map(([hash, bytes]) => [hash, bytes.map((byte, n) => (n === bytes.length - 9 ? byte ^ 1 : byte))]));
    await expect(unpackQuotes(packed, async (hash) => other.get(hash) ?? new Uint8Array())).rejects.toThrow(
      /does not hold the quotes that were signed/,
    );
  });

  test('another engine is told to both sides in one line and takes no jobs; another key is told as well', async () => {
    const own = new QueueBench();
    const study = await studyOf(small(), { players: own.players });
    own.worker({ engine: { version: '0.0.9', hash: 'old0old0' }, name: 'old-1' });
    own.worker({ key: FOREIGN, name: 'foreign-1' });
    const cut = new AbortController();
    const played = study.play([study.job({ one: { fast: 3 } })], playing(1, cut.signal));
    await expect.poll(() => own.said).toHaveLength(1);
    const now = thisEngine();
    expect(own.said[0]).toBe(
      `the worker old-1 is Kairos 0.0.9 (engine old0old0), this is Kairos ${now.version} (engine ${now.hash.slice(0, 8)}): it takes no jobs; install the same Kairos and Node on both`,
    );
    expect(own.workerSaid.toSorted()).toEqual([
      expect.stringMatching(/^the sweep \w+ of \S+ is played by Kairos .* takes no jobs of it; install the same Kairos and Node on both$/),
      expect.stringMatching(/^the sweep \w+ was not signed with this key: takes no jobs of it/),
    ]);
    const { queue } = await noticeOn(own);
    expect(await own.queue.state(queue)).toMatchObject({ active: [], waiting: [expect.any(String)] });
    cut.abort();
    expect((await played).results).toEqual([]);
  });
});

test('a worker refuses a job that was not signed with its key, and plays nothing of it', async () => {
  const own = new QueueBench();
  await studyOf(small(), { players: own.players });
  const { queue, sweep, url } = await noticeOn(own);
  const text: JobText = { sweep, study: 'of somebody else', url, way: 'engine', trials: [] };
  await own.queue.give(queue, [
    { id: `${sweep}-1`, text: FOREIGN.sign('job', text) },
    { id: `${sweep}-2`, text: KEY.sign('results', text) },
    { id: `${sweep}-3`, text: JSON.stringify(text) },
  ]);
  own.worker();
  const why = 'the worker worker-1 refuses a job that was not signed with its key';
  await expect.poll(async () => (await own.queue.state(queue)).failed.map((job) => job.why)).toEqual([why, why, why]);
  expect(own.workerSaid).toContain('a job that was not signed with this key is refused');
});

describe('the coordinator', () => {
  test('counts each trial once, whoever returns it again; results of a foreign key, another engine and other settings are refused', async () => {
    const { own, study, jobs, results, send } = await byHand();
    let shares = 0;
    const played = study.play(jobs, {
      ...playing(),
      onShare: () => {
        shares += 1;
      },
    });
    const [first, second, third] = results;
    if (!first || !second || !third) throw new Error('three results are made');
    await send([{ ...first, figures: { netProfit: 99 } }], { key: FOREIGN });
    await send([{ ...first, figures: { netProfit: 98 } }], { engine: 'old0old0' });
    await send([{ ...first, setup: 'another', figures: { netProfit: 97 } }]);
    await send([second, first]);
    await send([first, { ...second, figures: { netProfit: 96 } }]);
    await send([third, third]);
    expect((await played).results).toEqual(results);
    expect(study.log.all).toHaveLength(3);
    // The begin, and two messages that brought something.
    expect(shares).toBe(3);
    expect(own.said).toEqual([
      'results that were not signed with this key are refused',
      'results of the worker w, which is another Kairos, are refused',
    ]);
  });

  test('is told of a trial in which the screen differs, with its result; what was played in another way is not the confirmation', async () => {
    const { own, jobs, results, notice } = await byHand();
    const [job, result] = [jobs.slice(0, 1), results.slice(0, 1)];
    const say = (way: Way, unequal: readonly Unequal[]): Promise<void> =>
      own.queue.send(
        resultsOf(notice.sweep),
        KEY.sign('results', { worker: 'w', engine: notice.engine.hash, way, results: result, unequal }),
      );
    const differs = job.map((one): Unequal => ({ job: one, what: 'fill 1', screened: 1, exact: 2 }));
    const told: unknown[] = [];
    await say('screen', []);
    await say('both', differs);
    const { signal } = new AbortController();
    await own.opened?.play({
      jobs: job,
      way: 'both',
      threads: 1,
      signal,
      onResults: (of) => told.push(...of),
      onUnequal: (of) => told.push(of),
    });
    expect(told).toEqual([...differs, ...result]);
  });

  test("is told of every difference, whichever of a worker's messages its result is in", async () => {
    const own = new QueueBench();
    const study = await studyOf(small(), { players: own.players });
    const jobs = Array.from({ length: 60 }, (_, n) => study.job({ one: { fast: 2, slow: 9 + n } }));
    const arrived = Promise.withResolvers<void>();
    // All trials are one job, as those of a wide search are, and end while the first fifty are being sent.
    const give = own.queue.give.bind(own.queue);
    vi.spyOn(own.queue, 'give').mockImplementation((name, given) => {
      const texts = given.flatMap(({ text }) => jobText(KEY, text) ?? []);
      const trials = texts.flatMap((one) => one.trials);
      return give(name, [{ id: given[0]?.id ?? '', text: KEY.sign('job', { ...texts[0], trials }) }]);
    });
    vi.spyOn(TrialThreads.prototype, 'play').mockImplementation(async (work) => {
      for (const [n, job] of work.jobs.entries()) {
        if (n === 55) work.onUnequal?.({ job, what: 'fill 1', screened: 1, exact: 2 });
        const none = { days: [], fills: 0, exact: 0, halted: null, failed: null, headlines: [], refusals: [] };
        work.onResults([{ ...job, figures: {}, ...none }]);
      }
      await arrived.promise;
    });
    onTestFinished(() => void vi.restoreAllMocks());
    own.worker();
    const told: Unequal[] = [];
    const { signal } = new AbortController();
    const work = { jobs, way: 'both', threads: 1, signal, onResults: () => arrived.resolve() } as const;
    await own.opened?.play({ ...work, onUnequal: (one) => told.push(one) });
    expect(told).toHaveLength(1);
  });

  test('gives jobs again that the queue has lost, and ends with the reason of one that workers gave up', async () => {
    const { own, study, jobs, notice, send, results } = await byHand();
    const played = study.play(jobs, playing());
    await expect.poll(async () => (await own.queue.state(notice.queue)).waiting).toHaveLength(3);
    const [lost = ''] = (await own.queue.state(notice.queue)).waiting;
    own.queue.lose(notice.queue, lost);
    await expect.poll(async () => (await own.queue.state(notice.queue)).waiting).toContain(lost);
    const taking = own.queue.consume(notice.queue, () => Promise.reject(new Error('the disk is full')));
    await expect(played).rejects.toThrow('workers gave a job up (the disk is full); finished trials are kept');
    await taking.close();
    await send(results.slice(0, 1));
  });

  test('hears a stop from any terminal; a forged one is none', async () => {
    const { own, study, jobs, notice } = await byHand();
    await own.queue.post(STOPS, notice.sweep, { text: FOREIGN.sign('stop', notice.sweep), keepMs: 60_000 });
    const cut = new AbortController();
    const played = study.play(jobs, playing(1, cut.signal));
    await new Promise<void>((resolve) => systemTimers.after(300, resolve));
    expect(own.stops).toBe(0);
    await askSweep(own.queue, KEY, { sweep: notice.sweep, ask: 'stop' });
    await expect.poll(() => own.stops).toBeGreaterThan(0);
    cut.abort();
    await played;
    expect(await own.queue.state(notice.queue)).toEqual({ waiting: [], active: [], failed: [] });
  });

  test('gives out no jobs while it is paused, and tells how far it is, what earned most and how it ended', async () => {
    const { own, study, jobs, notice, send, results } = await byHand();
    const ask = (what: 'pause' | 'resume') => askSweep(own.queue, KEY, { sweep: notice.sweep, ask: what });
    const waiting = async () => (await own.queue.state(notice.queue)).waiting.length;
    const cut = new AbortController();
    const played = study.play(jobs, playing(1, cut.signal));
    await expect.poll(waiting).toBe(3);
    await ask('pause');
    await expect.poll(waiting).toBe(0);
    // What was being played comes in all the same.
    await send(results.slice(1, 2));
    await expect
      .poll(async () => (await queueBoards(own.queue, KEY)).sweeps)
      .toMatchObject([{ paused: true, finished: 1, wanted: 3, best: { params: 'one.fast=4 one.slow=9', netProfit: 1 } }]);
    await ask('resume');
    await expect.poll(waiting).toBe(2);
    cut.abort();
    await played;
    await study.close();
    const { ended, sweeps } = await queueBoards(own.queue, KEY);
    expect([sweeps, ended]).toMatchObject([[], [{ sweep: notice.sweep, how: 'stopped', played: 1 }]]);
    await expect(ask('pause')).rejects.toThrow(`no sweep ${notice.sweep} is played on this queue`);
  });

  test('finds what came in after a coordinator crashed, and takes back what that one had given', async () => {
    const { own, b, study, jobs, notice, results } = await byHand();
    const text: JobText = { sweep: notice.sweep, study: 'gone', url: 'http://127.0.0.1:1', way: 'engine', trials: jobs };
    const queue = own.queue;
    await study.close();
    await queue.give(notice.queue, [{ id: `${notice.sweep}-old`, text: KEY.sign('job', text) }]);
    await queue.send(
      resultsOf(notice.sweep),
      KEY.sign('results', { worker: 'w', engine: notice.engine.hash, way: 'engine', results, unequal: [] }),
    );
    // As one that has crashed just now leaves it.
    await queue.post(SWEEPS, notice.sweep, { text: KEY.sign('sweep', { ...notice, coordinator: 'crashed' }), keepMs: 300 });
    const again = await studyOf(b, { players: own.players });
    expect((await noticeOn(own)).sweep).toBe(notice.sweep);
    expect((await queue.state(notice.queue)).waiting).toEqual([]);
    expect((await again.play(jobs, playing())).results).toEqual(results);
  });
});
