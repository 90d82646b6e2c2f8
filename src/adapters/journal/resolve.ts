import type { Decision, DecisionRow } from '#domain/decision.ts';
import { KairosError } from '#domain/errors.ts';
import { type Millis, orderId, productCode, quoteId, runId, strategyId } from '#domain/names.ts';
import type { FillText, OrderText } from '#domain/order.ts';
import { type ResolvedFigures, resolvedFill } from '#domain/resolved-fill.ts';
import { JournalReader } from './reader.ts';
import { decisionsIn } from './records.ts';
import { SqliteJournal } from './sqlite-journal.ts';

interface ResolveOptions {
  readonly path: string;
  readonly orderId: string;
  readonly as: 'accepted' | 'rejected';
  readonly figures?: ResolvedFigures;
  readonly who: string;
  readonly why: string;
  readonly now: Millis;
}

/** What was settled, for showing. */
interface Resolution {
  readonly order: OrderText;
  readonly as: 'accepted' | 'rejected';
  readonly fill: FillText | null;
}

/**
 * Settles an order of unknown outcome by a person's word. Takes the lease itself: throws JOURNAL_LEASED while a daemon
 * runs, NOT_FOUND for an order that is not there, NOT_OPEN for one that has an outcome, USAGE for figures that are none.
 * An order that a crash left on its way is first journaled as unknown. The rows belong to the order's run and to no
 * event of its inbox (`inbox_seq` 0).
 */
export function resolveOrder(options: ResolveOptions): Resolution {
  const { path, now, as, who, why } = options;
  // Looked for first, so that a wrong path is told of and no journal is made there.
  JournalReader.open(path).close();
  const journal = SqliteJournal.open({ path, book: null, beforeCommit: () => {} });
  try {
    const { order, run, state } = found(path, options.orderId);
    if (state !== 'unknown' && state !== 'intent' && state !== 'sent') {
      throw new KairosError(
        'NOT_OPEN',
        `order ${options.orderId} is ${state}, and its first outcome stands: \`kairos reconcile\` corrects the books`,
      );
    }
    const fill = as === 'accepted' ? resolvedFill(order, options.figures ?? {}) : null;
    const about = aboutOf(order, now);
    const crashed: DecisionRow<'unknown'> = {
      ...about,
      kind: 'unknown',
      reason: 'CRASH_RECOVERY',
      detail: { httpStatus: null, roundTripMs: null, body: '', why: 'the process ended while the order was on its way' },
    };
    const resolved: DecisionRow<'resolved'> = { ...about, kind: 'resolved', reason: 'BY_PERSON', detail: { who, why, as, fill } };
    const rows: readonly Decision[] = state === 'unknown' ? [resolved] : [crashed, resolved];
    journal.appendTo(runId(run), rows);
    return { order, as, fill };
  } finally {
    journal.close();
  }
}

function found(path: string, id: string): { order: OrderText; run: string; state: string } {
  const reader = JournalReader.open(path);
  try {
    const { order, decisions } = reader.story(id) ?? { order: null, decisions: [] };
    const [approved] = decisionsIn(decisions, 'approved');
    if (!order || !approved) throw new KairosError('NOT_FOUND', `there is no order ${id} in journal ${path}: see kairos journal tail`);
    return { order: approved.detail.order, run: order.run_id, state: order.state };
  } finally {
    reader.close();
  }
}

function aboutOf(order: OrderText, now: Millis) {
  return {
    at: now,
    inboxSeq: 0,
    strategy: strategyId(order.strategy),
    product: productCode(order.product),
    quoteId: quoteId(order.quoteId),
    orderId: orderId(order.id),
  };
}
