import type { Decision, DecisionDetails, DecisionKind, DecisionRow } from '#domain/decision.ts';
import { isoTime, orderId, productCode, quoteId, strategyId } from '#domain/names.ts';
import type { FillText, OrderText } from '#domain/order.ts';
import type { Reason } from '#domain/reasons.ts';

export const START = Date.UTC(2026, 10, 21, 3, 0, 0);

export function orderFacts(n: number, over: Partial<OrderText> = {}): OrderText {
  return {
    id: `${n}-1`,
    strategy: 'sma',
    product: 'btcusd',
    side: 'buy',
    quoteId: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    lane: 'btcusd@base:0.01',
    baseCcy: 'BTC',
    quoteCcy: 'USD',
    validUntil: START + n * 1000 + 3000,
    intentAt: START + n * 1000,
    price: '61000.5',
    size: '0.01',
    value: '610.005',
    fee: '0.610005',
    feeCcy: 'USD',
    ...over,
  };
}

export const fillOf = ({ side, baseCcy, quoteCcy, price, size, value, fee, feeCcy }: OrderText): FillText => ({
  side,
  baseCcy,
  quoteCcy,
  price,
  size,
  value,
  fee,
  feeCcy,
});

interface About {
  readonly order?: OrderText;
  readonly strategy?: string;
  readonly reason?: Reason;
  readonly n?: number;
}

export function row<Kind extends DecisionKind>(
  kind: Kind,
  detail: DecisionDetails[Kind],
  { order, strategy, reason, n = 1 }: About = {},
): DecisionRow<Kind> {
  const of = order?.strategy ?? strategy;
  return {
    kind,
    at: START + n * 1000,
    inboxSeq: n,
    strategy: of === undefined ? null : strategyId(of),
    product: order ? productCode(order.product) : null,
    reason: reason ?? null,
    quoteId: order ? quoteId(order.quoteId) : null,
    orderId: order ? orderId(order.id) : null,
    detail,
  };
}

const nOf = (order: OrderText): number => (order.intentAt - START) / 1000;

/** The two rows that permit an order. */
export function permits(order: OrderText): Decision[] {
  const about = { order, n: nOf(order) };
  const quote = {
    lane: order.lane,
    buy: 61000.5,
    sell: 61000,
    size: 0.01,
    spreadPercentage: 0.001,
    validUntil: isoTime(order.validUntil),
    timeLeftMs: 3000,
  };
  return [
    row(
      'intent',
      { side: order.side, why: 'fast above slow', tag: null, wants: 'lane amount', signals: { fast: 1.5, slow: 1.25 }, quote },
      about,
    ),
    row('approved', { order, checks: [{ check: 'MAX_SPREAD', passed: true, figure: 0.001, limit: 0.5 }], timeLeftMs: 3000 }, about),
  ];
}

export const sent = (order: OrderText): Decision =>
  row('sent', { sentAt: isoTime(order.intentAt + 5), timeLeftMs: 2995, signatureAgeMs: 1 }, { order, n: nOf(order) + 1 });

export const accepted = (order: OrderText, fill: FillText = fillOf(order)): Decision =>
  row(
    'accepted',
    { fill, httpStatus: 201, roundTripMs: 12.5, body: '{"status":"FILLED"}' },
    { order, reason: 'HTTP_OK', n: nOf(order) + 1 },
  );

export const rejected = (order: OrderText): Decision =>
  row(
    'rejected',
    { httpStatus: 422, roundTripMs: 8, body: '{"error":"expired"}', why: 'the quote expired' },
    { order, reason: 'HTTP_REFUSED', n: nOf(order) + 1 },
  );

export const unknown = (order: OrderText): Decision =>
  row('unknown', { httpStatus: null, roundTripMs: null, body: '', why: 'no answer' }, { order, reason: 'NO_ANSWER', n: nOf(order) + 1 });
