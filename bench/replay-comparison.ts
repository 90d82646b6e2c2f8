import { fileURLToPath } from 'node:url';
import { DataFrame } from 'data-forge';
import { backtest, type IBar, type IStrategy } from 'grademark';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { reportOfBacktest } from '#research/backtest/backtest-report.ts';
import { OperatorChain } from './operator-chain.ts';
import type { BenchOptions } from './options.ts';
import { type BenchResult, type Figure, ratioOf } from './result.ts';
import { inScratch } from './scratch.ts';
import { cpuSeconds, inTurns, median } from './statistics.ts';
import { benchTicks } from './ticks.ts';

const AVERAGES = { fast: 200, slow: 600 };
/** Averages that cross once in some 17 ticks. */
const SHORT = { fast: 5, slow: 20 };
/** The kernel counts CPU time in steps of some milliseconds: what is over sooner is done several times. */
const PASSES = 5;

/**
 * The same ticks through whole backtests of Kairos and through what does less: grademark and three rxjs operators, which know one
 * price, no spread, fee, latency, risk check or ledger, and a loop over arrays for quotes that nobody acts on. CPU time of the
 * thread, from ticks in memory to trades, and to the report of them.
 */
export async function benchComparison({ quick }: Pick<BenchOptions, 'quick'>): Promise<BenchResult> {
  return inScratch(async (folder) => {
    const ticks = await benchTicks(folder, quick);
    const cross = await ticks.open({ use: 'sma-cross', params: AVERAGES });
    const quiet = await ticks.open({ use: fileURLToPath(new URL('strategies/wait.ts', import.meta.url)) });
    const often = await ticks.open({ use: 'sma-cross', params: SHORT });
    const bars = barsOf(cross.columns);
    const [columns] = cross.columns;
    if (!columns) throw new Error('no ticks');
    let [orders, manyOrders, trades, crossings, sides] = [0, 0, 0, 0, 0];
    const executed = (session: typeof cross): number => session.play().decisions.filter(({ kind }) => kind === 'accepted').length;
    const repeated = (work: () => void): number => cpuSeconds(() => Array.from({ length: PASSES }, work)) / PASSES;
    const KAIROS = 'Kairos';
    const REPORT = 'Kairos, with report';
    const OFTEN = 'Kairos, many orders';
    const QUIET = 'Kairos, nobody acts';
    const LOOP = 'typed loop';
    const CHAIN = 'rxjs chain';
    const GRADEMARK = 'grademark';
    const seconds = inTurns(
      [
        {
          label: KAIROS,
          run: () =>
            cpuSeconds(() => {
              orders = executed(cross);
            }),
        },
        {
          label: OFTEN,
          run: () =>
            cpuSeconds(() => {
              manyOrders = executed(often);
            }),
        },
        { label: REPORT, run: () => cpuSeconds(() => void reportOfBacktest(cross, cross.play(), { curve: undefined })) },
        { label: QUIET, run: () => repeated(() => void quiet.play()) },
        {
          label: LOOP,
          run: () =>
            repeated(() => {
              sides = timesAbove(columns, { fast: 20, slow: 60 });
            }),
        },
        {
          label: CHAIN,
          run: () =>
            repeated(() => {
              crossings = chainOver(bars);
            }),
        },
        {
          label: GRADEMARK,
          run: () =>
            cpuSeconds(() => {
              trades = backtest(crossRule, new DataFrame<number, Bar>({ values: withAverages(bars) })).length;
            }),
        },
      ],
      quick ? { warmUp: 0, counted: 1 } : { warmUp: 2, counted: 7 },
    );
    if (Math.min(orders, manyOrders, trades, crossings, sides) === 0)
      throw new Error('nothing crossed: the ticks do not exercise what is measured');
    const rate = (label: string, unit = 'quotes/s'): Figure => ({ label, value: bars.length / median(seconds(label)), unit });
    const of = (label: string): number => median(seconds(label)) - median(seconds(QUIET));
    const two = `${ticks.name}, two moving averages`;
    return {
      name: 'comparison',
      ratios: [
        ratioOf(two, { ours: rate(KAIROS), theirs: rate(GRADEMARK, 'bars/s'), goal: { atLeast: 4 } }),
        ratioOf(`${two}, with report`, { ours: rate(REPORT), theirs: rate(GRADEMARK, 'bars/s'), goal: { atLeast: 4 } }),
        ratioOf(`${two}, with report`, { ours: rate(REPORT), theirs: rate(CHAIN), goal: { atLeast: 0.6 } }),
        ratioOf('quotes nobody acts on', { ours: rate(QUIET), theirs: rate(LOOP), goal: { atLeast: 0.3 } }),
      ],
      figures: [
        { label: 'quotes', value: bars.length, unit: 'quotes' },
        { label: 'a quote nobody acts on', value: (median(seconds(QUIET)) / bars.length) * 1e9, unit: 'ns' },
        { label: 'the same in the typed loop', value: (median(seconds(LOOP)) / bars.length) * 1e9, unit: 'ns' },
        { label: 'Kairos, orders executed', value: orders, unit: 'orders' },
        { label: 'Kairos, orders executed where there are many', value: manyOrders, unit: 'orders' },
        {
          label: 'what each of those adds, decisions and ledger included (goal: at most 25)',
          value: (of(OFTEN) / manyOrders) * 1e6,
          unit: 'us',
        },
        { label: 'grademark, trades', value: trades, unit: 'trades' },
      ],
    };
  });
}

