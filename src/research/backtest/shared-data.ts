import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type MeasuredOrder, measuredOrders } from '#adapters/journal/measured-orders.ts';
import type { LoadedStrategy } from '#assembly/assemble.ts';
import { shownInputs, signalSchemas } from '#assembly/bound-inputs.ts';
import type { Settings } from '#config/settings.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import type { BacktestData } from './data.ts';
import { type Flow, readFlows } from './deposits.ts';
import type { StrategyModules } from './modules.ts';
import { type RecordedInput, recordedInputs } from './recorded-events.ts';
import type { SignalFile } from './signal-file.ts';

/** Data that many backtests on the same quotes share. Plain data, whose columns threads can share. */
export interface SharedData {
  readonly data: BacktestData;
  /** SHA-256 of all quotes. */
  readonly quotesHash: string;
  /** The same with the recorded limits of their products, with inputs and deposits. */
  readonly hash: string;
  /** Recorded prices of display inputs, and signals from outside. */
  readonly inputs: readonly RecordedInput[];
  /** The file of signals from outside, where one was given. */
  readonly signals: SignalFile | undefined;
  /** Of `backtest.deposits`. */
  readonly flows: readonly Flow[];
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
    /** Signals from outside in place of those of the recordings. */
    readonly signals?: SignalFile | undefined;
  },
): SharedData {
  const { settings, modules, strategies, against, signals: given } = from;
  const shown = new Set(shownInputs(strategies).map(({ id }) => id));
  const signals = new Set(given === undefined ? signalSchemas(strategies).keys() : []);
  const inputs = [
    ...recordedInputs(data.recordings, { shown, signals }),
    ...(given?.signals ?? []).map(({ at, ...signal }): RecordedInput => ({ at, event: { kind: 'signal', ...signal } })),
  ];
  const { journal, backtest } = settings;
  const ofQuotes = quotesHash(data.columns);
  const quoted = new Set<string>(data.columns.map(({ product }) => product));
  const flows = backtest.deposits === null ? [] : readFlows(backtest.deposits);
  const measures = backtest.latency === 'measured' && existsSync(journal.path);
  return {
    data,
    quotesHash: ofQuotes,
    hash: hashOf([ofQuotes, ...data.products.filter(({ code }) => quoted.has(code)), ...inputs, ...flows]),
    inputs,
    signals: given,
    flows,
    measured: measures ? measuredOrders(journal.path, against) : [],
    modules,
  };
}

/** One by one, since all together they may be longer than a text can be. */
function hashOf(parts: readonly unknown[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(JSON.stringify(part));
  return hash.digest('hex');
}

/** SHA-256 of quotes: their lanes, times, prices, sizes, fees and ids. */
export function quotesHash(columns: readonly QuoteColumns[]): string {
  const hash = createHash('sha256');
  for (const { lane, barMs, at, validUntil, buy, sell, feePercentage, ids } of columns) {
    hash.update(`${lane} ${barMs}`);
    const sides = [buy, sell].flatMap(({ price, size, feeInBaseCcy, feeInQuoteCcy }) => [price, size, feeInBaseCcy, feeInQuoteCcy]);
    for (const column of [at, validUntil, ...sides, feePercentage]) hash.update(bytesOf(column));
    hash.update(ids);
  }
  return hash.digest('hex');
}

const bytesOf = (column: Float64Array): Uint8Array => new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
