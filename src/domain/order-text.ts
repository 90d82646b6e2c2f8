import { decimalOf } from './decimal.ts';
import { currency, laneIdOf, orderId, productCode, quoteId, strategyId } from './names.ts';
import type { Fill, OrderCore, OrderFigures } from './order.ts';
import type { Side } from './quote.ts';

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
