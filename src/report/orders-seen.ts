import type { Decision, DecisionOf } from '#domain/decision.ts';
import type { Latch } from '#domain/latch.ts';
import type { Millis } from '#domain/names.ts';
import type { FillText, OrderText } from '#domain/order-text.ts';
import { isGroup } from '#domain/settings/kind.ts';
import { HeldByFills } from './held-by-fills.ts';
import { RefusedSides } from './refused-sides.ts';
import { SharedLimits } from './shared-limits.ts';
import { SignalsSeen } from './signals-seen.ts';
import { StrategyStories, timesOf } from './strategy-stories.ts';

/** An order by its decisions. */
export interface OrderSeen {
  readonly order: OrderText;
  /** What the strategy said. */
  readonly why: string;
  readonly tag: string | null;
  /** The newest signal from outside that its strategy saw; null for none. */
  readonly signal: { readonly name: string; readonly ageMs: Millis } | null;
  /** Both sides of the quote that it was decided on. */
  readonly quoteBuy: number;
  readonly quoteSell: number;
  readonly sentAt: Millis | null;
  readonly timeLeftMs: number | null;
  readonly roundTripMs: number | null;
  /** Its first final outcome; unknown may still change. */
  readonly outcome: 'open' | 'expired' | 'not_sent' | 'accepted' | 'rejected' | 'unknown';
  /** When the answer with the fill was heard: a latency after the service had filled it. */
  readonly filledAt: Millis | null;
  readonly fill: FillText | null;
}

/** How often something was refused or failed, for one reason. */
export interface ReasonTally {
  readonly kind: string;
  readonly reason: string;
  readonly count: number;
}

/** A time in which orders were stopped, all of them or openings. */
export interface Halt {
  readonly from: Millis;
  /** Null if it lasted to the end. */
  readonly to: Millis | null;
  readonly why: string;
  /** Null if it was latched before the run. */
  readonly reason: string | null;
}

/** The result of reading a run's decisions. */
export interface DecisionsSeen {
  readonly orders: readonly OrderSeen[];
  /** The most frequent first. */
  readonly tallies: readonly ReasonTally[];
  readonly halts: readonly Halt[];
  /** Times in which only exits passed. */
  readonly reducings: readonly Halt[];
  readonly stories: StrategyStories;
  readonly shared: SharedLimits;
  readonly refusedSides: RefusedSides;
  readonly signals: SignalsSeen;
  /** Seq of rows read. */
  readonly count: number;
}

const FAILED: ReadonlySet<Decision['kind']> = new Set(['refused', 'expired', 'not_sent', 'rejected', 'unknown', 'lapsed', 'leg_failed']);

/** Reads the decisions of a run once. `before`: latches at its start. */
export function decisionsSeen(decisions: Iterable<Decision>, before: readonly Latch[] = [], startedAt: Millis = 0): DecisionsSeen {
  const orders = new Map<string, OrderSeen>();
  const intents = new Map<string, Pick<OrderSeen, 'why' | 'tag' | 'signal' | 'quoteBuy' | 'quoteSell'>>();
  const tallies = new Map<string, ReasonTally>();
  const stood = (state: Latch['kind']): Halt[] =>
    before.filter(({ kind }) => kind === state).map(({ why }) => ({ from: startedAt, to: null, why, reason: null }));
  const halts = new Spells(stood('halted'));
  const reducings = new Spells(stood('reducing'));
  const stories = new StrategyStories(before);
  const held = new HeldByFills();
  const shared = new SharedLimits(held);
  const refusedSides = new RefusedSides(held);
  const signals = new SignalsSeen();
  let count = 0;
  const change = (id: string | null, parts: Partial<OrderSeen>): void => {
    const order = id === null ? undefined : orders.get(id);
    if (order && order.outcome !== 'accepted' && order.outcome !== 'rejected') orders.set(order.order.id, { ...order, ...parts });
  };
  for (const decision of decisions) {
    count += 1;
    const { kind, orderId, at } = decision;
    stories.take(decision);
    held.take(decision);
    shared.take(decision);
    refusedSides.take(decision);
    signals.take(decision);
    if (FAILED.has(kind)) tally(tallies, decision);
    switch (kind) {
      case 'intent': {
        const { why, tag, quote, signals: values } = decision.detail;
        if (orderId !== null) intents.set(orderId, { why, tag, signal: newestOf(values), quoteBuy: quote.buy, quoteSell: quote.sell });
        break;
      }
      case 'approved': {
        const { order } = decision.detail;
        const intent = intents.get(order.id) ?? { why: '', tag: null, signal: null, quoteBuy: Number.NaN, quoteSell: Number.NaN };
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
        halts.begin(decision);
        break;
      case 'reducing':
        reducings.begin(decision);
        break;
      case 'armed':
        reducings.end(at);
        break;
      case 'resumed':
        if (decision.strategy !== null) break;
        halts.end(at);
        reducings.end(at);
        break;
      default:
        break;
    }
  }
  const byCount = [...tallies.values()].sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
  return {
    orders: [...orders.values()],
    tallies: byCount,
    halts: halts.all,
    reducings: reducings.all,
    stories,
    shared,
    refusedSides,
    signals,
    count,
  };
}

/** The newest of the signals from outside among the values that a decision names. */
function newestOf(values: Readonly<Record<string, unknown>>): OrderSeen['signal'] {
  const found = Object.entries(values).flatMap(([input, value]) =>
    isGroup(value) && value.stale === false && typeof value.ageMs === 'number'
      ? [{ name: `${input} ${value.id}`, ageMs: value.ageMs }]
      : [],
  );
  return found.sort((a, b) => a.ageMs - b.ageMs)[0] ?? null;
}

/** Times in which one state stood: its second beginning in a row changes nothing. */
class Spells {
  readonly all: Halt[];

  constructor(before: Halt[]) {
    this.all = before;
  }

  begin({ at, reason, detail }: DecisionOf<'halted'> | DecisionOf<'reducing'>): void {
    if (this.all.at(-1)?.to !== null) this.all.push({ from: at, to: null, why: detail.why, reason });
  }

  end(at: Millis): void {
    const last = this.all.at(-1);
    if (last && last.to === null) this.all[this.all.length - 1] = { ...last, to: at };
  }
}

function tally(tallies: Map<string, ReasonTally>, decision: Decision): void {
  const repeated = decision.kind === 'refused' ? decision.detail.repeated : undefined;
  const reason = decision.reason ?? '-';
  const key = `${decision.kind} ${reason}`;
  const before = tallies.get(key)?.count ?? 0;
  tallies.set(key, { kind: decision.kind, reason, count: before + timesOf(repeated) });
}
