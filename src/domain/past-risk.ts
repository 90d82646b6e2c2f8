import type { Millis } from './names.ts';

/** An order of an earlier run, as the order rate counts it. */
export interface PastOrder {
  readonly at: Millis;
  readonly strategy: string;
  readonly product: string;
}

/** From what profit is measured, in one quote currency: an estimate at executable prices, in doubles. */
export interface Baseline {
  /**
   * From where the loss of a day counts: profit since the first run when the day began (UTC), or since a person armed or
   * resumed. Null while the day has begun and what is held has no price yet.
   */
  readonly dayStart: number | null;
  /** The highest that profit has been. */
  readonly peak: number;
  /** Profit when the day began, where a person has armed or resumed since; absent where it is `dayStart`. */
  readonly dayBegan?: number;
}

/** What of measured profit outlives a run. `day` is a UTC date. */
export interface PastProfit {
  readonly day: string;
  readonly byCurrency: Readonly<Record<string, Baseline>>;
}

/** Prices of a product as they were recorded last, in quote currency. */
export interface PastMark {
  readonly product: string;
  readonly buy: number;
  readonly sell: number;
}

/** What earlier runs have counted towards limits, and how they ended. */
export interface PastRisk {
  /** Orders of the minute before the start. */
  readonly recentOrders: readonly PastOrder[];
  /** Value of orders since the day began (UTC), by quote currency, decimal text. */
  readonly dayValue: Readonly<Record<string, string>>;
  /** What moved in the account besides opening balances, by currency, decimal text. */
  readonly flows: Readonly<Record<string, string>>;
  /** Consecutive rejections up to now. */
  readonly rejections: number;
  /** Until when the service asked to be left alone; null where it did not. */
  readonly waitUntil: Millis | null;
  /** Null where no run has measured yet. */
  readonly profit: PastProfit | null;
  /** Of products that are held and have no lane any more, as far as they were recorded; absent in runs of earlier versions. */
  readonly marks?: readonly PastMark[];
  /** Hashes of the configuration and of the build that were armed last; null for none. */
  readonly armed: { readonly configHash: string; readonly build: string } | null;
  /** When runs crashed, in the last day before the start: nobody wrote their end. */
  readonly crashes: readonly Millis[];
  /** True when the run before was one of them. */
  readonly crashed: boolean;
}

/** Nothing before. */
export const NO_PAST_RISK: PastRisk = {
  recentOrders: [],
  dayValue: {},
  flows: {},
  rejections: 0,
  waitUntil: null,
  profit: null,
  armed: null,
  crashes: [],
  crashed: false,
};
