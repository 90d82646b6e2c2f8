import type { Millis } from '#domain/names.ts';
import type { ProfitBin } from '#report/profit-histogram.ts';
import type { ScatterView, SearchView } from '#report/search-view.ts';

/** What the script of a report's page draws, as JSON in the page. */
export interface PageData {
  readonly currency: string;
  readonly run?: RunData;
  readonly search?: SearchData | null;
  /** Growth of 100 over the tests of a walk-forward. */
  readonly chained?: readonly TimedValue[];
  readonly compared?: readonly CurveData[];
}

/** What is drawn of one run. */
export interface RunData {
  readonly from: Millis;
  readonly to: Millis;
  /** Growth of the initial capital and its distance below the highest so far, a share; null where it cannot be valued. */
  readonly equity: { readonly growth: Series; readonly falls: Series; readonly held: Series | null } | null;
  readonly histogram: readonly ProfitBin[];
  readonly prices: readonly PriceData[];
  readonly latencies: readonly (readonly [latencyMs: number, profit: number])[];
  readonly trades: readonly TradeData[];
  /** Of the money of round trips, by product. */
  readonly currencies: Readonly<Record<string, string>>;
}

/** Values at equal distances, the first at `t0`; null where there were none. */
export interface Series {
  readonly t0: Millis;
  readonly stepMs: Millis;
  readonly values: readonly (number | null)[];
}

/** A product's prices with what was done at them. */
export interface PriceData {
  readonly product: string;
  readonly lane: string;
  /** The last price of each stretch, at its end; `low` and `high` of the same stretches. */
  readonly last: Series;
  readonly low: readonly (number | null)[];
  readonly high: readonly (number | null)[];
  readonly signals: readonly { readonly strategy: string; readonly name: string; readonly points: readonly TimedValue[] }[];
  readonly refusals: readonly RefusalData[];
  readonly refusalsLeftOut: number;
  readonly marks: readonly MarkData[];
}

export type TimedValue = readonly [at: Millis, value: number];

export type MarkData = readonly [at: Millis, buys: 0 | 1, price: number, size: number, order: string, strategy: string];

type RefusalData = readonly [at: Millis, buys: 0 | 1, price: number, reason: string, strategy: string];

/** A round trip, in the order of the table's columns. */
export type TradeData = readonly [
  closedAt: Millis,
  strategy: string,
  product: string,
  side: string,
  size: number,
  entry: number,
  exit: number,
  heldMs: Millis,
  fees: number,
  profit: number,
  share: number | null,
  why: string,
  orders: string,
];

/** What is drawn of a search. */
export interface SearchData extends Pick<SearchView, 'parameters' | 'figures' | 'points' | 'first'> {
  readonly scatter: ScatterView | null;
}

/** The growth of one of several results from 100 on. */
export interface CurveData {
  readonly letter: string;
  readonly from: Millis;
  readonly stepMs: Millis;
  readonly values: readonly (number | null)[];
}
