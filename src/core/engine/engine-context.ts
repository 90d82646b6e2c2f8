import { DecisionLog, RepeatedRefusals } from '#core/decisions/decision-log.ts';
import type { ExecutionContext } from '#core/execution/execution-context.ts';
import { LanePool } from '#core/execution/lane-pool.ts';
import { lendingFrom } from '#core/execution/lent-lanes.ts';
import { NOBODY } from '#core/execution/order-listener.ts';
import type { QuarantineChange } from '#core/market/lane-state.ts';
import { MarketData } from '#core/market/market.ts';
import { Books } from '#core/portfolio/books.ts';
import { Budgets } from '#core/portfolio/funds.ts';
import type { Capital } from '#core/portfolio/ledger.ts';
import { ExitBounds } from '#core/risk/exit-bounds.ts';
import { RiskMonitor } from '#core/risk/risk-monitor.ts';
import { ClockState } from '#core/risk/service-state.ts';
import { TradingState } from '#core/risk/trading-state.ts';
import { TradingHours } from '#core/schedule/windows.ts';
import { tradedOn } from '#core/strategy/instance.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { Lane } from '#domain/lane.ts';
import type { LaneId, OrderId, ProductCode, StrategyId } from '#domain/names.ts';
import type { Product } from '#domain/product.ts';
import type { Quote } from '#domain/quote.ts';
import type { EngineOptions, EngineStrategy } from './engine-options.ts';
import { EngineScheduler } from './scheduler.ts';

/**
 * What every part of the engine works with: the options, the state that events change, the log of decisions, and the world
 * outside (broker, journal, notices, what is asked of the service). A part names what it needs of it.
 */
export interface EngineContext extends EngineOptions, ExecutionContext {
  readonly onUnknown?: NonNullable<EngineOptions['onUnknown']>;
  readonly scheduler: EngineScheduler;
  readonly capitals: readonly Capital[];
  /** Filled by the service's lists. */
  readonly products: Map<ProductCode, Product>;
  /** Orders that halt drills tried. */
  readonly drilled: Set<OrderId>;
  /** Kept by the host. */
  readonly disabled: Map<StrategyId, string>;
}

/** Builds the context that all parts of one engine share. */
export function engineContext(options: EngineOptions): EngineContext {
  const {
    strategies,
    lanes,
    limits,
    freshnessOf,
    defaultBudget,
    accountCurrency,
    opening,
    isOpeningWhole = false,
    notice,
    reserve,
  } = options;
  const log = new DecisionLog(options.journal);
  const books = new Books();
  const market = watchedMarket(options, log, (lane) => monitor.believed(lane));
  const scheduler = new EngineScheduler({ onNextDueChanged: options.onNextDue });
  const state = new TradingState({ log, latch: options.latch, arming: options.arming, tell: (text) => notice('error', text) });
  const capitals = strategies.map(({ id, product, enabled, budget }) => ({ strategy: id, product, enabled, budget }));
  const watched = new Set(lanes.map(({ product }) => product));
  const account = opening && { balances: opening, isWhole: isOpeningWhole };
  const measured = { limits, freshnessOf, log, state, books, watched, capitals, defaultBudget, accountCurrency, account };
  const laneById = new Map(lanes.map((lane) => [lane.id, lane]));
  const { alongside } = options;
  /** A quote that its lane will refuse counts for nothing, and one of a lent lane is no measure of the market. */
  const counts = (quote: Quote): boolean => laneById.has(quote.lane) && market.stateOf(quote.lane)?.wouldTake(quote, log.now) === true;
  const monitor = new RiskMonitor({ ...measured, ...(alongside && { alongside: () => alongside().filter(counts) }) });
  return {
    ...options,
    log,
    books,
    market,
    scheduler,
    state,
    capitals,
    refusals: new RepeatedRefusals(log, (refused, now) => monitor.counts.passesAt(refused, limits, now)),
    clockState: new ClockState({ log, notice }),
    monitor,
    exits: new ExitBounds(books),
    budgets: new Budgets({ strategies, defaultBudget, books }),
    trades: new Map(strategies.map((one) => [one.id, lanesOf(one)])),
    heard: new Map(strategies.flatMap((one) => (one.inputs ? [[one.id, lanesOf(one)] as const] : []))),
    hours: new Map(strategies.flatMap(({ id, windows }) => (windows ? [[id, new TradingHours(windows)] as const] : []))),
    laneById,
    lanePool: new LanePool(lendingFrom(reserve, market)),
    products: new Map(),
    drilled: new Set(),
    disabled: new Map(),
    feedback: NOBODY,
    after(delayMs, work) {
      const timer = scheduler.schedule(() => work(), delayMs);
      return () => timer.unsubscribe();
    },
  };
}

const lanesOf = (one: EngineStrategy): readonly LaneId[] => tradedOn(one).map(({ lane }) => lane);

/**
 * The market of an engine, following its lanes. That a lane was set aside because of its prices, or is back, is journaled
 * and told to people (F33); a price is bad from where no order could use it: `risk.reducing.collarPct` off the one before.
 */
function watchedMarket(
  { freshnessOf, limits, lanes, notice }: EngineOptions,
  log: DecisionLog,
  onBelieved: (lane: LaneId) => void,
): MarketData {
  const onQuarantine = ({ id, product }: Lane, { on, why }: QuarantineChange): void => {
    if (!on) onBelieved(id);
    log.defer(log.make('quarantine', { lane: id, on, why }, { product, reason: on ? 'LANE_QUARANTINED' : null }));
    const then = on ? `nothing opens in ${product}, and no order uses the lane, until ten good prices in a row` : 'orders go on';
    notice(on ? 'error' : 'info', `lane ${id}: ${why}; ${then}`);
  };
  const onLargest = ({ product, baseCcy, lane }: Quote, size: number): void =>
    log.defer(log.make('learned', { size: decimalOf(size).toString(), currency: baseCcy, lane }, { product }));
  const market = new MarketData({ freshnessOf, jumpPct: limits.reducingCollarPct, onQuarantine, onLargest });
  for (const lane of lanes) market.open(lane);
  return market;
}
