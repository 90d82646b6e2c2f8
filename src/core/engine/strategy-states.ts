import { type LaneFault, type LaneStatus, mostOf } from '#core/market/lane-status.ts';
import { countedIn } from '#core/portfolio/valuation.ts';
import { OPENING_VALUE_LIMITS } from '#core/risk/limits.ts';
import type { StrategyHost } from '#core/strategy/host.ts';
import { invariant } from '#domain/errors.ts';
import type { LaneId, Millis, ProductCode, StrategyId } from '#domain/names.ts';
import type { Reason } from '#domain/reasons.ts';
import { latchedState, type StrategyState, type TradingBlock } from '#domain/strategy-state.ts';
import type { EngineContext } from './engine-context.ts';
import type { EngineStrategy } from './engine-options.ts';
import { lackingFunds } from './lacking-funds.ts';

type PossibleState = StrategyState | undefined;

const RUNNING: StrategyState = { state: 'RUNNING', figures: {}, reason: null, since: null, until: null };

/** Says what each strategy can do at an instant: the one place that makes its state. Changes nothing. */
export class StrategyStates {
  private readonly context: EngineContext;
  private readonly host: Pick<StrategyHost, 'runners'>;
  private readonly byId: ReadonlyMap<StrategyId, EngineStrategy>;

  constructor(context: EngineContext, host: Pick<StrategyHost, 'runners'>) {
    this.context = context;
    this.host = host;
    this.byId = new Map(context.strategies.map((one) => [one.id, one]));
  }

  /** The first state that holds. */
  of(id: StrategyId, now: Millis): StrategyState {
    const one = this.byId.get(id);
    if (!one) invariant(false, `strategy ${id} is not configured`);
    return (
      this.latched(one) ??
      this.timeless() ??
      this.withoutQuotes(one, now) ??
      this.frozen(one) ??
      this.waiting(now) ??
      this.unrated(one, now) ??
      this.unfunded(one, now) ??
      this.outsideWindow(one, now) ??
      this.coolingDown(one, now) ??
      this.warmingUp(one, now) ??
      this.refused(one, now) ??
      this.withoutSignal(one) ??
      RUNNING
    );
  }

  private latched({ id }: EngineStrategy): PossibleState {
    const { state, disabled } = this.context;
    const why = disabled.get(id);
    const own = why === undefined ? [] : [{ kind: 'disabled', strategy: id, why, who: null, since: null } as const];
    return latchedState([...own, ...state.latchesOf(id)]);
  }

  private timeless(): PossibleState {
    const { fault } = this.context.clockState;
    return fault === null ? undefined : found({ state: 'NO_TIME', figures: {} }, fault);
  }

