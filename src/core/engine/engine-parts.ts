import type { ParentOrders } from '#core/execution/parent-orders.ts';
import type { MarketData } from '#core/market/market.ts';
import type { Books } from '#core/portfolio/books.ts';
import type { Budgets } from '#core/portfolio/funds.ts';
import type { RiskMonitor } from '#core/risk/risk-monitor.ts';
import type { ClockState } from '#core/risk/service-state.ts';
import type { TradingState } from '#core/risk/trading-state.ts';
import type { StrategyHost } from '#core/strategy/host.ts';
import type { EngineStrategy } from './engine-options.ts';
import type { ExitWatch } from './exit-watch.ts';
import type { ManualOrders } from './manual-orders.ts';
import type { OrderPreview } from './order-preview.ts';
import type { Silences } from './silences.ts';
import type { StrategyStates } from './strategy-states.ts';

/** The parts of an engine that may be inspected. Nothing here changes a decision. */
export interface EngineParts {
  readonly market: Pick<MarketData, 'lane' | 'lanes' | 'untradable' | 'latest' | 'largestZeroSpread'>;
  readonly books: Pick<Books, 'book' | 'interval' | 'positions' | 'openOrders' | 'unknowns' | 'hasOpen' | 'changes'>;
  readonly host: Pick<StrategyHost, 'isDisabled' | 'observed' | 'runners' | 'lastSignals'>;
  readonly state: Pick<TradingState, 'isHalted' | 'isDisarmed' | 'reducing' | 'isPaused' | 'standing'>;
  readonly clockState: Pick<ClockState, 'state' | 'ageMs' | 'timeLeftMs'>;
  readonly monitor: Pick<RiskMonitor, 'wait' | 'measures' | 'priced'>;
  readonly manual: Pick<ManualOrders, 'recent' | 'waitingExits'>;
  readonly exitWatch: Pick<ExitWatch, 'levels'>;
  readonly preview: Pick<OrderPreview, 'of'>;
  readonly parentOrders: Pick<ParentOrders, 'atWork' | 'closings' | 'wanted'>;
  readonly budgets: Pick<Budgets, 'opening' | 'left'>;
  readonly states: Pick<StrategyStates, 'of'>;
  readonly silences: Pick<Silences, 'since'>;
  readonly strategies: readonly EngineStrategy[];
}
