import type Database from 'better-sqlite3';
import type { LearnedSize } from '#domain/event.ts';
import { type DecisionRecord, decisionsIn } from './records.ts';
import { BESIDE_ORDERS } from './schema.ts';

/** The largest size at spread 0 of each product that a row has, by product. Writes nothing. */
export function learnedSizes(database: Database.Database): LearnedSize[] {
  const rows = database.prepare<[], DecisionRecord>(
    `SELECT * FROM decisions WHERE seq IN (SELECT max(seq) FROM decisions WHERE kind = 'learned' AND ${BESIDE_ORDERS} GROUP BY lower(product))`,
  );
  return sizesIn(rows.all());
}

/** The same, of the last row of each product. */
export function sizesIn(rows: readonly DecisionRecord[]): LearnedSize[] {
  const sizes = decisionsIn(rows, 'learned').flatMap(({ product, at, detail }): LearnedSize[] =>
    product === null ? [] : [{ product, at, ...detail }],
  );
  return sizes.sort((a, b) => (a.product < b.product ? -1 : 1));
}
