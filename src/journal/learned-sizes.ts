import type Database from 'better-sqlite3';
import type { LearnedSize } from '../domain/event.ts';
import type { DecisionRecord } from './chain.ts';
import { decisionOf } from './records.ts';
import { BESIDE_ORDERS } from './schema.ts';

/** The largest size at spread 0 of each product that a row has. Writes nothing. */
export function learnedSizes(database: Database.Database): LearnedSize[] {
  const rows = database
    .prepare<[], DecisionRecord>(
      `SELECT * FROM decisions WHERE seq IN (SELECT max(seq) FROM decisions WHERE kind = 'learned' AND ${BESIDE_ORDERS} GROUP BY product)
       ORDER BY product`,
    )
    .all();
  return rows.flatMap((row): LearnedSize[] => {
    const decision = decisionOf(row);
    const { product, at } = decision;
    return decision.kind === 'learned' && product !== null ? [{ product, at, ...decision.detail }] : [];
  });
}
