import type Database from 'better-sqlite3';
import type { ActionDetail } from '#domain/decision.ts';
import type { PastLine } from '#domain/schedule.ts';
import type { DecisionRecord } from './chain.ts';
import { decisionOf } from './records.ts';
import { BESIDE_ORDERS } from './schema.ts';

/** How far the lines of the last run's schedule were dealt with: as it began, or by what was due since. Writes nothing. */
export function pastLines(database: Database.Database): PastLine[] {
  const row = database
    .prepare<[], DecisionRecord>(`SELECT * FROM decisions WHERE kind = 'scheduled' AND ${BESIDE_ORDERS} ORDER BY seq DESC LIMIT 1`)
    .get();
  const decision = row && decisionOf(row);
  if (!row || decision?.kind !== 'scheduled') return [];
  const due = database
    .prepare<[number], { readonly name: string; readonly due_at: string }>(
      `SELECT detail ->> 'name' AS name, max(detail ->> 'dueAt') AS due_at FROM decisions
       WHERE kind = 'action' AND ${BESIDE_ORDERS} AND reason = 'BY_SCHEDULE' AND seq > ? GROUP BY 1`,
    )
    .all(row.seq);
  const since = new Map(due.map(({ name, due_at }) => [name, Date.parse(due_at)]));
  return decision.detail.lines.map(({ name, cron, timezone, action, upTo }) => ({
    name,
    cron,
    timezone,
    action,
    upTo: Math.max(Date.parse(upTo), since.get(name) ?? Number.NEGATIVE_INFINITY),
  }));
}

/**
 * What was asked for in the last run and whose last answer it did not hear, by a schedule, a halt or a person; creates are
 * told apart (`openCreates`). Writes nothing.
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
  return rows.flatMap((row) => {
    const decision = decisionOf(row);
    return decision.kind === 'action' ? [decision.detail] : [];
  });
}
