import type { LaneState } from '#core/market/lane-state.ts';
import { isDust } from '#core/portfolio/valuation.ts';
import type { CheckResult } from '#domain/check-result.ts';
import { reasonWords } from '#domain/check-words.ts';
import type { Decimal } from '#domain/decimal.ts';
import type { Decision } from '#domain/decision.ts';
import { type Amount, amountText } from '#domain/lane.ts';
import type { LaneId, ProductCode } from '#domain/names.ts';
import type { Outcome } from '#domain/outcome.ts';
import type { Reason } from '#domain/reasons.ts';
import { legName, legText } from '#domain/work-text.ts';
import type { ChildOrderResult } from './child-order-result.ts';
import type { ExecutionContext } from './execution-context.ts';
import type { LanePool } from './lane-pool.ts';
import { type ExitOrder, type Leg, opensAgain, type Plan, refuse, type StrategyOrder, undoes, type Work, workedDetail } from './plan.ts';
import { PlanBegin } from './plan-begin.ts';
import { describe, sideWanted } from './sizing.ts';

/** What a plan's book holds of a leg's product. */
export const heldBy = ({ plan }: Work, { product }: Leg, { books }: ExecutionContext): Decimal => books.book(plan.strategy, product).size;

/** True while an order that closes the position, on that side, is on its way. */
export const isClosingInFlight = ({ plan }: Work, { product, intent }: Leg, { books }: ExecutionContext): boolean =>
  books.openOf(plan.strategy, product).some(({ side, state }) => side === intent.side && state !== 'unknown');

/** True for a plan that closes all that is held: it goes on with what is certain while an outcome is unknown. */
export const closesAll = ({ kind }: Work, { intent }: Leg): boolean => kind === 'exit' && intent.size.kind === 'position';

/** True for one of which nobody knows yet what its order came to. */
export const isUnknown = ({ order, unknownAt }: Work): boolean => order !== undefined && unknownAt !== undefined;

/** So long late answers are read: what is settled later was decided too long ago to be gone on with. */
const LATE_MS = 30_000;

/** True for a plan whose order was unknown for longer than a late answer takes. */
export const isPast = ({ unknownAt }: Work, { log }: ExecutionContext): boolean => unknownAt !== undefined && log.now - unknownAt > LATE_MS;

/** True for a plan that goes on once an unknown order of this leg is settled: one with other legs, or one that undoes. A single leg ends. */
export const awaitsUnknown = (work: Work, leg: Leg): boolean =>
  work.kind === 'exit' ? !closesAll(work, leg) : work.kind === 'strategy' && work.legs.length > 1;

/** True where nothing of a position is left that an order could close, whatever became of others. */
export function isGone({ plan: { strategy } }: Work, { product, lane }: Leg, { books, products, market }: ExecutionContext): boolean {
  if (books.openOf(strategy, product).length > 0) return false;
  const book = books.book(strategy, product);
  const known = products.get(product);
  return known === undefined ? book.size.isZero() : isDust(book, known, market.latest(lane));
}

/** True for a leg that may open something, on a lane on which the settings have no such strategy. */
export const isStranded = ({ kind, plan: { strategy } }: Work, leg: Leg, { trades, laneById }: ExecutionContext): boolean =>
  (kind === 'strategy' || (kind === 'exit' && opensAgain(leg))) &&
  !(trades.get(strategy)?.includes(leg.lane) === true && laneById.has(leg.lane));

/** Refusals after which there is nothing left to try. */
const NOTHING_LEFT: ReadonlySet<Reason> = new Set(['NO_POSITION', 'DUST']);

/** The same of a part of a position, which may be too little by itself. */
const TOO_LITTLE: ReadonlySet<Reason> = new Set([...NOTHING_LEFT, 'SIZE_LIMITS']);

/** Refusals that the next quote may lift: a person's order waits for it. */
const PASSING: ReadonlySet<Reason> = new Set(['TIME_LEFT', 'LANE_STALE', 'INPUT_STALE', 'LANE_DOWN', 'QUOTE_TAKEN', 'QUOTE_REPEATED']);

/**
 * Refusals that end a later leg without `within`, and one that opens again what a failed plan closed: those by a person, by a limit of
 * value or by the product, which no short wait lifts, and that by its own limit, since only `within` waits for a price.
 */
