import { decimalOf } from '#domain/decimal.ts';
import { currency, laneIdOf, orderId, type ProductCode, quoteId, type StrategyId, strategyId } from '#domain/names.ts';
import { fillAsQuoted, type Order, type OrderCore, type OrderState } from '#domain/order.ts';
import type { Side } from '#domain/quote.ts';
import { BTC } from './market-data.ts';

export const OWNER = strategyId('s');

export interface OrderParts {
  readonly id?: string;
  readonly side?: Side;
  readonly size?: string;
  readonly price?: string;
  readonly strategy?: StrategyId;
  readonly product?: ProductCode;
  /** When it was wanted, in milliseconds since 1970 UTC. */
  readonly at?: number;
}

/** An order without a fee: 0.01 at 60,000 usd unless it is said. */
export function orderOf({
  id = '1-1',
  side = 'buy',
  size = '0.01',
  price = '60000',
  strategy = OWNER,
  product = BTC,
  at = 0,
}: OrderParts = {}): OrderCore {
  const usd = currency('usd');
  const value = decimalOf(size).times(price);
  return {
    ...{ id: orderId(id), strategy, product, baseCcy: currency('btc'), quoteCcy: usd, side, intentAt: at },
    ...{ quoteId: quoteId('00000000-0000-4000-8000-000000000001'), lane: laneIdOf('btcusd@base:0.01'), validUntil: at + 3000 },
    figures: { price: decimalOf(price), size: decimalOf(size), value, fee: decimalOf(0), feeCcy: usd },
  };
}

/** The order in a state that it came to when it was wanted; filled as it was quoted. */
export function inState(state: OrderState, parts: OrderParts = {}): Order {
  const core = orderOf(parts);
  const { intentAt: at } = core;
  switch (state) {
    case 'intent':
      return { ...core, state };
    case 'sent':
      return { ...core, state, sentAt: at };
    case 'unknown':
      return { ...core, state, since: at };
    case 'accepted':
      return { ...core, state, settledAt: at, fill: fillAsQuoted(core) };
    case 'rejected':
    case 'expired':
    case 'not_sent':
      return { ...core, state, settledAt: at };
  }
}
