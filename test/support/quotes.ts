import { amountOf, type Lane, laneFor } from '#domain/lane.ts';
import { currency, type Millis, productCode, quoteId } from '#domain/names.ts';
import type { Quote, QuoteSide } from '#domain/quote.ts';

export const btcLane: Lane = laneFor(productCode('btcusd'), amountOf({ base: '0.1' }));

export interface QuoteParts {
  readonly lane?: Lane;
  readonly id?: string | null;
  readonly product?: string;
  readonly buy?: Partial<QuoteSide>;
  readonly sell?: Partial<QuoteSide>;
  readonly epoch?: number;
  readonly validUntil?: Millis;
}

let made = 0;

/** A quote as the feed would deliver it: 0.1 BTC at 50,000 with no spread, a fresh id, first subscription. */
export function quoteWith({ lane = btcLane, id, product, buy, sell, epoch = 1, validUntil = 3_000 }: QuoteParts = {}): Quote {
  made += 1;
  return Object.freeze({
    id: id === null ? null : quoteId(id ?? `quote-${made}`),
    product: product === undefined ? lane.product : productCode(product),
    baseCcy: currency('btc'),
    quoteCcy: currency('usd'),
    buy: sideWith(buy),
    sell: sideWith(sell),
    feePercentage: 0.1,
    spread: 0,
    spreadPercentage: 0,
    dailyChangePercentage: 0,
    validUntil,
    lane: lane.id,
    epoch,
  });
}

/** A quote at one price on both sides. */
export const quoteAt = (price: number, parts: QuoteParts = {}): Quote =>
  quoteWith({ ...parts, buy: { price, value: price * 0.1 }, sell: { price, value: price * 0.1 } });

function sideWith(parts: Partial<QuoteSide> = {}): QuoteSide {
  const side = { price: 50_000, size: 0.1, value: 5_000, feeInBaseCcy: 0.0001, feeInQuoteCcy: 5, slippage: 0, slippagePercentage: 0 };
  return { ...side, ...parts };
}
