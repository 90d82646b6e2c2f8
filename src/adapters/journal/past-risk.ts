import type Database from 'better-sqlite3';
import { type Decimal, ZERO } from '#domain/decimal.ts';
import type { ArmedDetail } from '#domain/decision.ts';
import { currency, isoTime, type Millis } from '#domain/names.ts';
import type { OrderState } from '#domain/order.ts';
import type { LastOpening, PastOrder, PastProfit, PastRisk } from '#domain/past-risk.ts';
import { DAY_MS, dayStart } from '#domain/utc-day.ts';
import { type DecisionRecord, decisionsIn } from './records.ts';
import { BESIDE_ORDERS, IS_ANEW } from './schema.ts';

const RATE_WINDOW_MS = 60_000;
/** Number of last orders among which those of each strategy, and consecutive rejections, are sought. */
const ORDERS_SOUGHT = 1_000;
/** Rows of `orders` that came last of each strategy and product. A rotation keeps their decisions too. */
export const LAST_ORDERS = `SELECT max(row) FROM
  (SELECT rowid AS row, strategy, product FROM orders ORDER BY rowid DESC LIMIT ${ORDERS_SOUGHT}) GROUP BY strategy, product`;

/** What earlier runs counted towards limits, from their rows; `flows` is added up already. Writes nothing. */
export function pastRisk(database: Database.Database, now: Millis, flows: PastRisk['flows']): PastRisk {
  const armed = lastOf(database, 'armed');
  const profit = lastOf(database, 'measured');
  return {
    recentOrders: recentOrders(database, now),
    lastOpenings: lastOpenings(database),
    dayValue: dayValue(database, now),
    flows,
    rejections: rejections(database),
    waitUntil: waitUntil(database),
    profit: profit === undefined ? null : pastProfit(profit.detail),
    ...(isAnew(database) && { anew: true }),
    armed: armed === undefined ? null : armedIn(armed.detail),
    ...crashes(database, now),
  };
}

const armedIn = ({ configHash, build, instance }: ArmedDetail): PastRisk['armed'] => ({
  configHash,
  build,
  ...(instance !== undefined && { instance }),
});

function lastOf<Kind extends 'armed' | 'measured'>(database: Database.Database, kind: Kind) {
  const rows = database
    .prepare<[string], DecisionRecord>(`SELECT * FROM decisions WHERE kind = ? AND ${BESIDE_ORDERS} ORDER BY seq DESC LIMIT 1`)
    .all(kind);
  return decisionsIn(rows, kind).at(0);
}

const pastProfit = ({ day, byCurrency, ...rest }: PastProfit): PastProfit => ({
  day,
  byCurrency: Object.fromEntries(Object.entries(byCurrency).map(([name, figures]) => [currency(name), figures])),
  ...rest,
});

/** Whether a person has armed or resumed since profit was measured last, while no daemon ran. */
function isAnew(database: Database.Database): boolean {
  const sql = `SELECT EXISTS (SELECT 1 FROM decisions WHERE inbox_seq = 0 AND ${IS_ANEW}
    AND seq > (SELECT coalesce(max(seq), 0) FROM decisions WHERE kind = 'measured' AND ${BESIDE_ORDERS}))`;
  return database.prepare<[], number>(sql).pluck().get() === 1;
}

function recentOrders(database: Database.Database, now: Millis): PastOrder[] {
  return database
    .prepare<[string], { at: string; strategy: string; product: string }>(
      'SELECT intent_at AS at, strategy, lower(product) AS product FROM orders WHERE intent_at > ? ORDER BY intent_at',
    )
    .all(isoTime(now - RATE_WINDOW_MS))
    .map(({ at, ...order }) => ({ ...order, at: Date.parse(at) }));
}

/**
 * Last orders that opened, which `UNKNOWN_BUDGET` alone tells for sure: each opening is held against it, and no exit. At the size that was
 * ordered, of which a part may be executed. What never reached the service, or was rejected there, leaves room for the same again.
 */
function lastOpenings(database: Database.Database): LastOpening[] {
  return database
    .prepare<[], Omit<LastOpening, 'at'> & { at: string; state: OrderState }>(
      `SELECT o.order_id AS id, o.intent_at AS at, o.strategy, lower(o.product) AS product, o.side, o.state,
         json_extract(d.detail, '$.order.size') AS size
       FROM orders o JOIN decisions d ON d.order_id = o.order_id AND d.kind = 'approved'
       WHERE o.rowid IN (${LAST_ORDERS})
         AND EXISTS (SELECT 1 FROM json_each(d.detail, '$.checks') WHERE value ->> 0 = 'UNKNOWN_BUDGET') ORDER BY o.rowid`,
    )
    .all()
    .filter(({ state }) => state !== 'expired' && state !== 'not_sent' && state !== 'rejected')
    .map(({ at, state, ...order }) => ({ ...order, at: Date.parse(at) }));
}

