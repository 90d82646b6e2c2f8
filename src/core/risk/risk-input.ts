import type { Books, PositionBounds } from '#core/portfolio/books.ts';
import type { Exposure } from '#core/portfolio/exposure.ts';
import type { Funds } from '#core/portfolio/funds.ts';
import type { Marks } from '#core/portfolio/valuation.ts';
import type { Decimal } from '#domain/decimal.ts';
import type { Millis } from '#domain/names.ts';
import type { OrderCore } from '#domain/order.ts';
import type { Product } from '#domain/product.ts';
import type { Quote } from '#domain/quote.ts';
import type { Reason } from '#domain/reasons.ts';
import type { RecentPrices } from './collar.ts';
import type { Limits } from './limits.ts';
import type { LossStreaks } from './loss-limits.ts';
import type { MinuteCount, OrderCounts } from './order-counts.ts';
import type { RateLimitBackoff, RoundTrips, TimeFault } from './service-state.ts';

/** What was counted and measured so far, without the order at hand: read only where a check asks for it. */
export interface RiskMeasures {
  readonly counts: Pick<OrderCounts, 'dayValue' | 'sinceTwin'> & {
    rateOf(...of: Parameters<OrderCounts['rateOf']>): Pick<MinuteCount, 'inLastMinute'>;
  };
  readonly exposure: Pick<Exposure, 'ofStrategy' | 'ofAll'>;
  readonly marks: Pick<Marks, 'ratesAt'>;
  readonly prices: Pick<RecentPrices, 'median'>;
  readonly trips: Pick<RoundTrips, 'p99'>;
  readonly losses: Pick<LossStreaks, 'leftMs'>;
  readonly wait: Pick<RateLimitBackoff, 'openingLeftMs' | 'exitLeftMs'>;
  readonly funds: Pick<Funds, 'free'>;
  readonly books: Pick<Books, 'unknownOpenings'>;
}

/** Everything that the checks of one order look at, read at one instant. */
export interface RiskInput {
  readonly order: OrderCore;
  readonly quote: Quote;
  readonly product: Product;
  readonly limits: Limits;
  /** Worst price that the intent accepts, in quote currency; null for none. */
  readonly limitPrice: number | null;
  readonly halted: boolean;
  readonly disarmed: boolean;
  /** Why only reducing orders may pass, or null. */
  readonly reducing: string | null;
  readonly disabled: boolean;
  readonly paused: boolean;
  /** Why its windows let the strategy open nothing now, or null. */
  readonly closed: string | null;
  /** Why the market says that the quote cannot be used, or null. */
  readonly untradable: Reason | null;
  /** A lane that the strategy hears beside that of the order, of which no quote comes; null for none. */
  readonly silentInput: string | null;
  /** A lane of the product is set aside because of its prices. */
  readonly quarantined: boolean;
  /** Why no order may go out because of time itself, or null. */
  readonly time: TimeFault | null;
  readonly quoteTaken: boolean;
  readonly timeLeftMs: number;
  readonly frozen: boolean;
  readonly inFlight: boolean;
  /** Position of the order's own book, open orders at their worse end, without this order. */
  readonly interval: PositionBounds;
  /** Worst sizes of all books of the product, without this order, in base currency. */
  readonly grossExposure: Decimal;
  readonly budgetLeft: Decimal;
  /** The worth up to which a person lets an exit go over `risk.maxExitValue`, in quote currency; null: nobody did. */
  readonly exitAllowed: Decimal | null;
  /** What is left of the pause after an exit that was rejected; zero for none. */
  readonly exitPauseMs: Millis;
  readonly canShort: boolean;
  readonly measured: RiskMeasures;
}

/** What a check found: the figure it looked at, and what that was held against. */
export interface Verdict {
  readonly passed: boolean;
  readonly figure: string | number;
  readonly limit: string | number | null;
  /** Of both, where they are amounts of money. */
  readonly currency?: string;
  /** Where the check finds a more telling reason than its own. */
  readonly reason?: Reason;
}

/** Undefined where the check has nothing to hold the order against. */
export type Check = (input: RiskInput) => Verdict | undefined;

/** A state in which nothing may go out, by its name in what the checks look at. */
export type Flag = LatchFlag | 'quarantined' | 'frozen' | 'inFlight' | 'silentInput' | 'time' | 'quoteTaken';

/** What was latched or is closed, whatever the quote. */
export type LatchFlag = 'halted' | 'disarmed' | 'reducing' | 'disabled' | 'paused' | 'closed';
