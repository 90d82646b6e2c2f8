import type { Currency, Millis } from './names.ts';
import type { Side } from './quote.ts';

/** An order of an earlier run, as the order rate counts it. */
export interface PastOrder {
  readonly at: Millis;
  readonly strategy: string;
  readonly product: string;
}

/** The last order of a strategy in a product, decimal text, where it opened, and was executed or may have been. */
export interface LastOpening extends PastOrder {
  readonly id: string;
  readonly side: Side;
  readonly size: string;
}

/** The baselines of profit in one quote currency: estimates at executable prices, in doubles. */
export interface Baseline {
  /**
   * The baseline of the day's loss: total profit when the day began (UTC), or when a person armed or resumed. Null while
   * open positions have no price on the new day.
   */
  readonly dayStart: number | null;
  /** The highest profit so far. */
  readonly peak: number;
  /** Profit when the day began, if a person has armed or resumed since; absent if equal to `dayStart`. */
  readonly dayBegan?: number;
  /** The highest profit of all, whatever a person took note of since; absent if equal to `peak`. */
  readonly highest?: number;
}

/** The part of measured profit that outlives a run. `day` is a UTC date. */
export interface PastProfit {
  readonly day: string;
  readonly byCurrency: Readonly<Record<string, Baseline>>;
  /** Of several currencies; absent with fewer. */
  readonly together?: PastPeak;
  /** Since when loss and drawdown are measured, where a person has armed or resumed. */
  readonly resumedAt?: string;
}

/** A highest profit, and the currencies that are in it. */
export interface PeakOf {
  readonly peak: number;
  readonly of: readonly Currency[];
}

/** The highest that profits in several currencies came to together, in the account's `currency`. */
export interface PastPeak extends PeakOf {
  readonly currency: string;
  /** The highest of all, whatever a person took note of since; absent if equal. */
  readonly before?: PeakOf;
}

/** The last recorded prices of a product, in quote currency. */
export interface PastMark {
  readonly product: string;
  readonly buy: number;
  readonly sell: number;
}

/** What earlier runs used of the limits, and how they ended. */
export interface PastRisk {
  /** Orders of the minute before the start. */
  readonly recentOrders: readonly PastOrder[];
  /** The last order of each strategy in each product that opened; absent in runs of 0.1.0. */
  readonly lastOpenings?: readonly LastOpening[];
  /** Value of orders since the day began (UTC), by quote currency, decimal text. */
  readonly dayValue: Readonly<Record<string, string>>;
  /** Movements of the account other than opening balances, by currency, decimal text. */
  readonly flows: Readonly<Record<string, string>>;
  /** Consecutive rejections up to now. */
  readonly rejections: number;
  /** Until when the service asked for no requests; null if it did not. */
  readonly waitUntil: Millis | null;
  /** Null if no run has measured profit yet. */
  readonly profit: PastProfit | null;
  /** A person has taken note of its losses since, while no daemon ran. */
  readonly anew?: true;
  /** Last recorded prices of products that are held. */
  readonly marks?: readonly PastMark[];
  /** What was armed last: hashes of the configuration and of the build, and where the journal was; null for none. */
  readonly armed: { readonly configHash: string; readonly build: string; readonly instance?: string } | null;
  /** When runs crashed in the day before the start. A run without an end in the journal crashed. */
  readonly crashes: readonly Millis[];
  /** True if the previous run crashed. */
  readonly crashed: boolean;
}

/** A journal without earlier runs. */
export const NO_PAST_RISK: PastRisk = {
  recentOrders: [],
  lastOpenings: [],
  dayValue: {},
  flows: {},
  rejections: 0,
  waitUntil: null,
  profit: null,
  armed: null,
  crashes: [],
  crashed: false,
};
