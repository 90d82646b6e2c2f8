import type Database from 'better-sqlite3';
import type { ActionDetail, DecisionOf } from '#domain/decision.ts';
import type { PastManualRequest } from '#domain/manual-request.ts';
import type { PastLine } from '#domain/schedule.ts';
import { type DecisionRecord, decisionOf } from './records.ts';
import { BESIDE_ORDERS } from './schema.ts';

/** How far the lines of the last run's schedule were dealt with: as it began, or by what was due since. Writes nothing. */
export function pastLines(database: Database.Database): PastLine[] {
  const row = database
    .prepare<[], DecisionRecord>(`SELECT * FROM decisions WHERE kind = 'scheduled' AND ${BESIDE_ORDERS} ORDER BY seq DESC LIMIT 1`)
    .get();
  if (!row) return [];
  const { detail } = decisionOf(row) as DecisionOf<'scheduled'>;
  const due = database
    .prepare<[number], { readonly name: string; readonly due_at: string }>(
      `SELECT detail ->> 'name' AS name, max(detail ->> 'dueAt') AS due_at FROM decisions
       WHERE kind = 'action' AND ${BESIDE_ORDERS} AND reason = 'BY_SCHEDULE' AND seq > ? GROUP BY 1`,
    )
    .all(row.seq);
  const since = new Map(due.map(({ name, due_at }) => [name, Date.parse(due_at)]));
  return detail.lines.map(({ name, cron, timezone, action, upTo }) => ({
    name,
    cron,
    timezone,
    action,
    upTo: Math.max(Date.parse(upTo), since.get(name) ?? 0),
  }));
}

/**
 * Actions of the last run, by a schedule, a halt or a person, whose last answer it did not receive; without creates
 * (`openCreates`). Writes nothing.
 */
export function unanswered(database: Database.Database): ActionDetail[] {
  const rows = database
    .prepare<[], DecisionRecord>(
      `SELECT * FROM decisions WHERE seq IN (
         SELECT max(seq) FROM decisions WHERE kind = 'action' AND ${BESIDE_ORDERS} AND detail ->> 'action' <> 'remote.create'
           AND seq > (SELECT max(seq) FROM decisions WHERE kind = 'started' AND ${BESIDE_ORDERS})
         GROUP BY detail ->> 'actionId')
       AND detail ->> 'status' = 'asked' ORDER BY seq`,
    )
    .all();
  return rows.map(actionIn);
}

/** True where the service has taken the last request that passes a halt on, and nothing was resumed since. Writes nothing. */
export function haltPassedOn(database: Database.Database): boolean {
  const wasTaken = database
    .prepare<[], number>(
      `SELECT detail ->> 'httpStatus' BETWEEN 200 AND 299 FROM decisions
       WHERE kind = 'action' AND ${BESIDE_ORDERS} AND reason = 'HALTED'
         AND seq > (SELECT coalesce(max(seq), 0) FROM decisions WHERE kind = 'resumed' AND ${BESIDE_ORDERS} AND strategy IS NULL)
       ORDER BY seq DESC LIMIT 1`,
    )
    .pluck();
  return wasTaken.get() === 1;
}

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
  return rows.map(actionIn);
}

const actionIn = (row: DecisionRecord): ActionDetail => (decisionOf(row) as DecisionOf<'action'>).detail;

/** Closings that people asked for and that no row ends, oldest first. Writes nothing. */
export function pastManualRequests(database: Database.Database): PastManualRequest[] {
  const rows = database
    .prepare<[], DecisionRecord>(
      `SELECT * FROM decisions WHERE kind = 'by_hand' AND ${BESIDE_ORDERS} AND CAST(inbox_seq AS TEXT) NOT IN
         (SELECT detail ->> 'id' FROM decisions WHERE kind = 'by_hand_end' AND ${BESIDE_ORDERS}) ORDER BY seq`,
    )
    .all();
  return rows.flatMap((row): PastManualRequest[] => {
    const { inboxSeq, at, detail } = decisionOf(row) as DecisionOf<'by_hand'>;
    const { act, who, why, wants, held } = detail;
    if (act === 'order' || held.length === 0) return [];
    const { pct } = wants;
    return [{ id: String(inboxSeq), at, act, who, why, pct: typeof pct === 'number' ? pct : 100, held }];
  });
}
