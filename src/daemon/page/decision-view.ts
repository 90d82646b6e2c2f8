import { type DecisionRecord, decisionOf } from '#adapters/journal/records.ts';
import type { Latch } from '#domain/latch.ts';
import { isoTime } from '#domain/names.ts';
import { oneLine } from '#domain/one-line.ts';
import { meaningOf } from '#domain/reasons.ts';
import { describeDecision } from '#report/decision-words.ts';
import type { ClosedProfit, DecisionView, LatchView } from '#server/page/past-view.ts';

/** A journal row as the page shows it, in the words of `kairos journal tail`. `closedBy` gives the profit of an order by what it closed. */
export function decisionView(record: DecisionRecord, closedBy: (order: string | null) => ClosedProfit | null): DecisionView {
  const decision = decisionOf(record);
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
    words: oneLine(describeDecision(decision)),
    fill: decision.kind === 'accepted' ? decision.detail.fill : null,
    closed: kind === 'accepted' || kind === 'resolved' ? closedBy(order_id) : null,
  };
}

/** A latch with the reason that its row gives. */
export const latchView = ({ since, reason: _unread, ...latch }: Latch, reason: string | null): LatchView => ({
  ...latch,
  since: isoTime(since),
  reason,
  meaning: meaningOf(reason),
});
