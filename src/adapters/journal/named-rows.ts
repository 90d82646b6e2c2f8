import type Database from 'better-sqlite3';
import type { Decision, DecisionOf } from '#domain/decision.ts';
import { type DecisionRecord, decisionOf, decisionsIn } from './records.ts';
import { BESIDE_ORDERS } from './schema.ts';

/** Every strategy that a run was configured with, or that has an order. */
export function strategiesIn(database: Database.Database): readonly string[] {
  return database
    .prepare<[], string>(
      `SELECT json_extract(entry.value, '$.id') AS id
       FROM runs, json_each(iif(json_valid(config_json), config_json, '{}'), '$.strategies') AS entry
       UNION SELECT strategy FROM orders ORDER BY id`,
    )
    .pluck()
    .all();
}

/**
 * True for a row that says no more of why there is no order than one before it: that a strategy cannot trade, that a plan is over, or
 * that a leg failed whose refusal or order has a row.
 */
export const isBesideLast = ({ kind, detail }: Decision): boolean =>
  kind === 'blocked' || kind === 'worked' || (kind === 'leg_failed' && detail.last !== null);

/** The last decision about a strategy at an ISO time or before; those of `isBesideLast` are none. */
export function lastDecision(database: Database.Database, strategy: string, at: string): DecisionRecord | undefined {
  const rows = database.prepare<[string, string], DecisionRecord>(
    'SELECT * FROM decisions WHERE strategy = ? AND at <= ? ORDER BY seq DESC',
  );
  for (const row of rows.iterate(strategy, at)) if (!isBesideLast(decisionOf(row))) return row;
  return undefined;
}

/** The last word of a run on whether a strategy could trade, at an ISO time or before. */
export function lastBlocked(
  database: Database.Database,
  { strategy, at, run }: { readonly strategy: string; readonly at: string; readonly run: string },
): DecisionRecord | undefined {
  return database
    .prepare<[string, string, string], DecisionRecord>(
      `SELECT * FROM decisions WHERE strategy = ? AND at <= ? AND run_id = ? AND kind = 'blocked' AND ${BESIDE_ORDERS} ORDER BY seq DESC LIMIT 1`,
    )
    .get(strategy, at, run);
}

/** Whether this service's way with orders was seen: a purchase and a sale by hand were executed, as `rehearse` does, or an order of a strategy. */
export function wasRehearsed(database: Database.Database): boolean {
  const sql = "SELECT count(DISTINCT side) > 1 OR count(*) FILTER (WHERE strategy <> 'manual') > 0 FROM orders WHERE state = 'accepted'";
  return database.prepare<[], number>(sql).pluck().get() === 1;
}

/** The service's answer to the last order that was executed. */
export function lastAnswer(database: Database.Database): string | undefined {
  const sql = "SELECT response FROM orders WHERE state = 'accepted' AND response IS NOT NULL ORDER BY settled_at DESC LIMIT 1";
  return database.prepare<[], string>(sql).pluck().get();
}

/** The last time that a person armed a configuration. */
export function lastArmedByPerson(database: Database.Database): DecisionOf<'armed'> | undefined {
  const rows = database.prepare<[], DecisionRecord>(
    `SELECT * FROM decisions WHERE kind = 'armed' AND ${BESIDE_ORDERS} AND reason = 'BY_PERSON' ORDER BY seq DESC LIMIT 1`,
  );
  return decisionsIn(rows.all(), 'armed').at(0);
}

/** How well a run knew the service's time, by its last word on it; undefined where the last word on it is of an earlier run. */
export function lastClockOf(database: Database.Database, run: string): DecisionOf<'clock'> | undefined {
  const rows = database.prepare<[string], DecisionRecord>(
    `SELECT * FROM (SELECT * FROM decisions WHERE kind = 'clock' AND ${BESIDE_ORDERS} ORDER BY seq DESC LIMIT 1) WHERE run_id = ?`,
  );
  return decisionsIn(rows.all(run), 'clock').at(0);
}

/** How often a strategy's code threw in a run, and its last error. */
export interface StrategyErrors {
  readonly times: number;
  /** ISO time of the last one. */
  readonly at: string;
  readonly error: string;
}

