import type { MarketData } from '#core/market/market.ts';
import type { CheckResult } from '#domain/check-result.ts';
import { Decimal, ZERO } from '#domain/decimal.ts';
import type { WorkedDetail } from '#domain/decision.ts';
import { USUAL_FRESHNESS } from '#domain/freshness.ts';
import type { Intent } from '#domain/intent.ts';
import type { Amount } from '#domain/lane.ts';
import { type LaneId, type Millis, type OrderId, type ProductCode, type QuoteId, type StrategyId, strategyId } from '#domain/names.ts';
import type { Product } from '#domain/product.ts';
import type { Side } from '#domain/quote.ts';
import type { Reason } from '#domain/reasons.ts';
import { backOffMs } from '#domain/retry.ts';
import type { PlanBegin } from './plan-begin.ts';
import { closable, describe } from './sizing.ts';

/** One intent with the lane on whose quotes it is tried. */
export interface Leg {
  readonly intent: Intent;
  readonly lane: LaneId;
  readonly product: ProductCode;
  /** The name that its orders carry in the journal, where the plan outlives its first quote. */
  readonly work?: string;
  /** The row of its plan's begin, which stands before its orders. */
  readonly begin?: PlanBegin;
  /** Kairos tries it again by itself. */
  readonly isRetry?: boolean;
}

/** The book of orders that people give. */
export const MANUAL_BOOK: StrategyId = strategyId('manual');

/** The tag of every order that a person wanted. */
export const MANUAL_TAG = 'by-hand';

/** The tag of orders of a rehearsal, which come before a person arms. */
export const REHEARSAL_TAG = 'rehearsal';

/** What is to be ordered at a price, what has to be known first, or why there is nothing to order any more. */
export type ManualSizing =
  | { readonly intent: Intent; readonly amount: Amount }
  | { readonly waits: Reason; readonly why: string }
  | { readonly over: Reason | null; readonly why: string; readonly done: boolean };

/** A person's order: one leg that is sized anew at each price, on a lane of exactly its amount. */
export interface ManualTerms {
  readonly product: ProductCode;
  readonly side: Side;
  /** What to order; undefined `price` while no quote of the product was seen. */
  readonly want: (price: number | undefined) => ManualSizing;
  /** Tried again until there is nothing left to order; else once, and given up with the first reason that will not pass. */
  readonly lasting: boolean;
  /** It could not be tried; it may be later. */
  readonly failed: (reason: Reason, why: string) => void;
  readonly ended: (as: ManualEnd) => void;
}

export type ManualEnd = 'done' | 'refused' | 'unknown';

/** What one decision of a strategy, or a person, asks for: legs, done in their order. */
export interface Plan {
  readonly strategy: StrategyId;
  readonly legs: readonly Leg[];
  readonly signals: Readonly<Record<string, unknown>>;
  readonly onLegFailure: 'keep' | 'unwind';
}

/** True for a plan that has a leg in the same product. */
export const trades = ({ legs }: Plan, { product }: Leg): boolean => legs.some((leg) => leg.product === product);

/** A plan of a person, whose leg is made as soon as it has a lane. */
export interface ManualPlan extends Plan {
  readonly manual: ManualTerms;
}

/** Why an attempt came to nothing, with what was compared. */
interface Refusal {
  readonly reason: Reason;
  readonly checks: readonly CheckResult[];
}

/** A plan's present leg, and how far that has come. */
interface Progress {
  legs: readonly Leg[];
  index: number;
  /** A lane lent for the present leg, because its own is of another amount. */
  lent: LaneId | undefined;
  cancelWait: (() => void) | undefined;
  order: OrderId | undefined;
  /** When the outcome of its last order became unknown; undefined where it did not. */
  unknownAt: Millis | undefined;
  tried: QuoteId | null | undefined;
  notBefore: Millis;
  rejections: number;
  attempts: number;
  last: string | null;
  /** What keeps it from its order; undefined while nothing does, or an order is on its way. */
  refused: Refusal | undefined;
  /** Of its product, before the last attempt. */
  heldBefore: Decimal | undefined;
  /** When the present leg lapses; infinity: it is worked until it is executed. */
  until: Millis;
  cancelLapse: (() => void) | undefined;
}

/** Its rows, from which a restart goes on. */
interface InJournal {
  /** Null where it does not outlive its first quote. */
  name: string | null;
  /** Its first row; undefined where it has no name, or where an earlier run has written it. */
  begin: PlanBegin | undefined;
}

