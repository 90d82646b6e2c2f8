import { type Decimal, decimalOf, ZERO } from './decimal.ts';
import { invariant } from './errors.ts';
import {
  type Currency,
  currency,
  type LaneId,
  laneIdOf,
  type Millis,
  type OrderId,
  orderId,
  type ProductCode,
  productCode,
  type QuoteId,
  quoteId,
  type StrategyId,
  strategyId,
} from './names.ts';
import type { Side } from './quote.ts';

/** The figures of an order: those of the quote side that it names (spec 2.8). */
export interface OrderFigures {
  readonly price: Decimal;
  readonly size: Decimal;
  readonly value: Decimal;
  readonly fee: Decimal;
  readonly feeCcy: Currency;
}

/** What was executed. `fee` is positive and booked as a cost. */
export interface Fill extends OrderFigures {
  readonly side: Side;
  readonly baseCcy: Currency;
  readonly quoteCcy: Currency;
}

interface FeeNames {
  readonly feeCcy: string;
  readonly baseCcy: string;
  readonly quoteCcy: string;
}

/** True for a fee that came out of the base currency, and so changed the size that is held. */
export const isFeeInBase = ({ feeCcy, baseCcy, quoteCcy }: FeeNames): boolean => feeCcy === baseCcy && baseCcy !== quoteCcy;

/** What the fee of an order takes from the size that is held, in base currency. */
export const feeInBase = ({ figures: { fee, feeCcy }, baseCcy, quoteCcy }: Pick<OrderCore, 'figures' | 'baseCcy' | 'quoteCcy'>): Decimal =>
  isFeeInBase({ feeCcy, baseCcy, quoteCcy }) ? fee : ZERO;

/** What an order has in every state. */
export interface OrderCore {
  readonly id: OrderId;
  /** The book that owns the order. */
  readonly strategy: StrategyId;
  readonly product: ProductCode;
  readonly baseCcy: Currency;
  readonly quoteCcy: Currency;
  readonly side: Side;
  readonly quoteId: QuoteId;
  readonly lane: LaneId;
  /** On the service's clock. */
  readonly validUntil: Millis;
  readonly figures: OrderFigures;
  readonly intentAt: Millis;
}

/** An order by state, with the data of that state only. */
export type Order =
  | (OrderCore & { readonly state: 'intent' })
  | (OrderCore & { readonly state: 'sent'; readonly sentAt: Millis })
  | (OrderCore & { readonly state: 'accepted'; readonly settledAt: Millis; readonly fill: Fill })
  | (OrderCore & { readonly state: 'rejected'; readonly settledAt: Millis })
  | (OrderCore & { readonly state: 'unknown'; readonly since: Millis })
  | (OrderCore & { readonly state: 'expired'; readonly settledAt: Millis })
  | (OrderCore & { readonly state: 'not_sent'; readonly settledAt: Millis });

/** The name of a state of an order. */
export type OrderState = Order['state'];

/** The events of an order. */
export type OrderEvent =
  | { readonly type: 'written'; readonly at: Millis }
  | { readonly type: 'expired'; readonly at: Millis }
  | { readonly type: 'not_sent'; readonly at: Millis }
  | { readonly type: 'accepted'; readonly at: Millis; readonly fill: Fill }
  | { readonly type: 'rejected'; readonly at: Millis }
  | { readonly type: 'unknown'; readonly at: Millis };

/** States that an order may go to from each state. Unknown ends only by the service's answer, late or queried, or by a person (I04). */
const NEXT: Readonly<Record<OrderState, readonly OrderEvent['type'][]>> = {
  intent: ['written', 'expired', 'not_sent', 'accepted', 'rejected', 'unknown'],
  sent: ['accepted', 'rejected', 'unknown'],
  unknown: ['accepted', 'rejected'],
  accepted: [],
  rejected: [],
  expired: [],
  not_sent: [],
};

/** True if an order in `state` may take `event`. */
export function mayTake(state: OrderState, event: OrderEvent['type']): boolean {
  return NEXT[state].includes(event);
}

/**
 * The one transition of an order. An event that the order cannot take returns it unchanged: reports may come late or
 * twice, and the first outcome stands.
 */
