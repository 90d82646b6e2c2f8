import type Database from 'better-sqlite3';
import { decimalOf } from '../domain/decimal.ts';
import type { PastFill } from '../domain/event.ts';
import type { OrderState } from '../domain/order.ts';
import type { PastPeak, PastTry, PastWork } from '../domain/work-text.ts';
import type { DecisionRecord } from './chain.ts';
import { decisionOf } from './records.ts';
import { BESIDE_ORDERS } from './schema.ts';

interface TryRow {
  readonly name: string;
  readonly order_id: string;
  readonly state: OrderState;
  readonly at: string;
}

/** What was at work when the last run ended, with the orders of each leg so far. Writes nothing. */
export function pastWorks(database: Database.Database, fills: readonly PastFill[]): PastWork[] {
  const rows = database
    .prepare<[], DecisionRecord>(
      `SELECT * FROM decisions WHERE kind = 'working' AND ${BESIDE_ORDERS} AND json_extract(detail, '$.work') NOT IN
         (SELECT json_extract(detail, '$.work') FROM decisions WHERE kind = 'worked' AND ${BESIDE_ORDERS}) ORDER BY seq`,
    )
    .all();
  const [first] = rows;
  if (!first) return [];
  const tries = triesSince(database, first.seq);
  const byOrder = new Map(fills.map((fill) => [fill.orderId, fill]));
  return rows.flatMap((row): PastWork[] => {
    const decision = decisionOf(row);
    if (decision.kind !== 'working' || decision.strategy === null) return [];
    const { detail, strategy, at } = decision;
    const own = tries.filter(({ name }) => name.startsWith(`${detail.work}/`));
    return [{ ...detail, strategy, begun: at, tries: own.map((one) => pastTry(one, byOrder.get(one.order_id))) }];
  });
}

/** The last best price of each strategy's position that a row has. Writes nothing. */
export function pastPeaks(database: Database.Database): PastPeak[] {
  const rows = database
    .prepare<[], DecisionRecord>(
      `SELECT * FROM decisions WHERE seq IN
         (SELECT max(seq) FROM decisions WHERE kind = 'peak' AND ${BESIDE_ORDERS} GROUP BY strategy, product) ORDER BY seq`,
    )
    .all();
  return rows.flatMap((row): PastPeak[] => {
    const decision = decisionOf(row);
    const { strategy, product } = decision;
    return decision.kind === 'peak' && strategy !== null && product !== null ? [{ strategy, product, ...decision.detail }] : [];
  });
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

function pastTry({ name, state, at }: TryRow, past: PastFill | undefined): PastTry {
  const leg = Number(name.slice(name.lastIndexOf('/') + 1));
  return { leg, state, at: Date.parse(at), change: state === 'accepted' && past ? changeOf(past) : null };
}

/** What a fill changed in base currency; a fee taken in it counts. */
function changeOf({ fill }: PastFill): string {
  const size = decimalOf(fill.size);
  const moved = fill.side === 'buy' ? size : size.negated();
  const inBase = fill.feeCcy === fill.baseCcy && fill.baseCcy !== fill.quoteCcy;
  return (inBase ? moved.minus(fill.fee) : moved).toString();
}
