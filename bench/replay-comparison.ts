import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DataFrame } from 'data-forge';
import { backtest, type IBar, type IStrategy } from 'grademark';
import { importFile } from '#adapters/recording/import/import-file.ts';
import { PACKAGED_STRATEGIES } from '#apps/assembly/package.ts';
import { openSession } from '#apps/backtest/open-session.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { currency, productCode } from '#domain/names.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { importTicks, writeTicks } from './import-csv.ts';
import type { BenchOptions } from './options.ts';
import { type BenchResult, type Figure, ratioOf } from './result.ts';
import { inScratch } from './scratch.ts';
import { benchConfig } from './settings.ts';
import { cpuSeconds, inTurns, median } from './statistics.ts';

/** Real EUR/USD ticks beside the checkout, which do not belong to the project; made-up ones take their place. */
const TICKS = fileURLToPath(new URL('../../shared/data/eurusd_oanda_ticks_20140501-15.csv.gz', import.meta.url));
const AVERAGES = { fast: 200, slow: 600 };

/**
 * The same ticks and the same cross of two moving averages through a whole backtest of Kairos and through grademark, which knows
 * one price, no spread, fee, latency, risk check or ledger. CPU time of the thread, from ticks in memory to trades.
 */
export async function benchComparison({ quick }: Pick<BenchOptions, 'quick'>): Promise<BenchResult> {
  return inScratch(async (folder) => {
    const out = join(folder, 'ticks');
    const real = !quick && existsSync(TICKS);
    if (real) await importReal(out);
    else {
      writeTicks(join(folder, 'ticks.csv'), quick ? 20_000 : 500_000);
      await importTicks(join(folder, 'ticks.csv'), out);
    }
    const strategies = [{ id: 'cross', use: 'sma-cross', product: 'eurusd', amount: { base: 1000 }, params: AVERAGES }];
    const session = await openSession({
      config: benchConfig({ folder, baseUrl: null, strategies }),
      folders: { cwd: folder, packaged: PACKAGED_STRATEGIES },
      data: out,
      from: undefined,
      to: undefined,
      against: undefined,
      outcomesOf: undefined,
      notice: () => {},
    });
    const bars = barsOf(session.columns);
    let [orders, trades] = [0, 0];
    const seconds = inTurns(
      [
        {
          label: 'Kairos',
          run: () =>
            cpuSeconds(() => {
              orders = session.play().decisions.filter(({ kind }) => kind === 'accepted').length;
            }),
        },
        {
          label: 'grademark',
          run: () =>
            cpuSeconds(() => {
              trades = backtest(cross, new DataFrame<number, Bar>({ values: withAverages(bars) })).length;
            }),
        },
      ],
      quick ? { warmUp: 0, counted: 1 } : { warmUp: 1, counted: 5 },
    );
    if (orders === 0 || trades === 0) throw new Error(`nothing was traded: ${orders} orders and ${trades} trades`);
    const rate = (label: string, unit: string): Figure => ({ label, value: bars.length / median(seconds(label)), unit });
    return {
      name: 'comparison',
      ratios: [
        ratioOf(`${real ? 'EUR/USD ticks' : 'made-up ticks'}, two moving averages`, {
          ours: rate('Kairos', 'quotes/s'),
          theirs: rate('grademark', 'bars/s'),
          goal: { atLeast: 3 },
        }),
      ],
      figures: [
        { label: 'quotes', value: bars.length, unit: 'quotes' },
        { label: 'Kairos, orders executed', value: orders, unit: 'orders' },
        { label: 'grademark, trades', value: trades, unit: 'trades' },
      ],
    };
  });
}

async function importReal(out: string): Promise<void> {
  const lane = laneFor(productCode('eurusd'), amountOf({ base: '1000' }));
  const names = { lane, baseCcy: currency('eur'), quoteCcy: currency('usd') };
  const ticks = { ...names, size: 1000, feePercentage: 0, validMs: 3000, afterMs: 0, crossed: 'drop' } as const;
  await importFile({ file: TICKS, map: { time: 'ts_ms', bid: 'bid', ask: 'ask', unit: 'auto' }, ticks, out });
}

interface Bar extends IBar {
  readonly fast: number;
  readonly slow: number;
}

/** Long while the fast average is above the slow one. */
const cross: IStrategy<Bar> = {
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
