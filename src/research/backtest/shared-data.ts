import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type MeasuredOrder, measuredOrders } from '#adapters/journal/measured-orders.ts';
import type { LoadedStrategy } from '#assembly/assemble.ts';
import { shownInputs } from '#assembly/bound-inputs.ts';
import type { Settings } from '#config/settings.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import type { BacktestData } from './data.ts';
import type { StrategyModules } from './modules.ts';
import { type RecordedShown, recordedShown } from './recorded-events.ts';

/** Data that many backtests on the same quotes share. Plain data, whose columns threads can share. */
export interface SharedData {
  readonly data: BacktestData;
  /** SHA-256 of all quotes. */
  readonly hash: string;
  /** Recorded prices of display inputs. */
  readonly shown: readonly RecordedShown[];
  /** Orders of own runs with how long they took; empty unless the configured latency is `measured`. */
  readonly measured: readonly MeasuredOrder[];
  /** The strategies as they were when the quotes were read, whatever is edited meanwhile. */
  readonly modules: StrategyModules;
}

/** Reads what is besides the quotes. `against`: the run whose round trips count, or null for those of all. */
export function sharedData(
  data: BacktestData,
  from: {
    readonly settings: Settings;
    readonly modules: StrategyModules;
    readonly strategies: readonly LoadedStrategy[];
    readonly against: string | null;
  },
): SharedData {
  const { settings, modules, strategies, against } = from;
  const wanted = new Set(shownInputs(strategies).map(({ id }) => id));
  const { journal, backtest } = settings;
  const measures = backtest.latency === 'measured' && existsSync(journal.path);
  return {
    data,
    hash: quotesHash(data.columns),
    shown: recordedShown(data.recordings, wanted),
    measured: measures ? measuredOrders(journal.path, against) : [],
    modules,
  };
}

/** SHA-256 of quotes: their lanes, times, figures and ids. */
export function quotesHash(columns: readonly QuoteColumns[]): string {
  const hash = createHash('sha256');
  for (const { lane, at, validUntil, buy, sell, ids } of columns) {
    hash.update(lane);
    for (const column of [at, validUntil, buy.price, buy.size, sell.price, sell.size]) hash.update(bytesOf(column));
    hash.update(ids);
  }
  return hash.digest('hex');
}

const bytesOf = (column: Float64Array): Uint8Array => new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
