import { decimalOf } from '#domain/decimal.ts';
import type { ActionDetail, BookedEntry, DecisionDetails, DecisionKind, DecisionRow } from '#domain/decision.ts';
import { isoTime } from '#domain/names.ts';
import type { NotificationDetail } from '#domain/notification.ts';
import { mayTake, type OrderEvent, type OrderState } from '#domain/order.ts';
import type { FillText, OrderText } from '#domain/order-text.ts';
import type { Side } from '#domain/quote.ts';

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
export type Change =
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

/** What a decision changes, of the kinds that change anything. */
const PROJECTIONS: { readonly [Kind in DecisionKind]?: Projection<Kind> } = {
  approved: ({ order }, { run }) => [{ table: 'orders', how: 'insert', row: newOrder(run, order) }],
  sent: ({ sentAt }, { before }) => moved(before, 'written', { state: 'sent', sent_at: sentAt }),
  expired: (_detail, { before, at }) => moved(before, 'expired', { state: 'expired', settled_at: at }),
  not_sent: (_detail, { before, at }) => moved(before, 'not_sent', { state: 'not_sent', settled_at: at }),
  unknown: ({ body }, { before }) => moved(before, 'unknown', { state: 'unknown', response: wellFormed(body) }),
  rejected: ({ body }, { before, at }) => moved(before, 'rejected', { state: 'rejected', settled_at: at, response: wellFormed(body) }),
  accepted: ({ fill, body }, { before, run, at }) => filled(before, { run, at, fill, response: wellFormed(body) }),
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

/** Whether rows of a kind may change other tables; those of a kind that this version does not know change none. */
export const isProjected = (kind: DecisionKind): boolean => Object.hasOwn(PROJECTIONS, kind);

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
  return isProjected(kind) ? (PROJECTIONS[kind]?.(detail, { run, at: isoTime(at), before }) ?? NOTHING) : NOTHING;
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
  const entry = (kind: 'fill' | 'fee', currency: string, amount: string): Change => ({
    table: 'ledger',
    row: { run_id: run, at, book: strategy, product, kind, currency, amount, order_id },
  });
  const buys = fill.side === 'buy';
  return [
    ...order,
    entry('fill', fill.baseCcy, signed(size, buys)),
    entry('fill', fill.quoteCcy, signed(value, !buys)),
    entry('fee', feeCcy, signed(fee, false)),
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
    response: wellFormed(detail.response),
  };
}

function notificationRow({ id, receivedAt, type, transferId, status, body }: NotificationDetail): NotificationRow {
  return { id, received_at: receivedAt, type: wellFormed(type), transfer_id: transferId, status, body: wellFormed(body) };
}

/** SQLite keeps UTF-8, which has no lone surrogates: replaced here, so that a rebuilt row equals the stored one. */
const wellFormed = (text: string): string => text.toWellFormed();