/** Orders that reached the service, or may have, count as they were quoted; rejected ones and those that never left do not. */
function dayValue(database: Database.Database, now: Millis): Record<string, string> {
  const rows = database
    .prepare<[string], Money>(
      `SELECT lower(json_extract(d.detail, '$.order.quoteCcy')) AS currency, json_extract(d.detail, '$.order.value') AS value
       FROM orders o CROSS JOIN decisions d ON d.order_id = o.order_id AND d.kind = 'approved'
       WHERE o.intent_at >= ? AND o.state IN ('intent', 'sent', 'unknown', 'accepted')`,
    )
    .all(isoTime(dayStart(now)));
  return sums(rows);
}

interface Money {
  readonly currency: string;
  readonly value: string;
}

function sums(rows: readonly Money[]): Record<string, string> {
  const totals = new Map<string, Decimal>();
  for (const { currency, value } of rows) totals.set(currency, (totals.get(currency) ?? ZERO).plus(value));
  return Object.fromEntries([...totals].map(([currency, total]) => [currency, total.toString()]));
}

function rejections(database: Database.Database): number {
  const since = database.prepare<[], string | null>(`SELECT max(at) FROM decisions WHERE ${IS_ANEW}`).pluck().get() ?? '';
  const states = database
    .prepare<[number, string], string>(
      `SELECT state FROM (SELECT rowid AS row, state, settled_at FROM orders ORDER BY rowid DESC LIMIT ?)
       WHERE state IN ('accepted', 'rejected') AND settled_at > ? ORDER BY settled_at DESC, row DESC`,
    )
    .pluck()
    .all(ORDERS_SOUGHT, since);
  const accepted = states.indexOf('accepted');
  return accepted === -1 ? states.length : accepted;
}

/** The last rejections, which are searched for waits. A rotation keeps them too. */
export const LAST_REJECTED = `SELECT seq FROM decisions WHERE kind = 'rejected' AND ${BESIDE_ORDERS} ORDER BY seq DESC LIMIT 100`;

/** Until when the service asked us to wait: of its last answers with 429, the wait that ends last. Null where there is none. */
export function waitUntil(database: Database.Database): Millis | null {
  const rows = database.prepare<[], DecisionRecord>(`SELECT * FROM decisions WHERE seq IN (${LAST_REJECTED})`).all();
  const ends = decisionsIn(rows, 'rejected').flatMap(({ at, detail: { retryAfterMs } }) =>
    retryAfterMs === undefined ? [] : at + retryAfterMs,
  );
  return ends.length === 0 ? null : Math.max(...ends);
}

/**
 * Crashes of the last day that no person has acknowledged by arming or resuming trading. At the last one nobody has looked but who did so
 * while no daemon ran: what a run wrote, it wrote before its end, whatever the clocks say.
 */
function crashes(database: Database.Database, now: Millis): Pick<PastRisk, 'crashes' | 'crashed'> {
  const noted = database
    .prepare<[], { at: string; inboxSeq: number; run: string }>(
      `SELECT at, inbox_seq AS inboxSeq, run_id AS run FROM decisions WHERE kind IN ('resumed', 'armed') AND ${BESIDE_ORDERS}
       AND CASE kind WHEN 'resumed' THEN strategy IS NULL ELSE reason = 'BY_PERSON' END ORDER BY seq DESC LIMIT 1`,
    )
    .get();
  const since = noted === undefined ? now - DAY_MS : Math.max(now - DAY_MS, Date.parse(noted.at));
  const runs = database
    .prepare<[], { run: string; at: string; state: string | null }>(
      `SELECT r.run_id AS run, coalesce(ended_at, CASE WHEN r.rowid = (SELECT max(rowid) FROM runs)
         THEN (SELECT at FROM decisions WHERE inbox_seq > 0 ORDER BY seq DESC LIMIT 1) END, started_at) AS at, end_state AS state
       FROM runs r ORDER BY r.rowid DESC LIMIT 1000`,
    )
    .all();
  const isCrash = ({ state }: { readonly state: string | null }): boolean => state === null || state === 'crashed';
  const times = runs.filter(isCrash).map(({ at }) => Date.parse(at));
  const [last] = runs;
  return {
    crashes: times.filter((at) => at > since).reverse(),
    crashed: last !== undefined && isCrash(last) && !(noted?.inboxSeq === 0 && noted.run === last.run),
  };
}
