import type Database from 'better-sqlite3';
import type { OrderRow } from './tables.ts';

/** An order with what its decisions tell of it. Decimals and times are text. */
export interface OrderDetails extends OrderRow {
  /** By what its outcome is known: the code of the last word on it. */
  readonly reason: string | null;
  /** What its strategy said, and the tag that it gave it. */
  readonly why: string | null;
  readonly tag: string | null;
  readonly lane: string | null;
  readonly base_ccy: string | null;
  readonly quote_ccy: string | null;
  readonly quoted_price: string | null;
  readonly quoted_size: string | null;
  readonly quoted_value: string | null;
  readonly quoted_fee: string | null;
  readonly time_left_ms: number | null;
  readonly round_trip_ms: number | null;
  readonly http_status: number | null;
}

/** Which orders to read: the newest `limit`, of one run, of one strategy and in one state where those are given. */
export interface OrderQuery {
  readonly limit: number;
  readonly run?: string | undefined;
  readonly strategy?: string | undefined;
  readonly state?: string | undefined;
}

/** Decisions of one kind about the order; an archive may have them. */
const of = (kind: string): string => `decisions WHERE order_id = o.order_id AND kind = '${kind}' ORDER BY seq DESC LIMIT 1`;
const ANSWER = "decisions WHERE order_id = o.order_id AND kind IN ('accepted', 'rejected', 'unknown') ORDER BY seq LIMIT 1";
const OUTCOME = `decisions WHERE order_id = o.order_id AND kind IN ('accepted', 'rejected', 'unknown', 'expired', 'not_sent', 'resolved')
  ORDER BY seq DESC LIMIT 1`;

/** Orders, newest first, with what was decided about them. */
export function toldOrders(database: Database.Database, { limit, run, strategy, state }: OrderQuery): OrderDetails[] {
  return database
    .prepare<[Record<string, string | number | null>], OrderDetails>(
      `SELECT order_id, run_id, strategy, product, side, quote_id, state, intent_at, sent_at, settled_at, valid_until, price, size, value, fee,
         fee_ccy, response, reason, intent ->> '$.why' AS why, intent ->> '$.tag' AS tag, asked ->> '$.lane' AS lane,
         asked ->> '$.baseCcy' AS base_ccy, asked ->> '$.quoteCcy' AS quote_ccy, asked ->> '$.price' AS quoted_price,
         asked ->> '$.size' AS quoted_size, asked ->> '$.value' AS quoted_value, asked ->> '$.fee' AS quoted_fee,
         alive AS time_left_ms, answer ->> '$.roundTripMs' AS round_trip_ms, answer ->> '$.httpStatus' AS http_status
       FROM (
         SELECT o.*, o.rowid AS place, (SELECT detail FROM ${of('intent')}) AS intent,
           (SELECT detail -> '$.order' FROM ${of('approved')}) AS asked, (SELECT detail ->> '$.timeLeftMs' FROM ${of('sent')}) AS alive,
           (SELECT detail FROM ${ANSWER}) AS answer, (SELECT reason FROM ${OUTCOME}) AS reason
         FROM orders o
         WHERE (@run IS NULL OR run_id = @run) AND (@strategy IS NULL OR strategy = @strategy) AND (@state IS NULL OR state = @state)
         ORDER BY o.rowid DESC LIMIT @limit
       ) ORDER BY place DESC`,
    )
    .all({ limit, run: run ?? null, strategy: strategy ?? null, state: state ?? null });
}