  private withoutQuotes(one: EngineStrategy, now: Millis): PossibleState {
    const own = this.unquoted(one.lane, one.product, now);
    if (own !== undefined || one.inputs === undefined) return own;
    for (const { kind, source, product } of Object.values(one.inputs)) {
      const found = kind === 'lane' ? this.unquoted(source, product, now) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private unquoted(source: LaneId, product: ProductCode, now: Millis): PossibleState {
    const { market, products } = this.context;
    const of = (reason: Reason | null): StrategyState => found({ state: 'NO_QUOTES', figures: { product } }, { reason });
    if (!products.has(product)) return of(null);
    const reason = market.untradable(source, now);
    if (reason !== null) return this.ofLane(source, product, reason);
    return market.isQuarantined(product) ? of('PRODUCT_QUARANTINED') : undefined;
  }

  private ofLane(id: LaneId, product: ProductCode, reason: LaneFault): StrategyState {
    const lane = this.context.market.lane(id);
    if (reason === 'LANE_STALE' && lane) return this.ofStale(lane, reason);
    const { phase = 'new', why = '', since } = lane ?? {};
    const isOfPhase = reason === 'LANE_DOWN' || reason === 'LANE_DISABLED';
    return found({ state: 'NO_QUOTES', figures: { product, lane: id, phase, why } }, { reason, since: isOfPhase ? (since ?? null) : null });
  }

  private ofStale({ lane: { id: lane, product }, receivedAt, since: opened, counters }: LaneStatus, reason: LaneFault): StrategyState {
    const [worst, count] = mostOf(counters.refused);
    const since = receivedAt === undefined ? (opened ?? null) : receivedAt + this.context.freshnessOf(product).staleMs;
    if (worst !== undefined && (receivedAt === undefined || count > counters.accepted))
      return found({ state: 'NO_QUOTES', figures: { product, lane, refused: count } }, { reason: worst, since });
    const figures = { product, lane, ...(receivedAt !== undefined && { quoteAt: receivedAt }) };
    return found({ state: 'NO_QUOTES', figures }, { reason, since });
  }

  private frozen({ product }: EngineStrategy): PossibleState {
    const order = this.context.books.unknownIn(product);
    return order && found({ state: 'FROZEN', figures: { order, product } }, { reason: 'PRODUCT_FROZEN' });
  }

  private waiting(now: Millis): PossibleState {
    const until = this.context.monitor.wait.endsAt(now);
    return until === null ? undefined : found({ state: 'WAITING', figures: {} }, { reason: 'SERVICE_WAIT', until });
  }

  /** No limit of value can be held against what is quoted in the product's currency. */
  private unrated({ lane }: EngineStrategy, now: Millis): PossibleState {
    const { limits, market, monitor } = this.context;
    const currency = market.latest(lane)?.quoteCcy;
    if (currency === undefined) return undefined;
    for (const name of OPENING_VALUE_LIMITS) {
      const cap = limits[name];
      if (cap === null || countedIn(cap, { amount: 1, currency }, monitor.marks.ratesAt(now)) !== undefined) continue;
      const figures = { setting: `risk.${name}`, has: [...cap.keys()], lacks: currency };
      return found({ state: 'NO_RATE', figures }, { reason: 'NO_RATE' });
    }
    return undefined;
  }

  private unfunded(one: EngineStrategy, now: Millis): PossibleState {
    const lacking = lackingFunds(this.context, one, now);
    return lacking && found({ state: 'NO_FUNDS', figures: lacking.figures }, lacking);
  }

  private outsideWindow({ id }: EngineStrategy, now: Millis): PossibleState {
    const hours = this.context.hours.get(id);
    const why = hours?.closedAt(now) ?? null;
    if (!hours || why === null) return undefined;
    return found({ state: 'OUTSIDE_WINDOW', figures: { why } }, { reason: 'OUTSIDE_WINDOW', until: hours.opensAt(now) });
  }

  private coolingDown({ id }: EngineStrategy, now: Millis): PossibleState {
    const { monitor, limits } = this.context;
    const left = monitor.losses.leftMs(id, now);
    if (left <= 0) return undefined;
    const figures = { losses: limits.maxLossStreak ?? 0 };
    return found({ state: 'COOLING_DOWN', figures }, { reason: 'LOSS_COOLDOWN', until: now + left });
  }

  private warmingUp({ id }: EngineStrategy, now: Millis): PossibleState {
    const warmUp = this.host.runners.byId.get(id)?.warmUp;
    const left = warmUp?.left(now);
    if (!warmUp || !left) return undefined;
    const { quotes, spanMs } = warmUp;
    const until = left.ms === null ? null : now + left.ms;
    return found({ state: 'WARMING_UP', figures: { seen: left.seen, quotes, spanMs } }, { reason: 'WARMING_UP', until });
  }

  /** It goes on asking for what is refused for the same reason. */
  private refused({ id }: EngineStrategy, now: Millis): PossibleState {
    const refused = this.context.refusals.of(id, now);
    if (!refused || OWN.has(refused.reason) || OF_STATES.has(refused.reason)) return undefined;
    const { reason, since, until, checks } = refused;
    const slow = reason === 'TIME_LEFT' ? this.slowAnswer(now) : undefined;
    const figures = { checks, ...(slow && { answer: slow.answer }) };
    return found({ state: 'REFUSED', figures }, { reason, since, until: slow?.until ?? until });
  }

  /** The answer for which openings need more time, and until when it counts: in these ten minutes quotes may all be too short for another like it. */
  private slowAnswer(now: Millis) {
    const { monitor, limits } = this.context;
    const until = monitor.trips.standsUntil(now);
    return until === undefined ? undefined : { until, answer: { ms: monitor.trips.p99(now), leastMs: limits.minTimeLeftMs ?? 0 } };
  }

  private withoutSignal({ id }: EngineStrategy): PossibleState {
    const nan = this.host.runners.byId.get(id)?.nan;
    return nan && found({ state: 'NO_SIGNAL', figures: { why: nan.why } }, { reason: 'SIGNAL_NAN', since: nan.since });
  }
}

/** Refusals that are the strategy's own doing. */
const OWN: ReadonlySet<Reason> = new Set<Reason>(['DUPLICATE', 'LIMIT_PRICE', 'NO_POSITION', 'DUST', 'IN_FLIGHT', 'SHORT_NOT_ALLOWED']);

/** Refusals by a state that was looked at before: one of these is over. */
const OF_STATES: ReadonlySet<Reason> = new Set<Reason>([
  ...(['HALTED', 'DISARMED', 'REDUCING', 'DISABLED', 'PAUSED', 'OUTSIDE_WINDOW', 'PRODUCT_FROZEN', 'POSITION_UNSURE'] as const),
  ...(['SERVICE_WAIT', 'CLOCK_STEP', 'CLOCK_UNSURE', 'CLOCK_OLD', 'LAG', 'LOSS_COOLDOWN', 'WARMING_UP'] as const),
]);

function found(
  blocked: TradingBlock,
  {
    reason,
    since = null,
    until = null,
  }: { readonly reason: Reason | null; readonly since?: Millis | null; readonly until?: Millis | null },
): StrategyState {
  return { ...blocked, reason, since, until };
}
