import { decisionOf } from '#adapters/journal/records.ts';
import { RunRows } from '#adapters/journal/run-rows.ts';
import { MANUAL_BOOK, MANUAL_TAG } from '#core/execution/plan.ts';
import type { Decision, DecisionDetails } from '#domain/decision.ts';
import { isoTime } from '#domain/names.ts';
import type { OrderText } from '#domain/order.ts';
import { idAt, type QuoteColumns } from '#domain/quote-columns.ts';
import { fillsOf, isUnfilled, RunCourse } from './against-course.ts';
import { differences } from './against-differences.ts';

/** A fill that the run and the backtest of its recording have not in common. */
interface OtherFill {
  readonly at: string;
  /** Which of the two has it; `both` on another quote or of another size. */
  readonly in: 'run' | 'backtest' | 'both';
  readonly order: string;
  readonly strategy: string;
  readonly side: string;
  readonly size: string;
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
export interface ParityComparison {
  readonly run: string;
  /** True if the run continued positions and counts of earlier runs, with which the comparison began as well. */
  readonly wentOn: boolean;
  readonly fills: number;
  /** Fills of the backtest. */
  readonly played: number;
  /** Fills that both made on the same quote, on the same side and of the same size. */
  readonly same: number;
  readonly others: readonly OtherFill[];
  /** Orders that the service rejected or never answered in the run, and those of them that came to the same in the backtest. */
  readonly unfilled: { readonly run: number; readonly same: number };
  /** No backtest plays them: what came after them may differ. */
  readonly acts: readonly JournaledAct[];
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

/**
 * Compares the fills of a journaled run with those of a backtest, quote by quote, with a cause for each difference.
 * Throws NOT_FOUND for a run that is unknown or in an archive, and what opening a journal throws.
 */
export function against(parts: {
  readonly journal: string;
  readonly run: string;
  readonly decisions: readonly Decision[];
  readonly wentOn: boolean;
  readonly columns: readonly QuoteColumns[];
}): ParityComparison {
  const rows = RunRows.open(parts.journal, parts.run);
  try {
    const decisions = [...rows.decisions()].map(decisionOf);
    rows.refuseArchived();
    const then = new RunCourse('the run', decisions);
    const now = new RunCourse('the backtest', parts.decisions);
    const byHand = new Set<string | null>(
      decisions.flatMap((row) => (row.kind === 'intent' && row.detail.tag === MANUAL_TAG ? [row.orderId] : [])),
    );
    const causeOf = (order: OrderText): string | undefined => {
      if (byHand.has(order.id)) return 'a manual order, which no backtest plays';
      const missing = isRecorded(order, parts.columns) ? undefined : 'the quote is not in the recording that was played';
      return now.recordedCause(order) ?? missing;
    };
    const { same, others } = differences(then, now, causeOf);
    const unfilled = then.fates.filter(isUnfilled);
    return {
      run: rows.run.run_id,
      wentOn: parts.wentOn,
      fills: fillsOf(then).length,
      played: fillsOf(now).length,
      same,
      others: others.map(({ in: of, order, cause }) => {
        const { id, strategy, side, size, quoteId, intentAt } = order;
        return { at: isoTime(intentAt), in: of, order: id, strategy, side, size, quote: quoteId, cause };
      }),
      unfilled: {
        run: unfilled.length,
        same: unfilled.filter(({ order, state }) => now.onQuoteOf(order)?.state === state).length,
      },
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

function isRecorded({ quoteId, lane }: OrderText, columns: readonly QuoteColumns[]): boolean {
  return columns.some((one) => {
    if (one.lane !== lane) return false;
    for (let row = 0; row < one.length; row += 1) if (idAt(one, row) === quoteId) return true;
    return false;
  });
}
