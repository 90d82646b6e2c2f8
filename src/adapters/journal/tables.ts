import type Database from 'better-sqlite3';
import { decimalOf } from '#domain/decimal.ts';
import type { ActionDetail, BookedEntry, DecisionDetails, DecisionKind, DecisionRow } from '#domain/decision.ts';
import { isoTime } from '#domain/names.ts';
import type { NotificationDetail } from '#domain/notification.ts';
import { type FillText, mayTake, type OrderEvent, type OrderState, type OrderText } from '#domain/order.ts';
import type { Side } from '#domain/quote.ts';
import { CHAIN_START, type ChainEnd, type DecisionRecord } from './records.ts';

/** A row of `orders`. Decimals and times are text. */
export interface OrderRow {
  readonly order_id: string;
  readonly run_id: string;
  readonly strategy: string;
  readonly product: string;
  readonly side: Side;
  readonly quote_id: string;
  readonly state: OrderState;
  readonly intent_at: string;
  readonly sent_at: string | null;
  readonly settled_at: string | null;
  readonly valid_until: string;
  readonly price: string;
  readonly size: string;
  readonly value: string;
  readonly fee: string;
  readonly fee_ccy: string;
  readonly response: string | null;
}

/** A row of `ledger` but its number: one signed movement. */
export interface LedgerEntry {
  readonly run_id: string;
  readonly at: string;
  readonly book: string;
  readonly product: string | null;
  readonly kind: 'fill' | 'fee' | BookedEntry['kind'];
  readonly currency: string;
  readonly amount: string;
  readonly order_id: string | null;
}

/** A row of `actions`. */
export interface ActionRow {
  readonly action_id: string;
  readonly run_id: string;
  readonly name: string;
  readonly action: string;
  readonly arguments: string;
  readonly due_at: string;
  readonly asked_at: string;
  readonly status: ActionDetail['status'];
  readonly http_status: number | null;
  readonly response: string | null;
}

/** A row of `notifications`. */
export interface NotificationRow {
  readonly id: string;
  readonly received_at: string;
  readonly type: string;
  readonly transfer_id: string | null;
  readonly status: NotificationDetail['status'];
  readonly body: string;
}

/** What a decision changes in the tables that follow from `decisions`. */
type Change =
  | { readonly table: 'orders'; readonly how: 'insert' | 'update'; readonly row: OrderRow }
  | { readonly table: 'ledger'; readonly row: LedgerEntry }
  | { readonly table: 'actions'; readonly row: ActionRow }
  | { readonly table: 'notifications'; readonly row: NotificationRow };

const NOTHING: readonly Change[] = [];

/** What a projection may use besides the decision: its run, and its order before it. */
interface Around {
  readonly run: string;
  readonly at: string;
  readonly before: OrderRow | undefined;
}

type Projection<Kind extends DecisionKind> = (detail: DecisionDetails[Kind], around: Around) => readonly Change[];

/**
 * What a decision changes, of the kinds that change anything. SQLite keeps UTF-8, which has no lone surrogates: texts of others are made
 * well formed here, so that a rebuilt row equals the stored one.
 */
const PROJECTIONS: { readonly [Kind in DecisionKind]?: Projection<Kind> } = {
  approved: ({ order }, { run }) => [{ table: 'orders', how: 'insert', row: newOrder(run, order) }],
  sent: ({ sentAt }, { before }) => moved(before, 'written', { state: 'sent', sent_at: sentAt }),
  expired: (_detail, { before, at }) => moved(before, 'expired', { state: 'expired', settled_at: at }),
  not_sent: (_detail, { before, at }) => moved(before, 'not_sent', { state: 'not_sent', settled_at: at }),
  unknown: ({ body }, { before }) => moved(before, 'unknown', { state: 'unknown', response: body.toWellFormed() }),
  rejected: ({ body }, { before, at }) => moved(before, 'rejected', { state: 'rejected', settled_at: at, response: body.toWellFormed() }),
  accepted: ({ fill, body }, { before, run, at }) => filled(before, { run, at, fill, response: body.toWellFormed() }),
  resolved: ({ as, fill }, { before, run, at }) => {
    if (as === 'rejected') return moved(before, 'rejected', { state: 'rejected', settled_at: at });
    return fill === null ? NOTHING : filled(before, { run, at, fill });
  },
  action: (detail, { run }) => [{ table: 'actions', row: actionRow(run, detail) }],
  notification: (detail) => [{ table: 'notifications', row: notificationRow(detail) }],
  booked: ({ entries }, { run, at }) =>
    entries.map((entry) => ({
      table: 'ledger',
      row: { run_id: run, at, product: entry.product ?? null, order_id: null, ...movement(entry) },
    })),
};

/** Kinds whose rows may change other tables; those of a kind that this version does not know change none. */
export const PROJECTED: ReadonlySet<string> = new Set(Object.keys(PROJECTIONS));

/**
 * What a decision of `run` changes, given its order as it stood before. Pure, and the only place that says so: the
 * writer applies it with each row, `journal verify` rebuilds the tables with it. A word on an order that is settled
 * already changes nothing: the first one stands.
 */