/** What a strategy threw in a run, up to an ISO time; null where it threw nothing. */
export function thrownIn(
  database: Database.Database,
  { strategy, run, at }: { readonly strategy: string; readonly run: string; readonly at: string },
): StrategyErrors | null {
  const found = database
    .prepare<[string, string, string], StrategyErrors>(
      `SELECT count(*) OVER () AS times, at, json_extract(detail, '$.error') AS error
       FROM decisions WHERE kind = 'threw' AND ${BESIDE_ORDERS} AND strategy = ? AND run_id = ? AND at <= ? ORDER BY seq DESC LIMIT 1`,
    )
    .get(strategy, run, at);
  return found ?? null;
}

/** Ids of the last two runs, the newest first. */
export function lastRuns(database: Database.Database): readonly string[] {
  return database.prepare<[], string>('SELECT run_id FROM runs ORDER BY rowid DESC LIMIT 2').pluck().all();
}

/** The last row of the last order of a strategy in a run, up to an ISO time. */
export function lastOrderOf(
  database: Database.Database,
  { strategy, run, at }: { readonly strategy: string; readonly run: string; readonly at: string },
): DecisionRecord | undefined {
  return database
    .prepare<[string, string, string], DecisionRecord>(
      'SELECT * FROM decisions WHERE strategy = ? AND run_id = ? AND at <= ? AND order_id IS NOT NULL ORDER BY seq DESC LIMIT 1',
    )
    .get(strategy, run, at);
}

/** When something was last refused, to that strategy or to any, as an ISO time. */
export function lastRefusal(database: Database.Database, strategy: string | undefined): string | undefined {
  return database
    .prepare<[string | null, string | null], string>(
      "SELECT at FROM decisions WHERE kind = 'refused' AND (? IS NULL OR strategy = ?) ORDER BY seq DESC LIMIT 1",
    )
    .pluck()
    .get(strategy ?? null, strategy ?? null);
}

/**
 * The orders that a word of a person may mean: `last` is the newest, a whole id itself, the number before the hyphen those that were
 * decided on that event, the first digits of a quote's id, eight or more, those that named it.
 */
export function ordersNamed(database: Database.Database, word: string): readonly string[] {
  const ids = (sql: string, ...values: readonly string[]): string[] =>
    database
      .prepare<string[], string>(sql)
      .pluck()
      .all(...values);
  if (word === 'last') return ids('SELECT order_id FROM orders ORDER BY rowid DESC LIMIT 1');
  const found = ids('SELECT DISTINCT order_id FROM decisions WHERE order_id = ?', word);
  if (found.length > 0) return found;
  const numbered = /^\d+$/.test(word) ? ids('SELECT order_id FROM orders WHERE order_id GLOB ? ORDER BY rowid', `${word}-*`) : [];
  if (numbered.length > 0 || !/^[0-9a-f]{8}[0-9a-f-]*$/.test(word)) return numbered;
  return ids('SELECT order_id FROM orders WHERE quote_id GLOB ? ORDER BY rowid', `${word}*`);
}

/** Why an order's outcome is unknown, as it was journaled last; null where nothing was. */
export function whyUnknown(database: Database.Database, orderId: string): string | null {
  const sql = "SELECT json_extract(detail, '$.why') FROM decisions WHERE order_id = ? AND kind = 'unknown' ORDER BY seq DESC LIMIT 1";
  return database.prepare<[string], string | null>(sql).pluck().get(orderId) ?? null;
}

/** The newest runs that can have recorded a product: the one of its last order, and later ones whose configuration names it. */
export function runsOfProduct(database: Database.Database, product: string, most: number): readonly string[] {
  return database
    .prepare<{ product: string; named: string; most: number }, string>(
      `WITH last AS (
         SELECT run.rowid AS place FROM orders JOIN runs AS run USING (run_id)
         WHERE lower(orders.product) = @product ORDER BY orders.rowid DESC LIMIT 1
       )
       SELECT run_id FROM runs, last
       WHERE runs.rowid = last.place OR (runs.rowid > last.place AND instr(lower(config_json), @named) > 0)
       ORDER BY runs.rowid DESC LIMIT @most`,
    )
    .pluck()
    .all({ product, named: JSON.stringify(product), most });
}
