import type { Market } from '../../market/market.ts';
import type { StrategyHost } from '../../strategy/host.ts';
import type { Books } from '../../trading/books.ts';
import type { Guard } from '../../trading/guard.ts';
import type { Timing } from '../../trading/timing.ts';
import type { TradingState } from '../../trading/trading-state.ts';
import type { EngineStrategy } from './engine-options.ts';
import type { HandOrders } from './hand-orders.ts';
import type { OrderFlow } from './order-flow.ts';
import type { RemoteActs } from './remote-acts.ts';
import type { Silences } from './silences.ts';
import type { StrategyStates } from './strategy-states.ts';

/** What may be looked at of an engine: nothing here that changes a decision. */
export interface EngineParts {
  readonly market: Pick<Market, 'lanes' | 'untradable' | 'latest' | 'largestZeroSpread'>;
  readonly books: Pick<Books, 'book' | 'interval' | 'positions' | 'openOrders' | 'unknowns'>;
  readonly host: Pick<StrategyHost, 'isDisabled' | 'observed'>;
  readonly state: Pick<TradingState, 'isHalted' | 'isDisarmed' | 'reducing' | 'isPaused'>;
  readonly timing: Pick<Timing, 'state' | 'ageMs' | 'timeLeftMs'>;
  readonly guard: Pick<Guard, 'waitEndsAt' | 'measures'>;
  readonly hands: Pick<HandOrders, 'recent' | 'waitingExits'>;
  readonly remote: Pick<RemoteActs, 'recent'>;
  readonly flow: Pick<OrderFlow, 'budgetOf' | 'atWork'>;
  readonly states: Pick<StrategyStates, 'of'>;
  readonly silences: Pick<Silences, 'since'>;
  readonly strategies: readonly EngineStrategy[];
}
