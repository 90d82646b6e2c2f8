import { decimalOf } from '#domain/decimal.ts';
import { type Lane, laneFor } from '#domain/lane.ts';
import { currency, type LaneId, type Millis, productCode, quoteId } from '#domain/names.ts';
import type { Product } from '#domain/product.ts';
import type { Quote } from '#domain/quote.ts';
import { quoteSide } from '#strategy-testing/quotes.ts';

export const BTC = productCode('btcusd');

export const btcProduct: Product = {
  code: BTC,
  minSize: decimalOf('0.0001'),
  minNotionalValue: decimalOf('5'),
  sizeIncrement: decimalOf('0.0001'),
  priceIncrement: decimalOf('0.01'),
};

export const btcLane: Lane = laneFor(BTC, { base: decimalOf('0.01') });

export { quoteSide };

export interface QuoteOptions {
  readonly id?: string | null;
  readonly buy?: number;
  readonly sell?: number;
  readonly size?: number;
  readonly validUntil?: Millis;
  readonly lane?: LaneId;
  readonly epoch?: number;
  readonly product?: string;
}

let counter = 0;

/** A good quote of the btcusd lane; each call draws a new id. */
export function quote(options: QuoteOptions = {}): Quote {
  counter += 1;
  const buy = options.buy ?? 60_000;
  const sell = options.sell ?? buy;
  const id = options.id === undefined ? `00000000-0000-4000-8000-${String(counter).padStart(12, '0')}` : options.id;
  return Object.freeze({
    id: id === null ? null : quoteId(id),
    product: productCode(options.product ?? 'btcusd'),
    baseCcy: currency('btc'),
    quoteCcy: currency('usd'),
    buy: quoteSide(buy, options.size),
    sell: quoteSide(sell, options.size),
    feePercentage: 0.1,
    spread: buy - sell,
    spreadPercentage: ((buy - sell) / ((buy + sell) / 2)) * 100,
    dailyChangePercentage: 0,
    validUntil: options.validUntil ?? Date.UTC(2026, 0, 1) + 3000,
    lane: options.lane ?? btcLane.id,
    epoch: options.epoch ?? 1,
  });
}
