import { decimalOf } from '#domain/decimal.ts';
import type { Decision, DecisionOf } from '#domain/decision.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import type { OrderText } from '#domain/order.ts';

/** One order with its outcome, and why it came to that. */
interface Fate {
  readonly order: OrderText;
  /** The kind of its last row, or what that resolved it as; `open` before any. */
  state: string;
  reason: string | null;
  settledAt: Millis;
}

/** One refusal, or the same one again and again: from the decision of the first to the row of the last. */
interface Refusals {
  readonly reason: string;
  readonly side: string;
  readonly product: string | null;
  readonly from: Millis;
  to: Millis;
  count: number;
}

/** Orders of the same strategy in a product that are further apart are not taken for the same decision, in milliseconds. */
const SAME_DECISION_MS = 1000;

const SETTLING: ReadonlySet<string> = new Set(['expired', 'not_sent', 'accepted', 'rejected', 'unknown']);

/** What was decided in a run or its backtest, and what came of it. */
export class RunCourse {
  /** What it is called: `the run`, `the backtest`. */
  readonly name: string;
  readonly fates: readonly Fate[];
  private readonly byQuote: ReadonlyMap<string, Fate>;
  private readonly refusals = new Map<string, string>();
  private readonly streaks = new Map<string | null, Refusals[]>();

  constructor(name: string, decisions: readonly Decision[]) {
    this.name = name;
    this.fates = [...fatesOf(decisions).values()];
    this.byQuote = new Map(this.fates.map((fate) => [fate.order.quoteId, fate]));
    for (const row of decisions) if (row.kind === 'refused') this.refused(row);
  }

  /** Its order on the same quote. */
  onQuoteOf({ quoteId }: OrderText): Fate | undefined {
    return this.byQuote.get(quoteId);
  }

  /** What it recorded of an order of the other: that it was refused, or what became of it; undefined where it has nothing of it. */
  recordedCause(order: OrderText): string | undefined {
    const { quoteId, side, strategy, product, intentAt } = order;
    const own = this.onQuoteOf(order);
    if (own && isLike(own.order, order)) return own.state === 'accepted' ? undefined : this.outcomeText(own);
    const refusal = this.refusals.get(`${quoteId} ${strategy}`);
    if (refusal !== undefined) return `refused in ${this.name}: ${refusal}`;
    const streak = this.streaks.get(strategy)?.find((one) => {
      return one.side === side && one.product === product && one.from <= intentAt && intentAt <= one.to;
    });
    if (streak) return `refused in ${this.name}: ${streakText(streak)}`;
    const [failed] = this.fates
      .filter((fate) => isUnfilled(fate) && isAlike(fate.order, order) && apart(fate.order, order) < SAME_DECISION_MS)
      .sort((a, b) => apart(a.order, order) - apart(b.order, order));
    return failed && `${this.outcomeText(failed)}, ${distanceText(failed.order, order)}`;
  }

  /** Why it has no such order where nothing of it was recorded: what else it did then. */
  otherwise(order: OrderText): string {
    const { strategy, product, intentAt } = order;
    const taker = this.onQuoteOf(order);
    if (taker) {
      const whose = taker.order.strategy === strategy ? '' : ` for strategy ${taker.order.strategy}`;
      return `${this.name} used the quote to ${taker.order.side}${whose}`;
    }
    const own = this.fates.filter((fate) => fate.order.strategy === strategy && fate.order.product === product);
    const near = own.find((fate) => isLike(fate.order, order) && apart(fate.order, order) < SAME_DECISION_MS);
    if (near) return `${this.name} ordered ${near.order.size}, ${distanceText(near.order, order)}`;
    const busy = own.find((fate) => fate.order.intentAt < intentAt && intentAt < fate.settledAt);
    return busy ? `order ${busy.order.id} of ${this.name} was on its way` : `the strategy did not ask for it in ${this.name}`;
  }

  private outcomeText({ order: { id }, state, reason }: Fate): string {
    const why = reason === null ? '' : ` (${reason})`;
    switch (state) {
      case 'rejected':
        return `the service rejected order ${id} of ${this.name}${why}`;
      case 'unknown':
        return `order ${id} of ${this.name} was never answered${why}`;
      case 'open':
        return `${this.name} ended before order ${id} was answered`;
      default:
        return `order ${id} of ${this.name} was not sent${why}`;
    }
  }

  private refused({ quoteId, strategy, product, at, reason, detail: { intent, checks, repeated } }: DecisionOf<'refused'>): void {
    if (quoteId !== null) this.refusals.set(`${quoteId} ${strategy}`, reason ?? '-');
    const streaks = this.streaks.get(strategy) ?? [];
    this.streaks.set(strategy, streaks);
    const last = streaks.at(-1);
    if (repeated !== undefined && last) {
      Object.assign(last, { to: at, count: repeated });
      return;
    }
    // What waited for a lane in vain was decided as long before.
    const waited = checks.find(({ check }) => check === 'LANE_WAIT')?.limit;
    const from = at - (typeof waited === 'number' ? waited : 0);
    streaks.push({ reason: reason ?? '-', side: intent.side, product, from, to: at, count: 1 });
  }
}

/** Executed orders of a course, in the order in which they were decided. */
export const fillsOf = ({ fates }: RunCourse): readonly OrderText[] =>
  fates.flatMap(({ order, state }) => (state === 'accepted' ? order : []));

/** True for an order that was sent, and that the service did not execute as far as anybody heard. */
export const isUnfilled = ({ state }: Fate): boolean => state === 'rejected' || state === 'unknown';

/** True for orders of one strategy on one side of a product, of the same size. */
export const isAlike = (a: OrderText, b: OrderText): boolean => isLike(a, b) && decimalOf(a.size).eq(decimalOf(b.size));

const isLike = (a: OrderText, b: OrderText): boolean => a.strategy === b.strategy && a.product === b.product && a.side === b.side;

/** How far apart two orders were decided, in milliseconds. */
export const apart = (a: OrderText, b: OrderText): number => Math.abs(a.intentAt - b.intentAt);

/** When an order was decided beside one of the other course on another quote. */
export function distanceText(order: OrderText, beside: OrderText): string {
  const ms = apart(order, beside);
  return ms === 0
    ? 'at the same time, on another quote'
    : `${ms} ms ${order.intentAt < beside.intentAt ? 'before' : 'after'}, on another quote`;
}

const streakText = ({ reason, from, to, count }: Refusals): string =>
  count === 1 ? reason : `${reason}, ${count} times from ${isoTime(from)} to ${isoTime(to)}`;

/** Orders by id, each with its last state. */
function fatesOf(decisions: Iterable<Decision>): ReadonlyMap<string, Fate> {
  const fates = new Map<string, Fate>();
  for (const decision of decisions) {
    const { kind, orderId, at, reason } = decision;
    if (decision.kind === 'approved') {
      const { order } = decision.detail;
      fates.set(order.id, { order, state: 'open', reason: null, settledAt: Number.POSITIVE_INFINITY });
    }
    const fate = orderId === null ? undefined : fates.get(orderId);
    // Nobody learns why an order was not executed.
    const state = decision.kind === 'resolved' && decision.detail.as === 'accepted' ? 'accepted' : kind;
    if (fate && SETTLING.has(state)) Object.assign(fate, { state, reason, settledAt: at });
  }
  return fates;
}
