import { decisionOf } from '#adapters/journal/records.ts';
import { RunRows } from '#adapters/journal/run-rows.ts';
import { MANUAL_BOOK, MANUAL_TAG } from '#core/execution/plan.ts';
import type { Decision, DecisionDetails, DecisionOf } from '#domain/decision.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import type { OrderText } from '#domain/order-text.ts';
import { idAt, type QuoteColumns } from '#domain/quote-columns.ts';

/** A fill of a run that the backtest of its recording did not make on the same quote. */
interface OtherFill {
  readonly at: string;
  readonly order: string;
  readonly strategy: string;
  readonly side: string;
  readonly quote: string;
  readonly cause: string;
}

/** What a person did on the running daemon. */
interface JournaledAct {
  readonly at: string;
  readonly act: string;
  /** The strategy or book that it was about; null for all. */
  readonly strategy: string | null;
  readonly who: string;
  readonly why: string;
}

/** The comparison of a run with the backtest of its own recording. */
export interface Against {
  readonly run: string;
  /** True if the run continued positions and counts of earlier runs, with which the comparison began as well. */
  readonly wentOn: boolean;
  readonly fills: number;
  /** Fills that the backtest made on the same quote, on the same side. */
  readonly same: number;
  readonly others: readonly OtherFill[];
  /** No backtest plays them: what came after them may differ. */
  readonly acts: readonly JournaledAct[];
}

/** One order of a backtest with its outcome. */
interface Fate {
  readonly order: OrderText;
  state: string;
  settledAt: Millis;
}

/** Kinds of rows that follow from an act of a person, by what it is called. */
const ACTS = new Map<string, string>([
  ...([
    ['halted', 'halt'],
    ['resumed', 'resume'],
    ['armed', 'arm'],
    ['paused', 'pause'],
    ['enabled', 'enable'],
  ] as const),
  ...([
    ['disabled', 'disable'],
    ['booked', 'book'],
    ['resolved', 'resolve'],
  ] as const),
]);

const SETTLING: ReadonlySet<string> = new Set(['expired', 'not_sent', 'accepted', 'rejected', 'unknown']);

/**
 * Compares the fills of a journaled run with those of a backtest, quote by quote, with a cause for each difference.
 * Throws NOT_FOUND for an unknown run, and what opening a journal throws.
 */
export function against(parts: {
  readonly journal: string;
  readonly run: string;
  readonly decisions: readonly Decision[];
  readonly wentOn: boolean;
  readonly columns: readonly QuoteColumns[];
}): Against {
  const rows = RunRows.open(parts.journal, parts.run);
  try {
    const decisions = [...rows.decisions()].map(decisionOf);
    const then = fatesOf(decisions);
    const byHand = new Set<string | null>(
      decisions.flatMap((row) => (row.kind === 'intent' && row.detail.tag === MANUAL_TAG ? [row.orderId] : [])),
    );
    const now = new Causes(parts.decisions, parts.columns);
    const filled = [...then.values()].filter(({ state }) => state === 'accepted');
    const others = filled.flatMap(({ order }): OtherFill[] => {
      const cause = byHand.has(order.id) ? 'a person traded by hand, which no backtest plays' : now.causeFor(order);
      const { id, strategy, side, quoteId, intentAt } = order;
      return cause === undefined ? [] : [{ at: isoTime(intentAt), order: id, strategy, side, quote: quoteId, cause }];
    });
    return {
      run: rows.run.run_id,
      wentOn: parts.wentOn,
      fills: filled.length,
      same: filled.length - others.length,
      others,
      acts: actsOf(decisions),
    };
  } finally {
    rows.close();
  }
}

function actsOf(decisions: readonly Decision[]): JournaledAct[] {
  return decisions.flatMap((row): JournaledAct[] => {
    const { kind, reason, inboxSeq, strategy, detail } = row;
    const act = kind === 'by_hand' ? row.detail.act : reason === 'BY_PERSON' ? ACTS.get(kind) : undefined;
    if (act === undefined || inboxSeq === 0 || !('who' in detail)) return [];
    const of = row.kind === 'by_hand' ? bookOf(row.detail) : strategy;
    return [{ at: isoTime(row.at), act, strategy: of, who: detail.who ?? '', why: detail.why ?? '' }];
  });
}

