import { decisionOf } from '#adapters/journal/records.ts';
import { RunRows } from '#adapters/journal/run-rows.ts';
import type { Decision } from '#domain/decision.ts';
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

/** The comparison of a run with the backtest of its own recording. */
export interface Against {
  readonly run: string;
  /** True if the run continued positions and counts of earlier runs, with which the comparison began as well. */
  readonly wentOn: boolean;
  readonly fills: number;
  /** Fills that the backtest made on the same quote, on the same side. */
  readonly same: number;
  readonly others: readonly OtherFill[];
}

/** One order of a backtest with its outcome. */
interface Fate {
  readonly order: OrderText;
  state: string;
  settledAt: Millis;
}

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
    const then = fatesOf([...rows.decisions()].map(decisionOf));
    const now = new Causes(parts.decisions, parts.columns);
    const filled = [...then.values()].filter(({ state }) => state === 'accepted');
    const others = filled.flatMap(({ order }): OtherFill[] => {
      const cause = now.causeFor(order);
      const { id, strategy, side, quoteId, intentAt } = order;
      return cause === undefined ? [] : [{ at: isoTime(intentAt), order: id, strategy, side, quote: quoteId, cause }];
    });
    return { run: rows.run.run_id, wentOn: parts.wentOn, fills: filled.length, same: filled.length - others.length, others };
  } finally {
    rows.close();
  }
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

/** Why a backtest has no fill on a quote. */
class Causes {
  private readonly fates: readonly Fate[];
  private readonly byQuote: ReadonlyMap<string, Fate>;
  private readonly refusals = new Map<string, string>();
  private readonly columns: readonly QuoteColumns[];

  constructor(decisions: readonly Decision[], columns: readonly QuoteColumns[]) {
    this.columns = columns;
    this.fates = [...fatesOf(decisions).values()];
    this.byQuote = new Map(this.fates.map((fate) => [fate.order.quoteId, fate]));
    for (const { kind, quoteId, strategy, reason } of decisions) {
      if (kind === 'refused' && quoteId !== null) this.refusals.set(`${quoteId} ${strategy}`, reason ?? '-');
    }
  }

  /** Undefined for the same fill. */
  causeFor({ quoteId, side, strategy, lane, product, intentAt }: OrderText): string | undefined {
    const same = this.byQuote.get(quoteId);
    if (same && same.order.side !== side) return `the backtest used the quote to ${same.order.side}`;
    if (same) return same.state === 'accepted' ? undefined : `the backtest's order on it was ${same.state}`;
    const refusal = this.refusals.get(`${quoteId} ${strategy}`);
    if (refusal !== undefined) return `refused in the backtest: ${refusal}`;
    if (!this.isRecorded(quoteId, lane)) return 'the quote is not in the recording that was played';
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
