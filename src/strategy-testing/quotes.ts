import { type Decimal, decimalOf, floorToStep } from '#domain/decimal.ts';
import type { Lane } from '#domain/lane.ts';
import { currency, type Millis, quoteId } from '#domain/names.ts';
import type { Quote, QuoteSide } from '#domain/quote.ts';
import type { QuotedProduct } from '#paper-venue/products.ts';

/** A product's price: one for both sides, or one for each side. */
export type Price = number | { readonly buy: number; readonly sell: number };

/** A quote side with the venue's arithmetic: value = price x size, one fee in two expressions. Price in quote currency, size in base currency, fee in percent. */
export function quoteSide(price: number, size: Decimal | number = 0.01, feePercentage = 0.1): QuoteSide {
  const exact = typeof size === 'number' ? decimalOf(size) : size;
  const value = decimalOf(price).times(exact);
  return Object.freeze({
    price,
    size: exact.toNumber(),
    value: value.toNumber(),
    feeInBaseCcy: exact.times(feePercentage).div(100).toNumber(),
    feeInQuoteCcy: value.times(feePercentage).div(100).toNumber(),
    slippage: 0,
    slippagePercentage: 0,
  });
}

interface QuoteParts {
  readonly lane: Lane;
  readonly product: QuotedProduct;
  readonly price: Price;
  readonly feePercentage: number;
  readonly validUntil: Millis;
  /** Number of the quote, from 1, which decides its id. */
  readonly number: number;
}

/** A quote of a lane in its first subscription, as the feed would deliver it. */
export function quoteFor({ lane, product, price, feePercentage, validUntil, number }: QuoteParts): Quote {
  const { amount } = lane;
  const { buy, sell } = typeof price === 'number' ? { buy: price, sell: price } : price;
  const sizeAt = (at: number): Decimal => ('base' in amount ? amount.base : floorToStep(amount.quote.div(at), product.sizeIncrement));
  return Object.freeze({
    id: quoteId(`00000000-0000-4000-8000-${String(number).padStart(12, '0')}`),
    product: lane.product,
    baseCcy: currency(product.baseCcy),
    quoteCcy: currency(product.quoteCcy),
    buy: quoteSide(buy, sizeAt(buy), feePercentage),
    sell: quoteSide(sell, sizeAt(sell), feePercentage),
    feePercentage,
    spread: buy - sell,
    spreadPercentage: ((buy - sell) / ((buy + sell) / 2)) * 100,
    dailyChangePercentage: 0,
    validUntil,
    lane: lane.id,
    epoch: 1,
  });
}
