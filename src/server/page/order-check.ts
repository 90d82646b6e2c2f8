import { type Decimal, decimalOf } from '#domain/decimal.ts';
import { KairosError } from '#domain/errors.ts';

/** A preview of an order by hand. */
export interface OrderCheckAsk {
  readonly product: string;
  readonly side: 'buy' | 'sell';
  /** In base currency. */
  readonly size: Decimal;
}

/**
 * `GET /api/order-check?product=P&side=buy|sell&size=N`: what an order by hand would be now, at the latest quote of the lane of the nearest
 * size, and what the checks would say. Nothing is journaled or sent. Amounts are decimal text.
 */
export interface OrderCheckView {
  /** Why nothing can be said; null where something can. */
  readonly why: string | null;
  readonly lane: string | null;
  readonly currency: string | null;
  readonly price: string | null;
  /** Size times price. */
  readonly value: string | null;
  readonly fee: string | null;
  readonly feeCcy: string | null;
  /** The first check that would refuse it, and the words of that; null where none would. */
  readonly refused: { readonly reason: string; readonly words: string } | null;
  /** How many checks were asked. */
  readonly checks: number;
}

/** Throws USAGE for an invalid order. */
export function orderCheckAsk(query: Readonly<Record<string, unknown>>): OrderCheckAsk {
  const { product, side, size, ...others } = query;
  const foreign = Object.keys(others)[0];
  if (foreign !== undefined)
    throw new KairosError('USAGE', `unknown parameter ${JSON.stringify(foreign.slice(0, 50))}; there are product, side, size`);
  if (typeof product !== 'string' || !/^[a-z0-9]{2,32}$/.test(product))
    throw new KairosError('USAGE', 'product must be a code such as btcusd');
  if (side !== 'buy' && side !== 'sell') throw new KairosError('USAGE', 'side must be buy or sell');
  if (typeof size !== 'string' || !/^\d{1,16}(\.\d{1,18})?$/.test(size) || Number(size) === 0) {
    throw new KairosError('USAGE', 'size must be a number above 0, in base currency');
  }
  return { product, side, size: decimalOf(size) };
}
