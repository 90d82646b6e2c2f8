import type { Story } from '#adapters/journal/reader.ts';
import { detailOf } from '#adapters/journal/records.ts';
import { oneLine } from '#domain/one-line.ts';
import { DecisionLines } from './decision-lines.ts';

/** The full history of an order for people: its outcome, each decision with its detail, and its bookings. */
export function storyLines({ order, decisions, ledger }: Omit<Story, 'decidedAt'>): string {
  const lines: string[] = [];
  if (order) {
    const { order_id, state, side, size, product, price, value, fee, fee_ccy, strategy, run_id } = order;
    lines.push(`order ${order_id}  ${state}  ${side} ${size} ${product} at ${price} = ${value}, fee ${fee} ${fee_ccy}`);
    lines.push(`strategy ${strategy}  run ${run_id}  quote ${order.quote_id}`);
    lines.push(
      `intent ${order.intent_at}  sent ${order.sent_at ?? '-'}  settled ${order.settled_at ?? '-'}  valid until ${order.valid_until}`,
    );
    lines.push('');
  }
  const rows = new DecisionLines({ isWide: true }).fit(decisions);
  for (const decision of decisions) {
    lines.push(`${decision.seq}  ${rows.line(decision)}`);
    for (const [name, value] of Object.entries(detailOf(decision))) lines.push(`    ${name}: ${JSON.stringify(value)}`);
  }
  if (ledger.length > 0) lines.push('');
  for (const { entry_id, at, kind, amount, currency, book } of ledger) {
    lines.push(`ledger ${entry_id}  ${at}  ${kind.padEnd(4)}  ${amount} ${currency}  (${book})`);
  }
  return lines.map(oneLine).join('\n');
}
