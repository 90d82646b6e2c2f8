import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importFile } from '#adapters/recording/import/import-file.ts';
import { PACKAGED_STRATEGIES } from '#assembly/package.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { currency, productCode } from '#domain/names.ts';
import { openSession } from '#research/backtest/open-session.ts';
import type { BacktestSession } from '#research/backtest/session.ts';
import { importTicks, writeTicks } from './import-csv.ts';
import { type BenchStrategy, benchConfig } from './settings.ts';

/** Real EUR/USD ticks beside the checkout, which do not belong to the project; made-up ones take their place. */
const TICKS = fileURLToPath(new URL('../../shared/data/eurusd_oanda_ticks_20140501-15.csv.gz', import.meta.url));

/** Ticks in a recording, and backtests on them. */
export interface BenchTicks {
  /** What they are, for people. */
  readonly name: string;
  open(strategy: Pick<BenchStrategy, 'use' | 'params'>): Promise<BacktestSession>;
}

/** Imports the ticks into a folder. */
export async function benchTicks(folder: string, quick: boolean): Promise<BenchTicks> {
  const out = join(folder, 'ticks');
  const real = !quick && existsSync(TICKS);
  if (real) await importReal(out);
  else {
    writeTicks(join(folder, 'ticks.csv'), quick ? 20_000 : 500_000);
    await importTicks(join(folder, 'ticks.csv'), out);
  }
  return {
    name: real ? 'EUR/USD ticks' : 'made-up ticks',
    open: (strategy) =>
      openSession({
        config: benchConfig({
          folder,
          baseUrl: null,
          strategies: [{ id: 'bench', product: 'eurusd', amount: { base: 1000 }, ...strategy }],
        }),
        folders: { cwd: folder, packaged: PACKAGED_STRATEGIES },
        data: out,
        from: undefined,
        to: undefined,
        against: undefined,
        outcomesOf: undefined,
        notice: () => {},
      }),
  };
}

async function importReal(out: string): Promise<void> {
  const lane = laneFor(productCode('eurusd'), amountOf({ base: '1000' }));
  const names = { lane, baseCcy: currency('eur'), quoteCcy: currency('usd') };
  const ticks = { ...names, size: 1000, feePercentage: 0, validMs: 3000, afterMs: 0, crossed: 'drop' } as const;
  await importFile({ file: TICKS, map: { time: 'ts_ms', bid: 'bid', ask: 'ask', unit: 'auto' }, ticks, out });
}
