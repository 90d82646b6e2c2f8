import { randomUUID } from 'node:crypto';
import type { RunLog } from '#adapters/recording/run-log.ts';
import { decodeQuote, isFields } from '#adapters/service-client/quotes/decode-quote.ts';
import type { NumberedEvent } from '#domain/event.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { type Millis, productCode } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import { seeded } from '#domain/seeded.ts';
import { QuoteBook } from '#paper-venue/core/quote-book.ts';
import { quoteFigures } from '#paper-venue/core/quote-making.ts';
import { SyntheticPrices } from '#paper-venue/prices/synthetic.ts';
import { VB_PRODUCTS } from '#paper-venue/products.ts';

/** Lanes below and above the size that is quoted without spread, by size and by value. */
const LANES = [
  laneFor(productCode('btcusd'), amountOf({ base: '0.01' })),
  laneFor(productCode('btcusd'), amountOf({ base: '2' })),
  laneFor(productCode('ethusd'), amountOf({ base: '0.2' })),
  laneFor(productCode('eurusd'), amountOf({ quote: '1000' })),
];

/**
 * What the paper venue quotes from `start` on, two quotes a second and lane, decoded as from the wire, with arrival times
 * that vary by some milliseconds. Every 50th quote is replaced by a newer one before its turn.
 */
export function writeVenueFeed(
  log: RunLog,
  options: { readonly start: Millis; readonly rounds: number; readonly first?: NumberedEvent },
): number {
  const { start, rounds, first } = options;
  const prices = new Map(VB_PRODUCTS.map((product) => [product.code, { product, source: new SyntheticPrices(product, 'feed') }]));
  const book = new QuoteBook(randomUUID(), { keepMs: 1000, maxQuotes: 100 });
  const draws = seeded('arrival');
  let n = 0;
  let quotes = 0;
  if (first) {
    n = first.n;
    log.append(first);
  }
  for (let round = 0; round < rounds; round += 1) {
    const sentAt = start + round * 500;
    for (const [index, lane] of LANES.entries()) {
      const known = prices.get(lane.product);
      if (!known) throw new Error(`no product ${lane.product}`);
      const top = known.source.at(round * 500);
      const figures = quoteFigures({
        product: known.product,
        top,
        amount: lane.amount,
        feePercentage: 0.1,
        referenceMid: known.product.anchor,
      });
      if (!figures) throw new Error(`no quote for ${lane.id}`);
      const { id, validUntilMs } = book.issue(figures, '1205', { nowMs: sentAt, validityMs: 3000 });
      const message: unknown = JSON.parse(
        JSON.stringify({ msgType: 'TQ', id, ...figures, validUntil: new Date(validUntilMs).toISOString() }),
      );
      if (!isFields(message)) throw new Error('no message');
      const quote: Quote | string = decodeQuote(message, { lane: lane.id, epoch: 1 });
      if (typeof quote === 'string') throw new Error(quote);
      const at = sentAt + index + Math.floor(draws.next() * 6);
      quotes += 1;
      if (quotes % 50 === 0) log.conflated(at, quote);
      else {
        n += 1;
        log.append({ n, at, event: { kind: 'quote', quote } });
      }
    }
    if (round % 20 === 0) {
      n += 1;
      log.append({ n, at: sentAt + 10, event: { kind: 'clock', offsetMs: 0.5, halfWidthMs: 3, ageMs: round } });
    }
  }
  return quotes;
}
