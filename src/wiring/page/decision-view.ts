import { REASONS, type Reason } from '../../domain/reasons.ts';
import type { DecisionRecord } from '../../journal/chain.ts';
import { decisionOf } from '../../journal/records.ts';
import type { DecisionView } from '../../ops/page/past-view.ts';
import { oneLine, tellingOf } from '../../report/decision-words.ts';

/** A row of the journal as the page shows it: the words are those of `kairos journal tail`. */
export function decisionView(record: DecisionRecord): DecisionView {
  const { seq, run_id, at, kind, strategy, product, reason, order_id } = record;
  return {
    seq,
    run: run_id,
    at,
    kind,
    strategy,
    product,
    reason,
    meaning: meaningOf(reason),
    order: order_id,
    words: oneLine(tellingOf(decisionOf(record))),
  };
}

/** What a reason code means; null for none, and for one of another version. */
export const meaningOf = (reason: string | null): string | null => (reason !== null && isReason(reason) ? REASONS[reason] : null);

const isReason = (text: string): text is Reason => Object.hasOwn(REASONS, text);
