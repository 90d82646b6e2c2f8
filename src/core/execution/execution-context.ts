import type { DecisionLog, RepeatedRefusals } from '#core/decisions/decision-log.ts';
import type { MarketData } from '#core/market/market.ts';
import type { Books } from '#core/portfolio/books.ts';
import type { Budgets } from '#core/portfolio/funds.ts';
import type { ExitBounds } from '#core/risk/exit-bounds.ts';
import type { Limits } from '#core/risk/limits.ts';
import type { RiskMonitor } from '#core/risk/risk-monitor.ts';
import type { ClockState } from '#core/risk/service-state.ts';
import type { TradingState } from '#core/risk/trading-state.ts';
import type { TradingHours } from '#core/schedule/windows.ts';
import type { Lane } from '#domain/lane.ts';
import type { LaneId, Millis, ProductCode, StrategyId } from '#domain/names.ts';
import type { OrderCore } from '#domain/order.ts';
import type { Product } from '#domain/product.ts';
import type { Broker } from '#ports/broker.ts';
import type { Notice } from '#ports/notice.ts';
import type { LanePool } from './lane-pool.ts';
import type { OrderListener } from './order-listener.ts';
import type { FeeCurrency } from './sizing.ts';

/** What every part of order execution works with: rules that never change, what is known, the rows it makes, and the world outside. */
export interface ExecutionContext {
  readonly limits: Limits;
  readonly feeIn: FeeCurrency;
  readonly canShort: ReadonlySet<ProductCode>;
  /** The configured lanes by name. */
  readonly laneById: ReadonlyMap<LaneId, Lane>;
  /** The lanes on which each strategy trades. */
  readonly trades: ReadonlyMap<StrategyId, readonly LaneId[]>;
  /** The same of strategies with further inputs, which hear them. */
  readonly heard: ReadonlyMap<StrategyId, readonly LaneId[]>;
  /** When strategies with windows may open positions. */
  readonly hours: ReadonlyMap<StrategyId, TradingHours>;

  readonly books: Books;
  readonly market: MarketData;
  /** What is known of each product by now. */
  readonly products: ReadonlyMap<ProductCode, Product>;
  readonly budgets: Budgets;
  readonly state: TradingState;
  readonly clockState: ClockState;
  readonly monitor: RiskMonitor;
  readonly exits: ExitBounds;
  /** Strategies that are disabled, with the reason. */
  readonly disabled: ReadonlyMap<StrategyId, string>;

  readonly log: DecisionLog;
  readonly refusals: RepeatedRefusals;

  readonly broker: Broker;
  /** Lanes for amounts that have none of their own. */
  readonly lanePool: LanePool;
  readonly notice: Notice;
  /** Told of each order of unknown outcome; `isAwaited` while a late answer may still come. */
  readonly onUnknown?: (order: OrderCore, isAwaited: boolean) => void;
  /** The way back to those who wanted orders. It is the only circle in the engine: named last. */
  feedback: OrderListener;
  /** Runs `work` after `delayMs` of engine time; the answer takes it back. */
  readonly after: (delayMs: Millis, work: () => void) => () => void;
}