const LASTING: ReadonlySet<Reason> = new Set([
  ...NOTHING_LEFT,
  ...(['HALTED', 'DISARMED', 'REDUCING', 'DISABLED', 'PAUSED', 'OUTSIDE_WINDOW', 'PRODUCT_FROZEN'] as const),
  ...(['SIZE_LIMITS', 'SHORT_NOT_ALLOWED', 'BUDGET', 'LOSS_COOLDOWN', 'UNKNOWN_BUDGET', 'LIMIT_PRICE'] as const),
  ...(['MAX_EXIT_VALUE', 'MAX_ORDER_VALUE', 'MAX_DAY_VALUE', 'MAX_POSITION_VALUE', 'MAX_STRATEGY_VALUE', 'MAX_TOTAL_VALUE'] as const),
]);

/** True for a leg that a failed order ends: one that has no time to wait for another quote. */
export const isTriedOnce = (work: Work): boolean =>
  work.kind === 'manual' ? !work.plan.manual.lasting : work.kind === 'strategy' && work.withinMs === null;

/** True for a leg that such a refusal ends. */
export function isOver(work: Work, leg: Leg, reason: Reason): boolean {
  const isOnce = isTriedOnce(work);
  if (work.kind === 'manual') return isOnce && !PASSING.has(reason);
  if (work.kind === 'exit') return (opensAgain(leg) ? LASTING : undoes(leg) ? TOO_LITTLE : NOTHING_LEFT).has(reason);
  return isOnce || (leg.intent.within === null ? LASTING : NOTHING_LEFT).has(reason);
}

/** What a strategy hears of an intent whose time was over. */
export function lapsedOutcome({ intent: { side }, lane }: Leg, { market, log }: ExecutionContext): Outcome {
  const quote = market.latest(lane);
  const price = quote && (side === 'buy' ? quote.buy.price : quote.sell.price);
  return { at: log.now, state: 'lapsed', reason: 'LAPSED', side: side ?? 'sell', orderId: undefined, price, size: undefined };
}

/** An exit without a lane asks for one again so often. */
export const AGAIN_MS = 1000;

/** The lanes that plans at work are lent for amounts that no standing lane has, in turns: no longer than `waitMs` without an order while another waits. */
export class WorkLanes {
  private readonly context: ExecutionContext;
  private readonly works: readonly Work[];
  private readonly ask: (work: Work) => void;
  /** What closes or undoes and found every lane lent, in the order of asking. */
  private readonly waiting = new Set<Work>();

  /** `works` are those that go on, at each moment; `ask` has one of them ask for its lane again. */
  constructor(context: ExecutionContext, works: readonly Work[], ask: (work: Work) => void) {
    this.context = context;
    this.works = works;
    this.ask = ask;
  }

  /**
   * A lane of that amount. What closes or undoes takes that of a strategy's plan with `within` and no order on its way, which asks again
   * on its next quote; while all are lent, it waits for its turn.
   */
  lend(work: Work, product: ProductCode, amount: Amount): LaneId | undefined {
    const { lanePool, log } = this.context;
    const closes = work.kind === 'exit' || (work.kind === 'manual' && work.plan.manual.lasting);
    if (closes && lanePool.inUse >= lanePool.size) {
      const waiting = this.works.find((one) => one.kind === 'strategy' && one.withinMs !== null && one.lent !== undefined && !one.order);
      if (waiting) this.release(waiting);
    }
    const lane = (this.next() ?? work) === work ? lanePool.acquire(product, amount, String(log.inboxSeq)) : undefined;
    if (lane) this.waiting.delete(work);
    if (lane || !closes) return lane?.id;
    this.waiting.add(work);
    // It asks on the same quote when its turn comes.
    work.tried = undefined;
    return undefined;
  }

  /** True of a plan with a lane that is lent, while another waits for one. */
  isWanted({ lent }: Work): boolean {
    return lent !== undefined && this.next() !== undefined;
  }

  /**
   * An attempt that needs a lane of another amount is lent one, and waits for its first quote; when there is none, or the
   * quote does not come in time (`late`), that is the refusal.
   */
  acquire(
    work: Work,
    { leg, attempt }: { readonly leg: Leg; readonly attempt: ChildOrderResult },
    late: (refused: ChildOrderResult) => void,
  ): ChildOrderResult | 'waiting' {
    // Refused on the lent lane's quote: the lane is kept for the next one while its time lasts.
    if (attempt.kind !== 'needs_lane') return attempt;
    this.release(work);
    const { lanePool, after } = this.context;
    const wanted = amountText(attempt.amount);
    work.lent = this.lend(work, leg.product, attempt.amount);
    if (work.lent === undefined) return attempt.refuse('LANE_POOL_EMPTY', noLane(lanePool));
    work.cancelWait = after(lanePool.waitMs, () => {
      this.release(work);
      late(attempt.refuse('LANE_WAIT', silent(wanted, lanePool)));
    });
    return 'waiting';
  }

