import type { Decision } from '../domain/decision.ts';
import type { Millis } from '../domain/names.ts';
import type { FillText, OrderText } from '../domain/order-text.ts';

/** An order as its decisions tell it. */
export interface OrderSeen {
  readonly order: OrderText;
  /** What the strategy said. */
  readonly why: string;
  readonly tag: string | null;
  /** Both sides of the quote that it was decided on. */
  readonly quoteBuy: number;
  readonly quoteSell: number;
  readonly sentAt: Millis | null;
  readonly timeLeftMs: number | null;
  readonly roundTripMs: number | null;
  /** The first word that settled it; unknown can still turn. */
  readonly outcome: 'open' | 'expired' | 'not_sent' | 'accepted' | 'rejected' | 'unknown';
  readonly filledAt: Millis | null;
  readonly fill: FillText | null;
}

/** How often something was refused or failed, for one reason. */
export interface ReasonTally {
  readonly kind: string;
  readonly reason: string;
  readonly count: number;
}

export interface Halt {
  readonly from: Millis;
  /** Null where it stood to the end. */
  readonly to: Millis | null;
  readonly why: string;
}

/** What a run's decisions come to. */
export interface DecisionsSeen {
  readonly orders: readonly OrderSeen[];
  /** The most frequent first. */
  readonly tallies: readonly ReasonTally[];
  readonly halts: readonly Halt[];
  /** Seq of rows read. */
  readonly count: number;
}

const FAILED: ReadonlySet<Decision['kind']> = new Set(['refused', 'expired', 'not_sent', 'rejected', 'unknown', 'lapsed', 'leg_failed']);

/** Walks the decisions of a run once. `before`: the halt that stood when it began. */
export function decisionsSeen(decisions: Iterable<Decision>, before: readonly Halt[] = []): DecisionsSeen {
  const orders = new Map<string, OrderSeen>();
  const intents = new Map<string, Pick<OrderSeen, 'why' | 'tag' | 'quoteBuy' | 'quoteSell'>>();
  const tallies = new Map<string, ReasonTally>();
  const halts: Halt[] = [...before];
  let count = 0;
  const change = (id: string | null, parts: Partial<OrderSeen>): void => {
    const order = id === null ? undefined : orders.get(id);
    if (order && order.outcome !== 'accepted' && order.outcome !== 'rejected') orders.set(order.order.id, { ...order, ...parts });
  };
  for (const decision of decisions) {
    count += 1;
    const { kind, orderId, at } = decision;
    if (FAILED.has(kind)) tally(tallies, decision);
    switch (kind) {
      case 'intent': {
        const { why, tag, quote } = decision.detail;
        if (orderId !== null) intents.set(orderId, { why, tag, quoteBuy: quote.buy, quoteSell: quote.sell });
        break;
      }
      case 'approved': {
        const { order } = decision.detail;
        const intent = intents.get(order.id) ?? { why: '', tag: null, quoteBuy: Number.NaN, quoteSell: Number.NaN };
        intents.delete(order.id);
        const nothing = { sentAt: null, timeLeftMs: null, roundTripMs: null, filledAt: null, fill: null };
        orders.set(order.id, { order, ...intent, ...nothing, outcome: 'open' });
        break;
      }
      case 'sent':
        change(orderId, { sentAt: Date.parse(decision.detail.sentAt), timeLeftMs: decision.detail.timeLeftMs });
        break;
      case 'expired':
      case 'not_sent':
        change(orderId, { outcome: kind });
        break;
      case 'rejected':
      case 'unknown':
        change(orderId, { outcome: kind, roundTripMs: decision.detail.roundTripMs });
        break;
      case 'accepted':
        change(orderId, { outcome: kind, roundTripMs: decision.detail.roundTripMs, filledAt: at, fill: decision.detail.fill });
        break;
      case 'resolved': {
        const { as, fill } = decision.detail;
        change(orderId, as === 'rejected' ? { outcome: as } : fill === null ? {} : { outcome: as, filledAt: at, fill });
        break;
      }
      case 'halted':
        if (halts.at(-1)?.to !== null) halts.push({ from: at, to: null, why: decision.detail.why });
        break;
      case 'resumed': {
        const last = halts.at(-1);
        if (last && last.to === null && decision.strategy === null) halts[halts.length - 1] = { ...last, to: at };
        break;
      }
      default:
        break;
    }
  }
  const byCount = [...tallies.values()].sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
  return { orders: [...orders.values()], tallies: byCount, halts, count };
}

/** A row that ends a streak stands for all in between; the first had a row of its own. */
function tally(tallies: Map<string, ReasonTally>, decision: Decision): void {
  const repeated = decision.kind === 'refused' ? decision.detail.repeated : undefined;
  const reason = decision.reason ?? '-';
  const key = `${decision.kind} ${reason}`;
  const before = tallies.get(key)?.count ?? 0;
  tallies.set(key, { kind: decision.kind, reason, count: before + (repeated === undefined ? 1 : repeated - 1) });
}
