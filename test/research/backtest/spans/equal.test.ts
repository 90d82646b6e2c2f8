import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { importFile } from '#adapters/recording/import/import-file.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { currency, productCode } from '#domain/names.ts';
import { folder, strategyYaml } from '../../../config/support.ts';
import { firstRows } from '../../../support/first-rows.ts';
import { fc, test as property } from '../../../support/property.ts';
import { bench, OFF } from '../session-bench.ts';
import { linesOf, randomRun } from './random-run.ts';
import { SHIPPED } from './random-strategies.ts';

/** The first row that differs, so that a failure names it and not thousands. */
function expectEqual(spans: readonly string[], every: readonly string[]): void {
  const at = every.findIndex((line, n) => line !== spans[n]);
  expect([at, spans[at], spans.length]).toEqual([at, every[at], every.length]);
}

// 1,000 and more at once: npm run spans -- 1000
describe('spans of quotes leave what single quotes leave, row by row of the journal', () => {
  const equal = (seed: number): void => {
    const { play } = randomRun(seed, 250);
    expectEqual(linesOf(play(false)), linesOf(play(true)));
  };
  property.prop([fc.nat()], { numRuns: 20 })('random quotes, strategies and settings', equal);

  const ofDust = (seed: number): void => {
    const { play } = randomRun(seed, 400, { dust: true });
    expectEqual(linesOf(play(false)), linesOf(play(true)));
  };
  property.prop([fc.nat()], { numRuns: 20 })('positions that prices make too small to sell, and large enough again', ofDust);

  test('a price of zero says nothing about what is dust', () => {
    const { play, columns } = randomRun(1006, 400, { dust: true });
    for (const { buy, sell } of columns) for (const { price } of [buy, sell]) price[398] = 0;
    expectEqual(linesOf(play(false)), linesOf(play(true)));
  });

  const ofTwo = (seed: number): void => {
    const { play } = randomRun(seed, 400, { several: true });
    expectEqual(linesOf(play(false)), linesOf(play(true)));
  };
  property.prop([fc.nat()], { numRuns: 12 })('two lanes, whose quotes come between each other', ofTwo);

  const ofBars = (seed: number): void => {
    const { play } = randomRun(seed, 400, { several: true, bars: true });
    expectEqual(linesOf(play(false)), linesOf(play(true)));
  };
  property.prop([fc.nat()], { numRuns: 12 })('two imports, whose quotes share times', ofBars);

  test('the shipped strategies on a recording, and most quotes of those of one lane are passed over', async () => {
    for (const { name } of SHIPPED.filter(({ name }) => !['pair', 'book-imbalance'].includes(name))) {
      const { open } = bench(`${strategyYaml({ use: name })}${OFF}`, { seconds: 300 });
      const [spans, every] = [await open(), await open({ everyQuote: true })];
      const run = spans.play();
      expectEqual(linesOf(run), linesOf(every.play()));
      if (FAST.has(name)) expect(run.oneByOne).toEqual([]);
      else expect(run.oneByOne).toEqual([{ strategy: 'one', why: expect.any(String) }]);
    }
  });
});

/** Shipped strategies that are played by spans. */
const FAST: ReadonlySet<string> = new Set(['sma-cross', 'ema-cross', 'buy-and-hold', 'grid', 'rsi-reversion']);

test('an own rxjs operator is named, and an own operator of kairos/strategy is not', async () => {
  const own = (operator: string) => `import { above, mid, operator, sma, strategy, towards } from 'kairos/strategy';
import { map } from 'rxjs';
export default strategy({
  name: 'own',
  signals: ({ quotes$ }) => quotes$.pipe(${operator}, above(sma(20), sma(60))),
  decide: (side, view) => towards(side === 'above' ? 'long' : 'flat', view, { reason: side }),
});
`;
  const half = 'mid(), operator({ start: () => ({}), next: (_, x) => x / 2 })';
  const modules = { mapped: own('map(({ buy }) => buy.price)'), halved: own(half) };
  const played = async (use: string) => {
    const { open } = bench(`${strategyYaml({ use: `./strategies/${use}.ts` })}${OFF}`, { seconds: 600 }, modules);
    return (await open()).play().oneByOne;
  };
  expect(await played('mapped')).toEqual([{ strategy: 'one', why: 'its signals begin with an rxjs operator of its own' }]);
  expect(await played('halved')).toEqual([]);
});

