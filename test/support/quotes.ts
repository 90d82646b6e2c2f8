import { amountOf, type Lane, laneFor } from '#domain/lane.ts';
import type { Quote, QuoteSide } from '#domain/quote.ts';
import { BTC, type QuoteOptions, quote, quoteSide } from './market-data.ts';

export const btcLane: Lane = laneFor(BTC, amountOf({ base: '0.1' }));

export interface QuoteParts extends Omit<QuoteOptions, 'buy' | 'sell' | 'size' | 'lane'> {
  readonly lane?: Lane;
  readonly buy?: Partial<QuoteSide>;
  readonly sell?: Partial<QuoteSide>;
}

const SIDE = quoteSide(50_000, 0.1);

/** A quote as the feed would deliver it, with any figure of a side: 0.1 BTC at 50,000 with no spread, a fresh id, first subscription. */
export function quoteWith({ lane = btcLane, buy, sell, ...parts }: QuoteParts = {}): Quote {
  const made = quote({ lane: lane.id, product: lane.product, validUntil: 3_000, ...parts, buy: SIDE.price });
  return Object.freeze({ ...made, buy: { ...SIDE, ...buy }, sell: { ...SIDE, ...sell } });
}

/** A quote at one price on both sides. */
export const quoteAt = (price: number, parts: QuoteParts = {}): Quote =>
  quoteWith({ ...parts, buy: { price, value: price * 0.1 }, sell: { price, value: price * 0.1 } });
