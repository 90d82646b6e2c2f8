import { z } from 'zod';
import { decimalOf } from '#domain/decimal.ts';
import { textLike } from '#server/control/bodies.ts';

const SIZE = 'be a number above 0, in base currency';

/** The query of a preview of an order by hand; the size is in base currency. */
export const orderCheckAsk = z.strictObject({
  product: textLike(/^[a-z0-9]{2,32}$/, 'be a code such as btcusd'),
  side: z.enum(['buy', 'sell'], 'must be buy or sell'),
  size: textLike(/^\d{1,16}(\.\d{1,18})?$/, SIZE)
    .transform(decimalOf)
    .refine((size) => size.gt(0), `must ${SIZE}`),
});

export type OrderCheckAsk = z.output<typeof orderCheckAsk>;

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