test.each([
  ['n', 'a variable', 'let n = 0;', 'n += 1; const asked = n;'],
  ['memory', 'another name of an object', 'const memory = { n: 0 };', 'const m = memory; m.n += 1; const asked = m.n;'],
  ['seen', 'what a helper changes', 'const seen = []; const put = (list, x) => list.push(x);', 'const asked = put(seen, side);'],
])('a strategy that counts in %s, %s at the top of its file, decides as it does quote by quote', async (name, _what, top, count) => {
  const counting = `import { above, mid, sma, strategy, towards } from 'kairos/strategy';
${top}
export default strategy({
  name: 'counting',
  signals: ({ quotes$ }) => quotes$.pipe(mid(), above(sma(2), sma(4))),
  decide: (side, view) => {
    ${count}
    return asked % 50 === 0 ? towards(view.position.isFlat ? 'long' : 'flat', view, { reason: side }) : undefined;
  },
});
`;
  const { open } = bench(`${strategyYaml({ use: './strategies/counting.ts' })}${OFF}`, { seconds: 600 }, { counting });
  const run = (await open()).play();
  expectEqual(linesOf(run), linesOf((await open({ everyQuote: true })).play()));
  expect(run.oneByOne[0]?.why).toContain(`it keeps the variable ${name} (`);
  expect(run.oneByOne[0]?.why).toMatch(/counting\.ts:7:\d+\)/);
});

/** Real quotes beside the checkout, which do not belong to the project. CI must have them. */
const DATA = fileURLToPath(new URL('../../../../../shared/data/', import.meta.url));
const TICKS = path.join(DATA, 'eurusd_oanda_ticks_20140501-15.csv.gz');
const atHand = existsSync(TICKS) || process.env.CI !== undefined;
const title = `the shipped strategies on real EUR/USD ticks${atHand ? '' : ' (skipped: no ../shared/data beside the checkout)'}`;
if (!atHand) console.warn(title);

test.runIf(atHand)(title, async () => {
  const lane = laneFor(productCode('eurusd'), amountOf({ base: '1000' }));
  const names = { lane, baseCcy: currency('eur'), quoteCcy: currency('usd') };
  const ticks = { ...names, size: 1000, feePercentage: 0, validMs: 3000, afterMs: 0, crossed: 'drop' } as const;
  const entries = [
    { use: 'sma-cross', params: '{ fast: 200, slow: 600 }' },
    { use: 'ema-cross', params: '{ fast: 20, slow: 60 }', exits: '{ stopLossPct: 0.05, trailingPct: 0.1, net: true }' },
    { use: 'grid', params: '{ stepPct: 0.05, follow: true }' },
    { use: 'rsi-reversion', params: '{ barSeconds: 300 }' },
  ];
  const cwd = folder();
  const out = path.join(cwd, 'ticks');
  const file = firstRows(TICKS, 20_000, cwd);
  await importFile({ file, map: { time: 'ts_ms', bid: 'bid', ask: 'ask', unit: 'auto' }, ticks, out });
  for (const entry of entries) {
    const { open } = bench(`${strategyYaml({ product: 'eurusd', amount: '{ base: 1000 }', ...entry })}${OFF}backtest: { latency: 50 }\n`);
    const run = (await open({ data: out })).play();
    expect(run.oneByOne).toEqual([]);
    expectEqual(linesOf(run), linesOf((await open({ data: out, everyQuote: true })).play()));
  }
});