/** The book that a trade by hand is about; null for all. */
function bookOf({ act, wants: { strategy } }: DecisionDetails['by_hand']): string | null {
  if (act === 'order') return MANUAL_BOOK;
  return typeof strategy === 'string' ? strategy : null;
}

/** Orders by id, each with its last state. */
function fatesOf(decisions: Iterable<Decision>): ReadonlyMap<string, Fate> {
  const fates = new Map<string, Fate>();
  for (const decision of decisions) {
    const { kind, orderId, at } = decision;
    if (decision.kind === 'approved') {
      const { order } = decision.detail;
      fates.set(order.id, { order, state: 'open', settledAt: Number.POSITIVE_INFINITY });
    }
    const fate = orderId === null ? undefined : fates.get(orderId);
    if (!fate || !SETTLING.has(kind)) continue;
    fate.state = kind;
    fate.settledAt = at;
  }
  return fates;
}

/** One refusal, or the same one again and again: rows of its first and its last. */
interface Refusals {
  readonly reason: string;
  readonly side: string;
  readonly product: string | null;
  readonly from: Millis;
  to: Millis;
  count: number;
}

/** Why a backtest has no fill on a quote. */
class Causes {
  private readonly fates: readonly Fate[];
  private readonly byQuote: ReadonlyMap<string, Fate>;
  private readonly refusals = new Map<string, string>();
  private readonly streaks = new Map<string | null, Refusals[]>();
  private readonly columns: readonly QuoteColumns[];

  constructor(decisions: readonly Decision[], columns: readonly QuoteColumns[]) {
    this.columns = columns;
    this.fates = [...fatesOf(decisions).values()];
    this.byQuote = new Map(this.fates.map((fate) => [fate.order.quoteId, fate]));
    for (const row of decisions) if (row.kind === 'refused') this.refused(row);
  }

  private refused({ quoteId, strategy, product, at, reason, detail: { intent, repeated } }: DecisionOf<'refused'>): void {
    if (quoteId !== null) this.refusals.set(`${quoteId} ${strategy}`, reason ?? '-');
    const streaks = this.streaks.get(strategy) ?? [];
    this.streaks.set(strategy, streaks);
    const last = streaks.at(-1);
    if (repeated === undefined || !last) streaks.push({ reason: reason ?? '-', side: intent.side, product, from: at, to: at, count: 1 });
    else Object.assign(last, { to: at, count: repeated });
  }

  /** Undefined for the same fill. */
  causeFor({ quoteId, side, strategy, lane, product, intentAt }: OrderText): string | undefined {
    const same = this.byQuote.get(quoteId);
    if (same && same.order.side !== side) return `the backtest used the quote to ${same.order.side}`;
    if (same) return same.state === 'accepted' ? undefined : `the backtest's order on it was ${same.state}`;
    const refusal = this.refusals.get(`${quoteId} ${strategy}`);
    if (refusal !== undefined) return `refused in the backtest: ${refusal}`;
    if (!this.isRecorded(quoteId, lane)) return 'the quote is not in the recording that was played';
    const streak = this.streaks.get(strategy)?.find((one) => {
      return one.side === side && one.product === product && one.from <= intentAt && intentAt <= one.to;
    });
    if (streak)
      return `refused in the backtest: ${streak.reason}, ${streak.count} times from ${isoTime(streak.from)} to ${isoTime(streak.to)}`;
    const own = this.fates.filter(({ order }) => order.strategy === strategy && order.product === product);
    const busy = own.find(({ order, settledAt }) => order.intentAt <= intentAt && intentAt < settledAt);
    if (busy) return `order ${busy.order.id} of the backtest was on its way`;
    const near = own.filter(({ order, state }) => order.side === side && state === 'accepted').sort((a, b) => off(a) - off(b))[0];
    function off({ order }: Fate): number {
      return Math.abs(order.intentAt - intentAt);
    }
    if (!near || off(near) > 60_000) return 'the strategy did not ask for it in the backtest';
    const when = near.order.intentAt < intentAt ? 'before' : 'after';
    return `the backtest did the same ${off(near)} ms ${when}, on another quote`;
  }

  private isRecorded(quoteId: string, lane: string): boolean {
    return this.columns.some((columns) => {
      if (columns.lane !== lane) return false;
      for (let row = 0; row < columns.length; row += 1) if (idAt(columns, row) === quoteId) return true;
      return false;
    });
  }
}
