import type { ExitRules } from '#core/execution/exits.ts';
import type { LanePoolOptions } from '#core/execution/lane-pool.ts';
import type { FeeCurrency } from '#core/execution/sizing.ts';
import type { HaltLatch } from '#core/risk/latch.ts';
import type { Limits } from '#core/risk/limits.ts';
import type { Arming } from '#core/risk/trading-state.ts';
import type { Windows } from '#core/schedule/windows.ts';
import type { StrategyInstance } from '#core/strategy/host.ts';
import type { CronNext } from '#core/strategy/market-streams.ts';
import type { Decimal } from '#domain/decimal.ts';
import type { FinancingRules } from '#domain/financing.ts';
import type { FreshnessOf } from '#domain/freshness.ts';
import type { Lane } from '#domain/lane.ts';
import type { ProductCode, StrategyId } from '#domain/names.ts';
import type { OrderCore } from '#domain/order.ts';
import type { Quote } from '#domain/quote.ts';
import type { ScheduleLine } from '#domain/schedule.ts';
import type { Broker } from '#ports/broker.ts';
import type { Journal } from '#ports/journal.ts';
import type { Notice } from '#ports/notice.ts';
import type { Act } from './outside-act.ts';
import type { AskRemote } from './remote-acts.ts';

/** One strategy instance with what its orders need. */
export interface EngineStrategy extends StrategyInstance {
  /** Opening capital by currency; null for the default in the product's quote currency. */
  readonly budget: ReadonlyMap<string, Decimal> | null;
  /** When its positions are closed automatically; null: never. */
  readonly exits: ExitRules | null;
  /** When it may open positions; null: always. */
  readonly windows: Windows | null;
  readonly enabled: boolean;
}

export interface EngineOptions {
  readonly journal: Journal;
  readonly broker: Broker;
  readonly latch: HaltLatch;
  /** Told of each order of unknown outcome; `isAwaited` while a late answer may still come. */
  readonly onUnknown?: (order: OrderCore, isAwaited: boolean) => void;
  readonly strategies: readonly EngineStrategy[];
  readonly lanes: readonly Lane[];
  readonly limits: Limits;
  readonly arming: Arming;
  readonly feeIn: FeeCurrency;
  readonly canShort: ReadonlySet<ProductCode>;
  /** Opening capital where a strategy names none, in its product's quote currency. */
  readonly defaultBudget: Decimal;
  /** What losses of several currencies are added up in, where there are rates. */
  readonly accountCurrency: string;
  /** The account's opening balances by currency; null if none are booked. */
  readonly opening: ReadonlyMap<string, Decimal> | null;
  /** True where a currency that `opening` does not name holds nothing; else what it holds is not known, and nothing is refused for it. */
  readonly isOpeningWhole?: boolean;
  /** Financing of positions held over a roll; null or absent: none. */
  readonly financing?: FinancingRules | null;
  /** Lanes for amounts without a standing lane; while all are lent, such orders are refused. */
  readonly reserve: LanePoolOptions;
  readonly freshnessOf: FreshnessOf;
  /** True where a changed source enables a strategy that its own error disabled: `run --watch` on paper. */
  readonly mendEnables?: boolean;
  /** Quotes that only exits and limits see, not strategies: the ranges of bars in a backtest. */
  readonly isUnheard?: (quote: Quote) => boolean;
  /** What other lanes quote at the very time of the present quote and is still to come: limits see it at once. The bars of a backtest. */
  readonly alongside?: () => readonly Quote[];
  /** Next time of a cron expression after an instant, for strategies that listen to one. */
  readonly cronNext: CronNext;
  /** The lines of the schedule, in the order of the configuration. */
  readonly schedule: readonly ScheduleLine[];
  readonly act: Act;
  /** Asks the service about its own strategies; absent where a run is played again. */
  readonly remote?: AskRemote;
  /** A halt also asks the service to pause its own strategies. */
  readonly escalateHalt: boolean;
  /** False where nobody looks at what each strategy was asked last, as in backtests. Decisions do not depend on it. */
  readonly notesAsks?: boolean;
  /** Called when a strategy's code begins to run, and with null when it ends. */
  readonly onInside?: (strategy: StrategyId | null) => void;
  /** Called when the time of the next timer changes; undefined when there is none. */
  readonly onNextDue: (at: number | undefined) => void;
  readonly notice: Notice;
}
