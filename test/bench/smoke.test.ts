import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { benchBundle } from '../../bench/bundle.ts';
import { benchDecode } from '../../bench/decode.ts';
import { benchImport } from '../../bench/import-csv.ts';
import { benchJournal } from '../../bench/journal.ts';
import { benchLive } from '../../bench/live.ts';
import { readOptions, UsageError } from '../../bench/options.ts';
import { benchPage } from '../../bench/page.ts';
import { FrameMaker } from '../../bench/quote-frames.ts';
import { benchRecordingRead } from '../../bench/recording-read.ts';
import { benchRecordingWrite } from '../../bench/recording-write.ts';
import { benchRefusals } from '../../bench/refusals.ts';
import { benchReplay } from '../../bench/replay.ts';
import { benchComparison } from '../../bench/replay-comparison.ts';
import { benchScreen } from '../../bench/replay-screen.ts';
import { benchSweep } from '../../bench/replay-sweep.ts';
import { reportText, writeResults } from '../../bench/report.ts';
import { ratioOf } from '../../bench/result.ts';
import { benchRisk } from '../../bench/risk.ts';
import { benchStart } from '../../bench/start.ts';
import { inTurns, percentile } from '../../bench/statistics.ts';
import { benchStop } from '../../bench/stop.ts';
import { benchWebhooks } from '../../bench/webhooks.ts';
import { folderOfTests } from '../support/folder.ts';
import { expectWhole } from './whole.ts';

/** That the benchmark works, in its smallest form. Nothing here says how fast anything is. */
const folder = folderOfTests();

describe('a round of each part measures both sides', () => {
  const quick = { quick: true };

  test('decode', () => expectWhole(benchDecode(quick)));

  test('journal', async () => expectWhole(await benchJournal(quick)));

  test('replay: the engine trades in it', async () => expectWhole(await benchReplay(quick)));

  test('import: every row arrives on both sides', async () => expectWhole(await benchImport(quick)));

  test('recording: read from Parquet, from the cache and by DuckDB, and written', async () => {
    expectWhole(await benchRecordingRead(quick));
    expectWhole(await benchRecordingWrite(quick));
  });

  test('bundle: a run as tables', async () => expectWhole(await benchBundle(quick)));

  test('sweep: one and two threads, few and many trials', async () => expectWhole(await benchSweep(quick)));

  test('screen: trials by the screen and by the engine', async () => expectWhole(await benchScreen(quick)), 120_000);

  test('comparison: both sides trade on the same ticks', async () => expectWhole(await benchComparison(quick)));

  test('start', async () => expectWhole(await benchStart(quick)));

  test('live: both sides order, and each stage of the daemon is seen', async () => {
    const result = await benchLive(3, quick);
    expectWhole(result);
    const stages = result.figures.filter(({ label }) => /^Kairos: .*, p50$/.test(label));
    expect(stages).toHaveLength(7);
    for (const { label, value } of stages) expect(value, label).toBeGreaterThanOrEqual(0);
  });
});

describe('a round of each comparison of Kairos with itself', () => {
  const quick = { quick: true };

  test('risk: orders go out with and without checks', async () => expectWhole(await benchRisk(quick)));

  test('refusals: orders go out beside them', async () => expectWhole(await benchRefusals(quick)));

  test('stop: odd sizes are closed', async () => expectWhole(await benchStop(quick)));

  test('webhooks: each has its one effect, and orders go out beside them', async () => {
    const result = await benchWebhooks(quick);
    expectWhole(result);
    expect(result.figures.at(-1)).toMatchObject({ label: 'deposits in the ledger less transfers', value: 0 });
  });

  test('page: orders go out beside twenty pages', async () => expectWhole(await benchPage(quick)));
});

describe('figures can be trusted', () => {
  test('a frame is a TQ of the length of a real one, each with an id of its own', () => {
    const maker = new FrameMaker({ product: 'btcusd', base: 'btc', quote: 'usd', size: 0.01 }, 7);
    const frames = Array.from({ length: 70_000 }, () => maker.next(0));
    expect(new Set(frames.map(({ id }) => id)).size).toBe(frames.length);
    for (const { text } of frames.slice(0, 100)) expect(Math.abs(text.length - 700)).toBeLessThan(30);
  });

  test('percentiles are of the nearest rank', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect([percentile(hundred, 0.5), percentile(hundred, 0.99), percentile([7], 0.99)]).toEqual([50, 99, 7]);
  });

  test('contestants take turns, and rounds to warm up do not count', () => {
    const order: string[] = [];
    const one = (label: string) => ({ label, run: () => order.push(label) });
    const seconds = inTurns([one('a'), one('b')], { warmUp: 1, counted: 2 });
    expect(order.join('')).toBe('ababab');
    expect([seconds('a'), seconds('b')]).toEqual([
      [3, 5],
      [4, 6],
    ]);
  });

  test('a goal is met on its edge and missed beyond it, on either side', () => {
    const sides = { ours: { label: '', value: 5, unit: 'ms' }, theirs: { label: '', value: 4, unit: 'ms' } };
    const met = (goal: { atMost: number } | { atLeast: number }) => ratioOf('x', { ...sides, goal }).met;
    expect([met({ atMost: 1.25 }), met({ atMost: 1.24 }), met({ atLeast: 1.25 }), met({ atLeast: 1.26 })]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  test('a run leaves a file with both sides of every ratio, and prints them', () => {
    const ratio = ratioOf('speed', { ours: { label: 'us', value: 3, unit: 'ms' }, theirs: { label: 'them', value: 2, unit: 'ms' } });
    const result = { name: 'part', ratios: [ratio], figures: [] };
    const file = writeResults([result], { folder, what: 'part', at: new Date(Date.UTC(2026, 0, 2, 3, 4, 5)) });
    expect(path.basename(file)).toBe('2026-01-02T030405-part.json');
    expect(JSON.parse(readFileSync(file, 'utf8')).results).toEqual([result]);
    expect(reportText(result)).toMatch(/3\.000 ms us.*2\.000 ms them.*1\.50/);
  });
});

describe('the command line', () => {
  test('everything by default, one and a hundred lanes', () => {
    const all = [
      'decode',
      'journal',
      'recover',
      'replay',
      'start',
      'live',
      'risk',
      'refusals',
      'stop',
      'webhooks',
      'page',
      'backtest',
      'first-paint',
      'import',
      'recording',
      'bundle',
      'sweep',
      'screen',
      'comparison',
    ];
    expect(readOptions([])).toEqual({ only: all, lanes: [1, 100], quick: false });
    expect(readOptions(['--only', 'live,decode', '--lanes', '1,1000', '--quick'])).toEqual({
      only: ['live', 'decode'],
      lanes: [1, 1000],
      quick: true,
    });
  });

  test.each([['--only', 'speed'], ['--lanes', '0'], ['--lanes', '1001'], ['--lanes', 'many'], ['--fast']])(
    '%s %s is refused',
    (...args) => {
      expect(() => readOptions(args)).toThrow(UsageError);
    },
  );
});
