import { type LaneFault, type LaneStatus, mostOf } from '#core/market/lane-status.ts';
import { OPENING_VALUE_LIMITS } from '#core/risk/limits.ts';
import { countedIn } from '#core/risk/value-checks.ts';
import type { StrategyHost } from '#core/strategy/host.ts';
import { invariant } from '#domain/errors.ts';
import { namedEnds } from '#domain/latch-ends.ts';
import { isLimitReason } from '#domain/limits.ts';
import { isoTime, type LaneId, type Millis, type ProductCode, type StrategyId } from '#domain/names.ts';
import { REASONS, type Reason } from '#domain/reasons.ts';
import { figuresIn, isBlocked, type StrategyState, type StrategyStateName } from '#domain/strategy-state.ts';
import type { EngineContext } from './engine-context.ts';
import type { EngineStrategy } from './engine-options.ts';
import { lackingFunds } from './lacking-funds.ts';
import { slowAnswers } from './slow-answers.ts';
import { CONNECTION, PHASES, QUARANTINE_MEND, TIME_MENDS } from './state-words.ts';

type Found = StrategyState | undefined;

const RUNNING: StrategyState = { state: 'RUNNING', reason: null, why: '', mend: '', since: null, until: null };

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

  /**
   * The most that one order of its lane's amount may cost for a strategy not to be kept from trading, while nothing but quotes of its
   * lane comes, each accepted and soon after the one before; undefined where it may be.
   */
  maxCost(id: StrategyId, now: Millis): number | undefined {
    const { limits, market, books, clockState, monitor, budgets, refusals } = this.context;
    const one = this.byId.get(id);
    const latched = one && this.latched(one);
    if (latched && !isBlocked(latched)) return Number.POSITIVE_INFINITY;
    if (one && market.untradable(one.lane, now) !== null) return undefined;
    // A look brings its book about, whose place among the others counts.
    if (!one || !books.has(id, one.product) || isBlocked(this.of(id, now))) return undefined;
    if (refusals.of(id, now)) return undefined;
    const currency = market.latest(one.lane)?.quoteCcy;
    if (clockState.fault !== null || monitor.waitEndsAt(now) !== null || currency === undefined) return undefined;
    if (OPENING_VALUE_LIMITS.some((name) => limits[name]?.has(currency) === false)) return undefined;
    if (!books.book(id, one.product).size.isZero()) return Number.POSITIVE_INFINITY;
    const free = monitor.funds.free(currency)?.toNumber() ?? Number.POSITIVE_INFINITY;
    return Math.min(budgets.left(id, one.product, currency).toNumber(), free);
  }

  /** The first instant at which a state may change by itself, if nothing but looks at the service's clock comes meanwhile. */
  steadyUntil(now: Millis): Millis {
    const { market, freshnessOf, monitor, refusals, hours, strategies } = this.context;
    const ends = [monitor.marks.ratesStandUntil(now), monitor.waitEndsAt(now) ?? Number.POSITIVE_INFINITY];
    for (const { lane, receivedAt } of market.lanes())
      if (receivedAt !== undefined) ends.push(receivedAt + freshnessOf(lane.product).staleMs);
    for (const { id } of strategies) {
      ends.push(refusals.standsUntil(id, now));
      // What hides a refusal shows it at its end.
      if (refusals.of(id, now) === undefined) continue;
      const warmUpMs = this.host.runners.get(id)?.warmUp.left(now)?.ms ?? 0;
      ends.push(now + monitor.losses.leftMs(id, now), now + warmUpMs, hours.get(id)?.changesAt(now) ?? Number.POSITIVE_INFINITY);
    }
    return Math.min(...ends.filter((at) => at > now));
  }

  /** True where a person or a limit has brought about its state, so that neither quotes nor their pauses change it. */
  isLatched(id: StrategyId): boolean {
    const one = this.byId.get(id);
    return one !== undefined && this.latched(one) !== undefined;
  }

  private latched({ id }: EngineStrategy): Found {
    const { state } = this.context;
    const disabled = this.context.disabled.get(id);
    if (disabled !== undefined) return found('DISABLED', 'DISABLED', { why: disabled, mend: this.mend(id, `kairos enable ${id}`) });
    const { halted, disarmed, reducing } = state.stops;
    if (halted) return found('HALTED', halted.reason ?? 'HALTED', { ...halted, mend: this.mend(id, 'kairos resume') });
    const armed = 'kairos arm shows the limits and lets orders go out';
    if (disarmed) return found('DISARMED', 'DISARMED', { ...disarmed, mend: this.mend(id, armed) });
    const [pause] = state.pausesOf(id);
    if (pause) {
      const mend = this.mend(id, pause.strategy === null ? 'kairos resume' : `kairos resume ${id}`);
      return found('PAUSED', 'PAUSED', { why: `paused by ${pause.who}: ${pause.why}`, since: pause.since, mend });
    }
    if (!reducing) return undefined;
    const itself = reducing.until === null ? '' : `it ends by itself at ${isoTime(reducing.until)}, or by `;
    const mend = `${itself}kairos resume, from when on losses count anew`;
    return found('REDUCING', reducing.reason ?? 'REDUCING', { ...reducing, mend });
  }

  /** What ends all that is latched of a strategy; `alone` where that is one latch. */
  private mend(id: StrategyId, alone: string): string {
    const { disabled, state } = this.context;
    const { halted, disarmed, reducing } = state.stops;
    const standing = [
      ...(disabled.has(id) ? [{ kind: 'disabled', strategy: id } as const] : []),
      ...(halted ? [{ kind: 'halted', strategy: null } as const] : []),
      ...(disarmed ? [{ kind: 'disarmed', strategy: null } as const] : []),
      ...state.pausesOf(id).map(({ strategy }) => ({ kind: 'paused', strategy }) as const),
      ...(reducing ? [{ kind: 'reducing', strategy: null, until: reducing.until ?? undefined } as const] : []),
    ];
    return standing.length === 1 ? alone : namedEnds(standing);
  }

  private timeless(): Found {
    const { fault } = this.context.clockState;
    return fault === null ? undefined : found('NO_TIME', fault.reason, { why: REASONS[fault.reason], mend: TIME_MENDS[fault.reason] });
  }

  private withoutQuotes(one: EngineStrategy, now: Millis): Found {
    const own = this.unquoted(one.lane, one.product, now);
    if (own !== undefined || one.inputs === undefined) return own;
    for (const { kind, source, product } of Object.values(one.inputs)) {
      const found = kind === 'lane' ? this.unquoted(source, product, now) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private unquoted(source: LaneId, product: ProductCode, now: Millis): Found {
    const { market, products } = this.context;
    if (!products.has(product)) {
      return found('NO_QUOTES', null, { why: `the service does not list ${product}`, mend: 'kairos products shows what it lists' });
    }
    const reason = market.untradable(source, now);
    if (reason !== null) return this.ofLane(source, reason);
    if (!market.isQuarantined(product)) return undefined;
    return found('NO_QUOTES', 'PRODUCT_QUARANTINED', { why: `${product}: ${REASONS.PRODUCT_QUARANTINED}`, mend: QUARANTINE_MEND });
  }

  private ofLane(id: LaneId, reason: LaneFault): StrategyState {
    const lane = this.context.market.lane(id);
    if (!lane) return found('NO_QUOTES', reason, { why: `lane ${id} was never opened`, mend: CONNECTION });
    const { phase, why, since = null } = lane;
    const because = why === '' ? '' : `: ${why}`;
    switch (reason) {
      case 'LANE_DISABLED':
        return found('NO_QUOTES', reason, {
          why: `the service refuses lane ${id}${because}`,
          since,
          mend: 'change product or amount, then start again',
        });
      case 'LANE_DOWN':
        return found('NO_QUOTES', reason, {
          why: `lane ${id} is ${PHASES[phase]}${because}`,
          since,
          mend: phase === 'refused' ? 'check product and amount; the service is asked again' : CONNECTION,
        });
      case 'QUOTE_WITHOUT_ID':
        return found('NO_QUOTES', reason, { why: `quotes of lane ${id} are anonymous`, mend: 'set service.userId (KAIROS_USER_ID)' });
      case 'LANE_QUARANTINED':
        return found('NO_QUOTES', reason, { why: `lane ${id}: ${REASONS[reason]}`, mend: QUARANTINE_MEND });
      case 'LANE_STALE':
        return this.ofStale(lane, reason);
    }
  }

  private ofStale({ lane, receivedAt, since, counters }: LaneStatus, reason: LaneFault): StrategyState {
    const [worst, count] = mostOf(counters.refused);
    const { id, product } = lane;
    const mend = `see what comes: kairos quotes ${product} --basic; kairos doctor looks at the connection`;
    const begin = receivedAt === undefined ? (since ?? null) : receivedAt + this.context.freshnessOf(product).staleMs;
    if (worst !== undefined && (receivedAt === undefined || count > counters.accepted)) {
      return found('NO_QUOTES', worst, {
        why: `quotes of lane ${id} are not used: ${count} refused so far, ${REASONS[worst]}`,
        since: begin,
        mend,
      });
    }
    const why =
      receivedAt === undefined
        ? `lane ${id} is open and no quote came`
        : `quotes of lane ${id} stopped: the last came at ${isoTime(receivedAt)}`;
    return found('NO_QUOTES', reason, { why, since: begin, mend });
  }

  private frozen({ product }: EngineStrategy): Found {
    const order = this.context.books.unknownIn(product);
    if (order === undefined) return undefined;
    const mend = `look into the account, then kairos journal resolve ${order} --as accepted, or --as rejected`;
    return found('FROZEN', 'PRODUCT_FROZEN', { why: `order ${order} in ${product} has an unknown outcome`, mend });
  }

  private waiting(now: Millis): Found {
    const until = this.context.monitor.waitEndsAt(now);
    return until === null
      ? undefined
      : found('WAITING', 'SERVICE_WAIT', { why: 'the service answered 429', mend: 'it ends by itself', until });
  }

  /** No limit of value can be held against what is quoted in the product's currency. */
  private unrated({ lane }: EngineStrategy, now: Millis): Found {
    const { limits, market, monitor } = this.context;
    const currency = market.latest(lane)?.quoteCcy;
    if (currency === undefined) return undefined;
    for (const name of OPENING_VALUE_LIMITS) {
      const cap = limits[name];
      if (cap === null || countedIn(cap, { amount: 1, currency }, monitor.marks.ratesAt(now)) !== undefined) continue;
      const why = `risk.${name} is in ${[...cap.keys()].join(', ')}, and there is no live rate from ${currency}`;
      return found('NO_RATE', 'NO_RATE', { why, mend: `give the limit in ${currency} as well, as {${currency}: N}` });
    }
    return undefined;
  }

  private unfunded(one: EngineStrategy, now: Millis): Found {
    const lacking = lackingFunds(this.context, one, now);
    return lacking && found('NO_FUNDS', lacking.reason, lacking);
  }

  private outsideWindow({ id }: EngineStrategy, now: Millis): Found {
    const hours = this.context.hours.get(id);
    const why = hours?.closedAt(now) ?? null;
    if (!hours || why === null) return undefined;
    return found('OUTSIDE_WINDOW', 'OUTSIDE_WINDOW', { why, mend: 'it ends by itself', until: hours.opensAt(now) });
  }

  private coolingDown({ id }: EngineStrategy, now: Millis): Found {
    const left = this.context.monitor.losses.leftMs(id, now);
    if (left <= 0) return undefined;
    const why = `${this.context.limits.maxLossStreak} closes in a row lost`;
    return found('COOLING_DOWN', 'LOSS_COOLDOWN', { why, mend: 'it ends by itself, or by kairos resume', until: now + left });
  }

  private warmingUp({ id }: EngineStrategy, now: Millis): Found {
    const left = this.host.runners.get(id)?.warmUp.left(now);
    if (!left) return undefined;
    const until = left.quotes === 0 ? now + left.ms : null;
    return found('WARMING_UP', 'WARMING_UP', { why: left.why, mend: 'it ends by itself', until });
  }

  /** It goes on asking for what is refused for the same reason. */
  private refused({ id }: EngineStrategy, now: Millis): Found {
    const refused = this.context.refusals.of(id, now);
    if (!refused) return undefined;
    const { reason, since, until } = refused;
    if (OWN.has(reason) || OF_STATES.has(reason)) return undefined;
    const slow = reason === 'TIME_LEFT' ? slowAnswers(this.context, now) : undefined;
    if (slow) return found('REFUSED', reason, { ...slow, since });
    const figures = `${until === null ? '' : `it ends at ${isoTime(until)}; `}${figuresIn(id)}`;
    const mend = isLimitReason(reason) ? `${figures}; change the limit that the code names` : figures;
    return found('REFUSED', reason, { why: REASONS[reason], since, until, mend });
  }

  private withoutSignal({ id }: EngineStrategy): Found {
    const nan = this.host.runners.get(id)?.nan;
    return nan && found('NO_SIGNAL', 'SIGNAL_NAN', { ...nan, mend: 'mend the calculation of its signals' });
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
  state: StrategyStateName,
  reason: Reason | null,
  { why = '', mend, since = null, until = null }: { why?: string; mend: string; since?: Millis | null; until?: Millis | null },
): StrategyState {
  return { state, reason, why, mend, since, until };
}
