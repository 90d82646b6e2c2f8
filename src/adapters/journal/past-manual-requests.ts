import type Database from 'better-sqlite3';
import type { PastManualRequest } from '#domain/manual-request.ts';
import type { DecisionRecord } from './chain.ts';
import { decisionOf } from './records.ts';
import { BESIDE_ORDERS } from './schema.ts';

/** What people asked to close, oldest first, and of which no row says that it is over. Writes nothing. */
export function pastManualRequests(database: Database.Database): PastManualRequest[] {
  const rows = database
    .prepare<[], DecisionRecord>(
      `SELECT * FROM decisions WHERE kind = 'by_hand' AND ${BESIDE_ORDERS} AND CAST(inbox_seq AS TEXT) NOT IN
         (SELECT detail ->> 'id' FROM decisions WHERE kind = 'by_hand_end' AND ${BESIDE_ORDERS}) ORDER BY seq`,
    )
    .all();
  return rows.flatMap((row): PastManualRequest[] => {
    const decision = decisionOf(row);
    if (decision.kind !== 'by_hand') return [];
    const { act, who, why, wants, held = [] } = decision.detail;
    if (act === 'order' || held.length === 0) return [];
    const { pct } = wants;
    return [{ id: String(decision.inboxSeq), act, who, why, pct: typeof pct === 'number' ? pct : 100, held }];
  });
}