/** What a strategy decided. It lapses, and its later intents take its place. */
export interface StrategyOrder extends Progress, InJournal {
  readonly kind: 'strategy';
  readonly plan: Plan;
  /** What the executed legs have changed in the position, to be undone where the plan says so. */
  readonly done: { readonly leg: Leg; readonly change: Decimal }[];
  /** How long the present leg lasts; null: until it is executed. */
  withinMs: Millis | null;
}

/** Closes a position: it does not lapse, and no later intent takes its place. */
export interface ExitOrder extends Progress, InJournal {
  readonly kind: 'exit';
  readonly plan: Plan;
  /** True once a person has been told that an attempt failed. */
  troubled: boolean;
}

/** What a person asked for. It makes no rows of its own: the request is journaled, and a restart goes on from that. */
export interface ManualOrder extends Progress {
  readonly kind: 'manual';
  readonly plan: ManualPlan;
}

/** A plan at work. */
export type Work = StrategyOrder | ExitOrder | ManualOrder;

const NOT_BEGUN: Omit<Progress, 'legs'> = {
  index: 0,
  lent: undefined,
  cancelWait: undefined,
  order: undefined,
  unknownAt: undefined,
  tried: undefined,
  notBefore: 0,
  rejections: 0,
  attempts: 0,
  last: null,
  refused: undefined,
  heldBefore: undefined,
  until: Number.POSITIVE_INFINITY,
  cancelLapse: undefined,
};

/** A plan that has not begun, and the quote that it is not to be tried on. */
export const strategyOrder = (plan: Plan, tried?: QuoteId | null): StrategyOrder => ({
  kind: 'strategy',
  plan,
  ...NOT_BEGUN,
  tried,
  legs: plan.legs,
  name: null,
  begin: undefined,
  done: [],
  withinMs: null,
});

/** The same of an exit, or of the legs that undo a plan. */
export const exitOrder = (plan: Plan, legs = plan.legs): ExitOrder => ({
  kind: 'exit',
  plan,
  ...NOT_BEGUN,
  legs,
  name: null,
  begin: undefined,
  troubled: false,
});

export const manualOrder = (plan: ManualPlan): ManualOrder => ({ kind: 'manual', plan, ...NOT_BEGUN, legs: [] });

/**
 * A later leg without `within` waits for a quote that no leg before it has used: so many times as long as its lane may be silent, 5 s
 * where quotes come twice a second.
 */
const NEXT_QUOTE_SILENCES = 2.5;

/**
 * An intent without `within` lives as long as the quote it was decided on. One that a timer or another lane brought about was decided on
 * none of this lane: where the quote in hand is spent, it is worked on the next ones, for as long as the lane may be silent before it is
 * stale (2 s live, two widths of imported bars).
 */
export function outlasting(plan: Plan, within: Millis): Plan {
  const [first, ...later] = plan.legs;
  if (!first || first.intent.within !== null) return plan;
  return { ...plan, legs: [{ ...first, intent: { ...first.intent, within } }, ...later] };
}

/** How long the present leg may be worked; null: until it is executed, or once where the plan does not outlive its quote. */
export function withinMsOf({ legs, index }: StrategyOrder, market: Pick<MarketData, 'stateOf'>): Millis | null {
  const leg = legs[index];
  if (!leg || leg.intent.within !== null || index === 0) return leg?.intent.within ?? null;
  return NEXT_QUOTE_SILENCES * (market.stateOf(leg.lane)?.staleMs ?? USUAL_FRESHNESS.staleMs);
}

/** True for a plan that is tried on more than the quote it was decided on, so that a restart must not forget it. */
export function outlivesItsQuote({ kind, legs }: Work): boolean {
  return kind === 'exit' || (kind === 'strategy' && (legs.length > 1 || legs[0]?.intent.within !== null));
}

/** True when a plan asks for what is at work already, of which nothing is executed or under way, so that only its time begins anew. */
export function prolongs(plan: Plan, work: Work): boolean {
  const [first] = plan.legs;
  if (!first || first.intent.within === null) return false;
  if (work.kind !== 'strategy' || work.plan.strategy !== plan.strategy || work.plan.onLegFailure !== plan.onLegFailure) return false;
  if (work.index > 0 || work.order !== undefined) return false;
  return plan.legs.length === work.legs.length && plan.legs.every((leg, n) => isSameLeg(leg, work.legs[n], n));
}

/** The time of a later leg is part of what it asks for; that of the first begins anew. */
function isSameLeg(asked: Leg, present: Leg | undefined, index: number): boolean {
  if (!present || asked.lane !== present.lane) return false;
  if (index > 0 && asked.intent.within !== present.intent.within) return false;
  return sameWish(asked.intent, present.intent);
}