export function project<Kind extends DecisionKind>(
  run: string,
  { kind, detail, at }: DecisionRow<Kind>,
  before: OrderRow | undefined,
): readonly Change[] {
  return PROJECTED.has(kind) ? (PROJECTIONS[kind]?.(detail, { run, at: isoTime(at), before }) ?? NOTHING) : NOTHING;
}

/** The row of an order that was just permitted. */
export function newOrder(run: string, order: OrderText): OrderRow {
  return {
    order_id: order.id,
    run_id: run,
    strategy: order.strategy,
    product: order.product,
    side: order.side,
    quote_id: order.quoteId,
    state: 'intent',
    intent_at: isoTime(order.intentAt),
    sent_at: null,
    settled_at: null,
    valid_until: isoTime(order.validUntil),
    price: order.price,
    size: order.size,
    value: order.value,
    fee: order.fee,
    fee_ccy: order.feeCcy,
    response: null,
  };
}

function moved(before: OrderRow | undefined, event: OrderEvent['type'], changes: Partial<OrderRow>): readonly Change[] {
  if (!before || !mayTake(before.state, event)) return NOTHING;
  return [{ table: 'orders', how: 'update', row: { ...before, ...changes } }];
}

interface FillRecord {
  readonly run: string;
  readonly at: string;
  readonly fill: FillText;
  readonly response?: string;
}

function filled(before: OrderRow | undefined, { run, at, fill, response }: FillRecord): readonly Change[] {
  if (!before) return NOTHING;
  const { price, size, value, fee, feeCcy } = fill;
  const order = moved(before, 'accepted', {
    state: 'accepted',
    settled_at: at,
    price,
    size,
    value,
    fee,
    fee_ccy: feeCcy,
    ...(response === undefined ? {} : { response }),
  });
  if (order.length === 0) return NOTHING;
  const { strategy, product, order_id } = before;
  const of = { run_id: run, at, book: strategy, product, order_id };
  const buys = fill.side === 'buy';
  return [
    ...order,
    { table: 'ledger', row: { ...of, kind: 'fill', currency: fill.baseCcy, amount: signed(size, buys) } },
    { table: 'ledger', row: { ...of, kind: 'fill', currency: fill.quoteCcy, amount: signed(value, !buys) } },
    { table: 'ledger', row: { ...of, kind: 'fee', currency: feeCcy, amount: signed(fee, false) } },
  ];
}

function movement({ kind, book, currency, amount }: BookedEntry): Pick<LedgerEntry, 'kind' | 'book' | 'currency' | 'amount'> {
  return { kind, book, currency, amount: decimalOf(amount).toString() };
}

function signed(amount: string, positive: boolean): string {
  const decimal = decimalOf(amount);
  return (positive ? decimal : decimal.negated()).toString();
}

function actionRow(run: string, detail: ActionDetail): ActionRow {
  return {
    action_id: detail.actionId,
    run_id: run,
    name: detail.name,
    action: detail.action,
    arguments: JSON.stringify(detail.arguments),
    due_at: detail.dueAt,
    asked_at: detail.askedAt,
    status: detail.status,
    http_status: detail.httpStatus,
    response: detail.response.toWellFormed(),
  };
}

function notificationRow({ id, receivedAt, type, transferId, status, body }: NotificationDetail): NotificationRow {
  return { id, received_at: receivedAt, type: type.toWellFormed(), transfer_id: transferId, status, body: body.toWellFormed() };
}

/** A row of `runs`. */
export interface RunRow {
  readonly run_id: string;
  readonly book: string;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly mode: string;
  readonly version: string;
  readonly config_hash: string;
  readonly config_json: string;
  readonly end_state: string | null;
}

type Cell = string | number | null;

/**
 * The writer's statements, prepared once. Call them inside a transaction. Those of orders and notifications bind by place:
 * looking up each column by its name costs as much again as the insert.
 */
export class Tables {
  private readonly lastDecision;
  private readonly insertDecision;
  private readonly findOrder;
  private readonly findClaimant;
  private readonly findWatermark;
  private readonly moveWatermark;
  private readonly insertOrder;
  private readonly updateOrder;
  private readonly insertEntry;
  private readonly upsertAction;
  private readonly upsertNotification;
  private readonly insertRun;
  private readonly endRun;
  private readonly endCrashed;