  /** An exit whose own lane brings nothing is lent another of that amount; `again` is called where that comes to nothing either. */
  instead(work: Work, { leg, amount }: { readonly leg: Leg; readonly amount: Amount }, again: () => void): void {
    const { lanePool, after, state } = this.context;
    work.cancelWait?.();
    const latched = state.isHalted ? 'HALTED' : state.isDisarmed ? 'DISARMED' : undefined;
    work.lent = latched === undefined ? this.lend(work, leg.product, amount) : undefined;
    if (latched !== undefined) refuse(work, { reason: latched, checks: [] });
    else if (work.lent === undefined) refuse(work, { reason: 'LANE_POOL_EMPTY', checks: [noLane(lanePool)] });
    work.cancelWait = after(work.lent === undefined ? AGAIN_MS : lanePool.waitMs, () => {
      if (work.lent !== undefined) refuse(work, { reason: 'LANE_WAIT', checks: [silent(amountText(amount), lanePool)] });
      this.release(work);
      again();
    });
  }

  /**
   * True where an intent without `within` waits for the first quote of its lane, and a plan asks for the same side at the
   * same limit: begun anew on each quote, no lane would ever come to its first one.
   */
  isAwaited({ strategy, legs: [wanted, later] }: Plan): boolean {
    if (wanted?.intent.within !== null || later) return false;
    return this.works.some((work) => {
      const [waiting, next] = work.legs;
      if (work.kind !== 'strategy' || work.plan.strategy !== strategy || work.lent === undefined) return false;
      if (work.withinMs !== null || wanted.lane !== waiting?.lane || next) return false;
      const held = heldBy(work, waiting, this.context);
      const side = sideWanted(wanted.intent, held);
      return side !== undefined && side === sideWanted(waiting.intent, held) && wanted.intent.limit === waiting.intent.limit;
    });
  }

  release(work: Work): void {
    work.cancelWait?.();
    if (work.lent === undefined) return;
    this.context.lanePool.release(work.lent);
    work.lent = undefined;
    if (this.next()) this.context.after(0, () => this.turns());
  }

  /** What waits longest for a lane. */
  private next(): Work | undefined {
    for (const one of this.waiting) {
      if (this.works.includes(one) && one.order === undefined) return one;
      this.waiting.delete(one);
    }
    return undefined;
  }

  /** Lanes that were given back go to what waits; what has no use for one by then is passed over. */
  private turns(): void {
    const { lanePool } = this.context;
    for (let one = this.next(); one && lanePool.inUse < lanePool.size; one = this.next()) {
      this.ask(one);
      this.waiting.delete(one);
    }
  }
}

/** The check that finds every lane lent. */
const noLane = ({ inUse, size }: LanePool): CheckResult => ({ check: 'LANE_POOL_EMPTY', passed: false, figure: inUse, limit: size });

/** The check that finds a lane of that amount silent. */
const silent = (amount: string, { waitMs }: LanePool): CheckResult => ({
  check: 'LANE_WAIT',
  passed: false,
  figure: amount,
  limit: waitMs,
});

type JournaledOrder = StrategyOrder | ExitOrder;

/** The rows of plans at work: their begin and end, from which a restart goes on, and why they came to nothing. */
export class WorkRows {
  private readonly context: ExecutionContext;
  private count = 0;

  constructor(context: ExecutionContext) {
    this.context = context;
  }

  /** A plan begins that outlives its quote: it gets a name, under which its orders are found after a restart. */
  begun(work: JournaledOrder): void {
    this.count += 1;
    const name = `${this.context.log.inboxSeq}-${this.count}`;
    work.name = name;
    const { plan, legs } = work;
    const lasting = work.kind === 'exit';
    const detail = { work: name, legs: legs.map(legText), lasting, onLegFailure: plan.onLegFailure, signals: plan.signals };
    const endsAt = (refusal: Reason): boolean => {
      const leg = work.legs[work.index];
      return leg !== undefined && isOver(work, leg, refusal);
    };
    work.begin = new PlanBegin(this.context.log.make('working', detail, planOf(work)), endsAt);
    if (lasting) this.waits(work);
  }