function sameWish(a: Intent, b: Intent): boolean {
  if (a.side !== b.side || a.limit !== b.limit || a.tag !== b.tag) return false;
  return describe(a) === describe(b);
}

/** The tag of legs that undo. */
const UNDO_TAG = 'unwind';

/** True for a leg that undoes what another has changed. */
export const undoes = ({ intent: { tag } }: Leg): boolean => tag === UNDO_TAG;

/** True for one that opens again what another has closed. */
export const opensAgain = (leg: Leg): boolean => undoes(leg) && leg.intent.size.kind === 'amount';

/** The intent that undoes a change of the position. */
const opposite = (side: Side, size: Intent['size']): Intent => ({
  ...{ kind: 'intent', side, size, reason: 'a later leg came to nothing', tag: UNDO_TAG, limit: null, within: null, on: null },
});

/** A plan's present leg as its journal rows describe it. */
export function workedDetail(work: StrategyOrder | ExitOrder, intent: Intent): WorkedDetail {
  const { side, reason, tag } = intent;
  return {
    side,
    why: reason,
    tag,
    wants: describe(intent),
    withinMs: work.kind === 'strategy' ? work.withinMs : null,
    attempts: work.attempts,
    last: work.last,
  };
}

/** Goes to a leg, which nothing has been tried of. */
export function goToLeg(work: Work, index: number): void {
  work.index = index;
  work.order = undefined;
  work.notBefore = 0;
  work.rejections = 0;
  work.attempts = 0;
  work.last = null;
  work.refused = undefined;
}

/** An order was rejected: the next attempt waits, after each further one for longer. */
export function rejected(work: Work, at: Millis): void {
  work.notBefore = at + backOffMs('afterRejection', work.rejections);
  work.rejections += 1;
}

/** What undoing asks of products and books. */
interface UndoFacts {
  readonly products: ReadonlyMap<ProductCode, Product>;
  readonly feeShare: (product: ProductCode) => number;
  readonly held: (leg: Leg) => Decimal;
  /** Whether what a leg has closed is opened again. */
  readonly reopens: boolean;
}

/**
 * The legs that undo what the executed ones have changed, the last first, in whole steps of the product: where the fee was taken from
 * what was bought, or is of what is sold, less than a step stays. What was opened is closed as far as it is held.
 */
export function undoing({ done }: StrategyOrder, { products, feeShare, held, reopens }: UndoFacts): readonly Leg[] {
  return done.toReversed().flatMap(({ leg, change }): Leg[] => {
    const product = products.get(leg.product);
    const base = product ? closable(change, { product, feeShare: feeShare(leg.product) }) : change.abs();
    if (base.isZero()) return [];
    const opened = held(leg).times(change).gt(0);
    if (!opened && !reopens) return [];
    const size: Intent['size'] = opened ? { kind: 'part', base } : { kind: 'amount', amount: { base } };
    return [{ ...leg, intent: opposite(change.isPositive() ? 'sell' : 'buy', size) }];
  });
}

/** An order that bought all but so much lacks its fee alone, which was taken from that. */
const FEE_AT_MOST = 0.02;

/** What an order that changed the position by so much has left of what a leg undoes; nothing of other legs. */
export function leftOf(leg: Leg, change: Decimal): Decimal {
  const { size } = leg.intent;
  if (!undoes(leg)) return ZERO;
  if (size.kind === 'part') return Decimal.max(ZERO, size.base.minus(change.abs()));
  if (size.kind !== 'amount' || !('base' in size.amount)) return ZERO;
  const left = size.amount.base.minus(change.abs());
  return left.gt(size.amount.base.times(FEE_AT_MOST)) ? left : ZERO;
}

/** A leg that undoes, for so much. */
export const withLeft = (leg: Leg, base: Decimal): Leg => {
  const size: Intent['size'] = opensAgain(leg) ? { kind: 'amount', amount: { base } } : { kind: 'part', base };
  return { ...leg, intent: { ...leg.intent, size } };
};

/** Notes why an attempt came to nothing. What waits for the consent of a person does so whatever its lanes do. */
export function refuse(work: Work, refused: Refusal): void {
  const isOfLane = refused.reason === 'LANE_POOL_EMPTY' || refused.reason === 'LANE_WAIT';
  if (!isOfLane || work.refused?.reason !== 'MAX_EXIT_VALUE') work.refused = refused;
}

/** The lane on whose quotes a plan waits. */
export const laneOf = ({ lent, legs, index }: Work): LaneId | undefined => lent ?? legs[index]?.lane;