  constructor(database: Database.Database) {
    this.lastDecision = database.prepare<[], ChainEnd>('SELECT seq, hash FROM decisions ORDER BY seq DESC LIMIT 1');
    this.insertDecision = database.prepare<Cell[]>(
      `INSERT INTO decisions (seq, run_id, at, inbox_seq, kind, strategy, product, reason, quote_id, order_id, detail, prev_hash, hash)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.findOrder = database.prepare<[string], OrderRow>('SELECT * FROM orders WHERE order_id = ?');
    this.findClaimant = database.prepare<[string, string], OrderRow>('SELECT * FROM orders WHERE order_id = ? OR quote_id = ?');
    this.findWatermark = database.prepare<[], number>("SELECT seq FROM watermarks WHERE name = 'orders'").pluck();
    this.moveWatermark = database.prepare<[number]>("UPDATE watermarks SET seq = ? WHERE name = 'orders'");
    this.insertOrder = database.prepare<Cell[]>(
      `INSERT INTO orders (order_id, run_id, strategy, product, side, quote_id, state, intent_at, sent_at, settled_at, valid_until,
         price, size, value, fee, fee_ccy, response)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.updateOrder = database.prepare<Cell[]>(
      `UPDATE orders SET state = ?, sent_at = ?, settled_at = ?, price = ?, size = ?, value = ?, fee = ?, fee_ccy = ?, response = ?
       WHERE order_id = ?`,
    );
    this.insertEntry = database.prepare<Cell[]>(
      'INSERT INTO ledger (run_id, at, book, product, kind, currency, amount, order_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    );
    this.upsertAction = database.prepare<[ActionRow]>(
      `INSERT INTO actions (action_id, run_id, name, action, arguments, due_at, asked_at, status, http_status, response)
       VALUES (@action_id, @run_id, @name, @action, @arguments, @due_at, @asked_at, @status, @http_status, @response)
       ON CONFLICT (action_id) DO UPDATE SET run_id = @run_id, name = @name, action = @action, arguments = @arguments, due_at = @due_at,
         asked_at = @asked_at, status = @status, http_status = @http_status, response = @response`,
    );
    this.upsertNotification = database.prepare<Cell[]>(
      `INSERT INTO notifications (id, received_at, type, transfer_id, status, body) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET received_at = excluded.received_at, type = excluded.type, transfer_id = excluded.transfer_id,
         status = excluded.status, body = excluded.body`,
    );
    this.insertRun = database.prepare<[RunRow]>(
      `INSERT INTO runs (run_id, book, started_at, ended_at, mode, version, config_hash, config_json, end_state)
       VALUES (@run_id, @book, @started_at, @ended_at, @mode, @version, @config_hash, @config_json, @end_state)`,
    );
    this.endRun = database.prepare<[{ run: string; at: string; state: string }]>(
      'UPDATE runs SET ended_at = @at, end_state = @state WHERE run_id = @run AND ended_at IS NULL',
    );
    this.endCrashed = database.prepare<[]>(
      `UPDATE runs SET end_state = 'crashed', ended_at = coalesce(
         (SELECT at FROM decisions WHERE decisions.run_id = runs.run_id ORDER BY seq DESC LIMIT 1), started_at)
       WHERE ended_at IS NULL`,
    );
  }

  /** The last row of `decisions`, which the next one follows. */
  end(): ChainEnd {
    return this.lastDecision.get() ?? CHAIN_START;
  }

  order(id: string): OrderRow | undefined {
    return this.findOrder.get(id);
  }

  /** The order that has this id or uses this quote. */
  claimant(id: string, quoteId: string): OrderRow | undefined {
    return this.findClaimant.get(id, quoteId);
  }

  /** The decision up to which `orders` has every row. */
  watermark(): number {
    return this.findWatermark.get() ?? 0;
  }

  setWatermark(seq: number): void {
    this.moveWatermark.run(seq);
  }

  addDecision(record: DecisionRecord): void {
    const { seq, run_id, at, inbox_seq, kind, strategy, product, reason, quote_id, order_id, detail, prev_hash, hash } = record;
    this.insertDecision.run(seq, run_id, at, inbox_seq, kind, strategy, product, reason, quote_id, order_id, detail, prev_hash, hash);
  }

  apply(change: Change): void {
    switch (change.table) {
      case 'orders': {
        const { order_id, run_id, strategy, product, side, quote_id, state, intent_at, sent_at, settled_at, valid_until } = change.row;
        const { price, size, value, fee, fee_ccy, response } = change.row;
        const figures = [price, size, value, fee, fee_ccy, response];
        const about = [order_id, run_id, strategy, product, side, quote_id];
        if (change.how === 'insert') this.insertOrder.run(...about, state, intent_at, sent_at, settled_at, valid_until, ...figures);
        else this.updateOrder.run(state, sent_at, settled_at, ...figures, order_id);
        return;
      }
      case 'ledger': {
        const { run_id, at, book, product, kind, currency, amount, order_id } = change.row;
        this.insertEntry.run(run_id, at, book, product, kind, currency, amount, order_id);
        return;
      }
      case 'actions':
        this.upsertAction.run(change.row);
        return;
      case 'notifications': {
        const { id, received_at, type, transfer_id, status, body } = change.row;
        this.upsertNotification.run(id, received_at, type, transfer_id, status, body);
        return;
      }
    }
  }

  /** Starts a run. Runs without an end get the time of their last decision as their end. */
  addRun(row: RunRow): void {
    this.endCrashed.run();
    this.insertRun.run(row);
  }

  /** Writes the end of a run, unless it has one. */
  closeRun(run: string, at: string, state: string): void {
    this.endRun.run({ run, at, state });
  }
}
