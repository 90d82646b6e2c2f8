import type Database from 'better-sqlite3';
import { type FillText, fillOf, type OrderState } from '#domain/order.ts';
import { FLAT, positionAfter } from '#domain/position.ts';
import type { PastTry, PastWork, PositionPeak } from '#domain/work-text.ts';
import { type DecisionRecord, decisionsIn, fillIn } from './records.ts';

interface TryRow {
  readonly name: string;
  readonly order_id: string;
  readonly state: OrderState;
  readonly at: string;
}

/** The plans at work when the last run ended, from its rows, with the orders of each leg so far. Writes nothing. */
export function pastWorks(database: Database.Database, rows: readonly DecisionRecord[]): PastWork[] {
  const [first] = rows;
  if (!first) return [];
  const tries = triesSince(database, first.seq);
  return decisionsIn(rows, 'working').flatMap(({ strategy, at, detail }): PastWork[] => {
    if (strategy === null) return [];
    const own = tries.filter(({ name }) => name.startsWith(`${detail.work}/`));
    return [{ ...detail, strategy, begun: at, tries: own.map((one) => pastTry(one, fillOfOrder(database, one))) }];
  });
}

/** The last best price of each strategy's position, by the rows that have one. */
export function pastPeaks(rows: readonly DecisionRecord[]): PositionPeak[] {
  return decisionsIn(rows, 'peak').flatMap(({ strategy, product, detail }): PositionPeak[] =>
    strategy !== null && product !== null ? [{ strategy, product, ...detail }] : [],
  );
}

/** Orders that name the leg they served, oldest first. */
function triesSince(database: Database.Database, seq: number): TryRow[] {
  return database
    .prepare<[number], TryRow>(
      `SELECT json_extract(d.detail, '$.work') AS name, o.order_id AS order_id, o.state AS state, coalesce(o.settled_at, o.intent_at) AS at
       FROM decisions d JOIN orders o ON o.order_id = d.order_id
       WHERE d.kind = 'intent' AND d.seq > ? AND json_extract(d.detail, '$.work') IS NOT NULL ORDER BY d.seq`,
    )
    .all(seq);
}

/** The fill that settled an order, from its first outcome; null if it was not executed. */
function fillOfOrder(database: Database.Database, { order_id, state }: TryRow): FillText | null {
  if (state !== 'accepted') return null;
  const words = database.prepare<[string], Pick<DecisionRecord, 'seq' | 'detail'>>(
    `SELECT seq, detail FROM decisions WHERE order_id = ? AND kind IN ('accepted', 'resolved')
     AND json_extract(detail, '$.fill') IS NOT NULL ORDER BY seq LIMIT 1`,
  );
  return words.all(order_id).map(fillIn).at(0) ?? null;
}

function pastTry({ name, order_id: order, state, at }: TryRow, fill: FillText | null): PastTry {
  const leg = Number(name.slice(name.lastIndexOf('/') + 1));
  return { order, leg, state, at: Date.parse(at), change: fill && changeOf(fill) };
}

/** What a fill changed in base currency; a fee taken in it counts. */
const changeOf = (fill: FillText): string => positionAfter(FLAT, fillOf(fill), 0).size.toString();