  /** The plan waits for something: a restart must go on with it. */
  waits({ begin }: JournaledOrder): void {
    begin?.goesOn(this.context.log);
  }

  /** A plan is over, whatever came of it. */
  ended(work: Work): void {
    if (work.kind === 'manual') return;
    const { name } = work;
    if (name !== null && !endedAtOnce(work)) this.context.log.defer(this.context.log.make('worked', { work: name }, planOf(work)));
  }

  lapsed(work: StrategyOrder, leg: Leg): void {
    this.keep(work, this.context.log.make('lapsed', workedDetail(work, leg.intent), aboutOf(work, leg, 'LAPSED')));
  }

  withdrawn(work: JournaledOrder, leg: Leg, reason: Reason): void {
    this.keep(work, this.context.log.make('withdrawn', workedDetail(work, leg.intent), aboutOf(work, leg, reason)));
  }

  /** Where the plan ended at once, its refusal says it all. A person hears of legs that were executed before it. */
  legFailed(work: StrategyOrder, leg: Leg, isUndone: boolean): void {
    if (endedAtOnce(work)) return;
    const { plan, legs, index, done, last } = work;
    const policy = isUndone || done.length === 0 ? plan.onLegFailure : 'keep';
    const detail = { ...workedDetail(work, leg.intent), leg: index + 1, of: legs.length, policy };
    this.keep(work, this.context.log.make('leg_failed', detail, aboutOf(work, leg, 'LEG_FAILED')));
    if (done.length === 0) return;
    const what = `leg ${index + 1} of ${legs.length}, ${legWanted(leg)}, came to nothing: ${reasonWords(last ?? 'LAPSED')}`;
    const level = policy === plan.onLegFailure ? 'warn' : 'error';
    this.context.notice(level, `${plan.strategy}: ${what}; what was executed before it ${isUndone ? 'is undone' : 'stays'}`);
  }

  /** A person hears of the first failure to close a position. That the quote it begins on is taken is none: the next one is near. */
  troubled(work: Work, leg: Leg): void {
    if (work.kind !== 'exit' || work.troubled || (work.attempts === 1 && work.last === 'QUOTE_TAKEN')) return;
    work.troubled = true;
    const why = `${leg.intent.reason}: ${reasonWords(work.last ?? 'no quote')}; it is tried again on the next quotes`;
    this.context.notice('error', `${work.plan.strategy}: the position could not be closed: ${why}`);
  }

  /** A person hears of what is not opened again. */
  stays({ plan: { strategy }, last }: Work, leg: Leg): void {
    const what = `${legWanted(leg)}: ${reasonWords(last ?? 'no quote')}`;
    this.context.notice('error', `${strategy}: a failed plan is not undone: ${what}`);
  }

  private keep(work: Work, row: Decision): void {
    this.context.refusals.end(work.plan.strategy);
    this.context.log.defer(row);
  }
}

/** True for a plan that ended on the event that it began with, without an order. */
const endedAtOnce = ({ begin }: JournaledOrder): boolean => begin !== undefined && !begin.isWritten;

/** What a leg asks for, in words. */
const legWanted = ({ intent, product }: Leg): string => `${intent.side ?? 'trade'} ${describe(intent)} of ${product}`;

const aboutOf = ({ plan }: Work, { product }: Leg, reason: Reason) => ({ strategy: plan.strategy, product, reason });

const planOf = ({ plan, legs: [first] }: Work) => ({ strategy: plan.strategy, product: first?.product ?? null });

/** The leg as it is tried: with the name that its orders carry, where they must be found again. */
export const named = (work: Work, leg: Leg, isRetry: boolean): Leg =>
  work.kind === 'manual' || work.name === null
    ? leg
    : { ...leg, work: legName(work.name, work.index), isRetry, ...(work.begin && { begin: work.begin }) };

/** A lane that goes on, where its newest quote came before the event at hand and has no time left for an order. */
export function spentLane(laneId: LaneId, { market, clockState, limits, log }: ExecutionContext): LaneState | undefined {
  const lane = market.stateOf(laneId);
  if (!lane?.latest || !(clockState.timeLeftMs(lane.latest.validUntil) < (limits.minTimeLeftMs ?? 1))) return undefined;
  return lane.receivedAt === log.now || lane.untradable(log.now) !== null ? undefined : lane;
}
