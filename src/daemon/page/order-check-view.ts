import type { PreviewedOrder } from '#core/engine/order-preview.ts';
import { refusalWords } from '#domain/check-words.ts';
import type { OrderCheckView } from '#server/page/order-check.ts';

const NOTHING: OrderCheckView = {
  why: null,
  lane: null,
  currency: null,
  price: null,
  value: null,
  fee: null,
  feeCcy: null,
  refused: null,
  checks: 0,
};

/** The page's preview of an order: price, cost and checks. */
export function orderCheckView(previewed: PreviewedOrder | undefined): OrderCheckView {
  if (!previewed) return { ...NOTHING, why: 'no price of this product is known yet' };
  const { lane, quoteCcy, figures, reason, checks } = previewed;
  return {
    ...NOTHING,
    lane,
    currency: quoteCcy,
    ...(figures && {
      price: figures.price.toString(),
      value: figures.value.toString(),
      fee: figures.fee.toString(),
      feeCcy: figures.feeCcy,
    }),
    refused: reason === null ? null : { reason, words: refusalWords(reason, checks) },
    checks: checks.length,
  };
}