export function transition(order: Order, event: OrderEvent): Order {
  if (!mayTake(order.state, event.type)) return order;
  const { id, strategy, product, baseCcy, quoteCcy, side, quoteId, lane, validUntil, figures, intentAt } = order;
  const core = { id, strategy, product, baseCcy, quoteCcy, side, quoteId, lane, validUntil, figures, intentAt };
  switch (event.type) {
    case 'written':
      return { ...core, state: 'sent', sentAt: event.at };
    case 'accepted':
      return { ...core, state: 'accepted', settledAt: event.at, fill: event.fill };
    case 'unknown':
      return { ...core, state: 'unknown', since: event.at };
    case 'rejected':
    case 'expired':
    case 'not_sent':
      return { ...core, state: event.type, settledAt: event.at };
  }
}

/** True while the service may still execute the order. */
export function isOpen(order: Order): boolean {
  return order.state === 'intent' || order.state === 'sent' || order.state === 'unknown';
}

/** The figures of a fill that was executed exactly as quoted. */
export function fillAsQuoted(order: OrderCore): Fill {
  if (!order.figures.size.gt(0)) invariant(false, `order ${order.id} has no size`);
  return { side: order.side, baseCcy: order.baseCcy, quoteCcy: order.quoteCcy, ...order.figures };
}

/** The worth of an order: the larger of its value and its price times its size. */
export function worthOf({ value, price, size }: OrderFigures): Decimal {
  const product = price.times(size);
  return product.gt(value) ? product : value;
}

/** Figures in the form of the journal and the recording: decimals as text. */
export interface FiguresText {
  readonly price: string;
  readonly size: string;
  readonly value: string;
  readonly fee: string;
  readonly feeCcy: string;
}

/** A fill's figures as decimal text, with its side and currencies. */
export interface FillText extends FiguresText {
  readonly side: Side;
  readonly baseCcy: string;
  readonly quoteCcy: string;
}

/** An order's facts in the form of the journal and the recording. */
export interface OrderText extends FillText {
  readonly id: string;
  readonly strategy: string;
  readonly product: string;
  readonly quoteId: string;
  readonly lane: string;
  readonly validUntil: number;
  readonly intentAt: number;
}

/** An order's figures as decimal text. */
export function figuresText({ price, size, value, fee, feeCcy }: OrderFigures): FiguresText {
  return { price: price.toString(), size: size.toString(), value: value.toString(), fee: fee.toString(), feeCcy };
}

function figuresOf(text: FiguresText): OrderFigures {
  return {
    price: decimalOf(text.price),
    size: decimalOf(text.size),
    value: decimalOf(text.value),
    fee: decimalOf(text.fee),
    feeCcy: currency(text.feeCcy),
  };
}

/** A fill in the form of the journal; `fillOf` reads it back. */
export function fillText(fill: Fill): FillText {
  return { side: fill.side, baseCcy: fill.baseCcy, quoteCcy: fill.quoteCcy, ...figuresText(fill) };
}

/** Reads `fillText` back. Throws where a figure is not a decimal. */
export function fillOf(text: FillText): Fill {
  return { side: text.side, baseCcy: currency(text.baseCcy), quoteCcy: currency(text.quoteCcy), ...figuresOf(text) };
}

/** An order's facts as text; `orderOf` reads them back. */
export function orderText(order: OrderCore): OrderText {
  return {
    id: order.id,
    strategy: order.strategy,
    product: order.product,
    side: order.side,
    quoteId: order.quoteId,
    lane: order.lane,
    baseCcy: order.baseCcy,
    quoteCcy: order.quoteCcy,
    validUntil: order.validUntil,
    intentAt: order.intentAt,
    ...figuresText(order.figures),
  };
}

/** Reads `orderText` back. */
export function orderOf(text: OrderText): OrderCore {
  return {
    id: orderId(text.id),
    strategy: strategyId(text.strategy),
    product: productCode(text.product),
    side: text.side,
    quoteId: quoteId(text.quoteId),
    lane: laneIdOf(text.lane),
    baseCcy: currency(text.baseCcy),
    quoteCcy: currency(text.quoteCcy),
    validUntil: text.validUntil,
    intentAt: text.intentAt,
    figures: figuresOf(text),
  };
}
