import type { Decision, DecisionOf } from '#domain/decision.ts';
import type { Latch } from '#domain/latch.ts';
import type { Millis } from '#domain/names.ts';
import type { FillText, OrderText } from '#domain/order.ts';
import { isGroup } from '#domain/settings/kind.ts';
import { HeldByFills } from './held-by-fills.ts';
import { RefusedSides } from './refused-sides.ts';
import { timesOf } from './refused-words.ts';
import { SharedLimits } from './shared-limits.ts';
import { SignalCollector } from './signal-collector.ts';
import { StrategyStories } from './strategy-stories.ts';

/** An order by its decisions. */
export interface OrderHistory {
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
export interface DecisionSummary {
  readonly orders: readonly OrderHistory[];
  /** The most frequent first. */
  readonly tallies: readonly ReasonTally[];
  readonly halts: readonly Halt[];
  /** Times in which only exits passed. */
  readonly reducings: readonly Halt[];
  readonly stories: StrategyStories;
  readonly shared: SharedLimits;
  readonly refusedSides: RefusedSides;
  readonly signals: SignalCollector;
  /** Seq of rows read. */
  readonly count: number;
}

const FAILED: ReadonlySet<Decision['kind']> = new Set(['refused', 'expired', 'not_sent', 'rejected', 'unknown', 'lapsed', 'leg_failed']);

/** What there was when a run began. */
interface Before {
  readonly latches: readonly Latch[];
  /** Decisions of earlier runs on orders that were settled in it. */
  readonly begun: readonly Decision[];
  readonly startedAt: Millis;
}

/** Reads the decisions of a run once. */
export function decisionsSeen(
  decisions: Iterable<Decision>,
  { latches, begun, startedAt }: Before = { latches: [], begun: [], startedAt: 0 },
): DecisionSummary {
  const orders = new OrdersSeen();
  for (const decision of begun) orders.add(decision);
  const stops = new Stops(latches, startedAt);
  const tallies = new Map<string, ReasonTally>();
  const stories = new StrategyStories(latches);
  const held = new HeldByFills();
  const shared = new SharedLimits(held);
  const refusedSides = new RefusedSides(held);
  const signals = new SignalCollector();
  const readers = [stories, held, shared, refusedSides, signals, orders, stops];
  let count = 0;
  for (const decision of decisions) {
    count += 1;
    for (const reader of readers) reader.add(decision);
    if (FAILED.has(decision.kind)) tally(tallies, decision);
  }
  const byCount = [...tallies.values()].sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
  const { halts, reducings } = stops;
  return {
    ...{ orders: orders.all, tallies: byCount, halts: halts.all, reducings: reducings.all },
    ...{ stories, shared, refusedSides, signals, count },
  };
}

/** Orders by their decisions, in the order in which they were approved. */
class OrdersSeen {
  private readonly orders = new Map<string, OrderHistory>();
  private readonly intents = new Map<string, Pick<OrderHistory, 'why' | 'tag' | 'signal' | 'quoteBuy' | 'quoteSell'>>();

  get all(): readonly OrderHistory[] {
    return [...this.orders.values()];
  }

  add({ kind, orderId, at, detail }: Decision): void {
    if (orderId === null) return;
    switch (kind) {
      case 'intent': {
        const { why, tag, quote, signals } = detail;
        return void this.intents.set(orderId, { why, tag, signal: newestOf(signals), quoteBuy: quote.buy, quoteSell: quote.sell });
      }
      case 'approved':
        return this.approved(detail.order);
      case 'sent':
        return this.change(orderId, { sentAt: Date.parse(detail.sentAt), timeLeftMs: detail.timeLeftMs });
      case 'expired':
      case 'not_sent':
        return this.change(orderId, { outcome: kind });
      case 'rejected':
      case 'unknown':
        return this.change(orderId, { outcome: kind, roundTripMs: detail.roundTripMs });
      case 'accepted':
        return this.change(orderId, { outcome: kind, roundTripMs: detail.roundTripMs, filledAt: at, fill: detail.fill });
      case 'resolved': {
        const { as, fill } = detail;
        return this.change(orderId, as === 'rejected' ? { outcome: as } : fill === null ? {} : { outcome: as, filledAt: at, fill });
      }
      default:
        return;
    }
  }

  private approved(order: OrderText): void {
    const intent = this.intents.get(order.id) ?? { why: '', tag: null, signal: null, quoteBuy: Number.NaN, quoteSell: Number.NaN };
    this.intents.delete(order.id);
    const nothing = { sentAt: null, timeLeftMs: null, roundTripMs: null, filledAt: null, fill: null };
    this.orders.set(order.id, { order, ...intent, ...nothing, outcome: 'open' });
  }

  private change(id: string, parts: Partial<OrderHistory>): void {
    const order = this.orders.get(id);
    if (order && order.outcome !== 'accepted' && order.outcome !== 'rejected') this.orders.set(id, { ...order, ...parts });
  }
}

/** Times in which orders were stopped: all of them, and openings. */
class Stops {
  readonly halts: Spells;
  readonly reducings: Spells;

  constructor(before: readonly Latch[], startedAt: Millis) {
    const stood = (state: Latch['kind']): Halt[] =>
      before.filter(({ kind }) => kind === state).map(({ why }) => ({ from: startedAt, to: null, why, reason: null }));
    this.halts = new Spells(stood('halted'));
    this.reducings = new Spells(stood('reducing'));
  }

  add(decision: Decision): void {
    const { kind, at, strategy } = decision;
    if (kind === 'halted') this.halts.begin(decision);
    else if (kind === 'reducing') this.reducings.begin(decision);
    else if (kind === 'armed') this.reducings.end(at);
    else if (kind === 'resumed' && strategy === null) for (const spells of [this.halts, this.reducings]) spells.end(at);
  }
}

/** The newest of the signals from outside among the values that a decision names. */
function newestOf(values: Readonly<Record<string, unknown>>): OrderHistory['signal'] {
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
