import type Database from 'better-sqlite3';
import type { ActionDetail } from '#domain/decision.ts';
import type { DecisionRecord } from './chain.ts';
import { decisionOf } from './records.ts';
import { BESIDE_ORDERS } from './schema.ts';

/** Creates of strategies at the service whose outcome nobody knows, oldest first. */
export function openCreates(database: Database.Database): ActionDetail[] {
  const rows = database
    .prepare<[], DecisionRecord>(
      `SELECT * FROM decisions WHERE seq IN (
         SELECT max(d.seq) FROM actions a JOIN decisions d ON d.kind = 'action' AND d.${BESIDE_ORDERS}
           AND json_extract(d.detail, '$.actionId') = a.action_id
         WHERE a.action = 'remote.create' AND a.status IN ('asked', 'unknown') GROUP BY a.action_id) ORDER BY seq`,
    )
    .all();
  return rows.map(decisionOf).flatMap((decision) => (decision.kind === 'action' ? [decision.detail] : []));
}