/**
 * How often the fast average stands above the slow one: what a strategy without orders asks for, written by hand over the columns. It
 * looks at each quote's prices, size, jump and time, and makes the sums anew each time their window has gone round, as Kairos does.
 */
function timesAbove({ buy, sell, at, length }: QuoteColumns, of: { readonly fast: number; readonly slow: number }): number {
  const fast = { window: new Float64Array(of.fast), at: 0, sum: 0 };
  const slow = { window: new Float64Array(of.slow), at: 0, sum: 0 };
  const size = buy.size[0] ?? 0;
  let [above, before, lookAt, looks] = [0, Number.NaN, 0, 0];
  for (let row = 0; row < length; row++) {
    const [bought, sold, time] = [buy.price[row] ?? 0, sell.price[row] ?? 0, at[row] ?? 0];
    if (!(bought > 0 && sold > 0 && bought >= sold) || buy.size[row] !== size || sell.size[row] !== size) continue;
    const mid = (bought + sold) / 2;
    if (Math.abs(mid - before) > before / 10) continue;
    before = mid;
    if (time >= lookAt) {
      lookAt = time + 5_000;
      looks += 1;
    }
    added(fast, mid);
    added(slow, mid);
    if (row >= of.slow - 1 && fast.sum / of.fast > slow.sum / of.slow) above += 1;
  }
  return looks === 0 ? 0 : above;
}

function added(average: { readonly window: Float64Array; at: number; sum: number }, x: number): void {
  const { window } = average;
  average.sum += x - (window[average.at] ?? 0);
  window[average.at] = x;
  average.at += 1;
  if (average.at < window.length) return;
  average.at = 0;
  average.sum = 0;
  for (let place = 0; place < window.length; place++) average.sum += window[place] ?? 0;
}

/** Crossings of two averages of the bars, by three rxjs operators. */
function chainOver(bars: readonly IBar[]): number {
  const chain = new OperatorChain<IBar>(AVERAGES, ({ close }) => close);
  for (const bar of bars) chain.next(bar);
  return chain.crossings;
}

interface Bar extends IBar {
  readonly fast: number;
  readonly slow: number;
}

/** Long while the fast average is above the slow one. */
const crossRule: IStrategy<Bar> = {
  entryRule: (enter, { bar }) => {
    if (bar.fast > bar.slow) enter();
  },
  exitRule: (exit, { bar }) => {
    if (bar.fast < bar.slow) exit();
  },
};

function barsOf(lanes: readonly QuoteColumns[]): readonly IBar[] {
  return lanes.flatMap(({ length, at, buy, sell }) =>
    Array.from({ length }, (_, row): IBar => {
      const mid = ((buy.price[row] ?? 0) + (sell.price[row] ?? 0)) / 2;
      return { time: new Date(at[row] ?? 0), open: mid, high: mid, low: mid, close: mid, volume: 0 };
    }),
  );
}

/** Sums that go along: the cheapest way to the averages. Equal until there are enough bars, so that nothing is traded before. */
function withAverages(bars: readonly IBar[]): Bar[] {
  const { fast, slow } = AVERAGES;
  let [fastSum, slowSum] = [0, 0];
  return bars.map((bar, row) => {
    fastSum += bar.close - (bars[row - fast]?.close ?? 0);
    slowSum += bar.close - (bars[row - slow]?.close ?? 0);
    return row < slow - 1 ? { ...bar, fast: 0, slow: 0 } : { ...bar, fast: fastSum / fast, slow: slowSum / slow };
  });
}
