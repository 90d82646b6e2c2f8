import type { Millis } from '#domain/names.ts';
import type { DayEquity } from './days.ts';
import type { PartialCoverage, TimeSpan } from './empty-times.ts';
import type { Fall } from './falls.ts';
import type { FirstRate } from './first-rates.ts';
import type { ChartPoint } from './thinned.ts';

/** Smaller revaluations are rounding. */
export const MIN_REVALUATION = 0.005;

/** The account's value over time, in one currency. */
export interface Equity {
  readonly currency: string;
  /** When there was first capital. */
  readonly from: Millis;
  readonly to: Millis;
  /** Times without a quote, longer than markets close for: in no day, no yearly figure and no share of time. */
  readonly empty: readonly TimeSpan[];
  /** The length of the rest. */
  readonly tradedMs: Millis;
  /** Times between recordings, up to as long as markets close for: in no share of time. */
  readonly unrecorded: readonly TimeSpan[];
  /** The length without these as well. */
  readonly recordedMs: Millis;
  /** Traded products that have quotes in a part of it alone, and keep their last price after that. */
  readonly partly: readonly PartialCoverage[];
  /** Of currencies that were traded before a quote gave their rate. */
  readonly firstRates: readonly FirstRate[];
  /** At first. */
  readonly capital: number;
  /** The same by currency. */
  readonly capitalIn: Readonly<Record<string, number>>;
  /** Of it what the run's own budgets brought to what earlier runs had left; 0 where there was nothing before. */
  readonly joined: number;
  /** Later deposits less withdrawals, which are not profit. */
  readonly flows: number;
  readonly final: number;
  /** Profit of trading: `final` less capital, flows and revaluation. */
  readonly netProfit: number;
  /** The effect of rates on capital in other currencies: not a result of trading, and only part of `final`. */
  readonly revaluation: number;
  /** Return of trading, time-weighted, as a share. */
  readonly totalReturn: number;
  readonly days: readonly DayEquity[];
  /** The deepest drawdowns of the time-weighted value, on every quote and after every fill; bars that end together are one price. */
  readonly falls: readonly Fall[];
  readonly underWaterMs: Millis;
  readonly moneyFall: { readonly amount: number; readonly from: Millis; readonly troughAt: Millis };
  /** Time with any open position. */
  readonly inMarketMs: Millis;
  /** When the capital was lost; later times have no return. */
  readonly ruinedAt: Millis | null;
  /** The time-weighted value of the first capital. */
  readonly chart: readonly ChartPoint[];
  /** Share below the peak, each stretch's deepest as `high`. */
  readonly fallChart: readonly ChartPoint[];
  /** Capital at first and flows since. */
  readonly paidChart: readonly ChartPoint[];
}
