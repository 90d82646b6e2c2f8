import type { AckMessage, BasicQuoteMessage, ErrMessage, FullQuoteMessage } from '#adapters/service-client/quotes/messages.ts';
import { isoTime } from '#domain/names.ts';
import type { QuoteBook } from '#paper-venue/core/quote-book.ts';
import type { VenueMarket } from '#paper-venue/market.ts';
import type { Timers } from '#ports/timers.ts';
import type { FeedSubscription } from './subscription.ts';

/** Input of quote frames. */
export interface QuoteFrameParts {
  readonly market: VenueMarket;
  readonly book: QuoteBook;
  readonly timers: Timers;
  /** Validity of the next quote, in milliseconds. */
  readonly validityMs: () => number;
}

/**
 * The present quote messages of a subscription as JSON: one for each product (spec 2.8). With a user each trading quote
 * has an id and is recorded for orders; without one it is anonymous.
 */
export function* quoteFrames(parts: QuoteFrameParts, subscription: FeedSubscription, userId: string | undefined): Generator<string> {
  const nowMs = parts.timers.wallMs();
  for (const code of subscription.products) {
    const frame =
      subscription.quoteType === 'TRADING'
        ? tradingFrame(parts, { code, amount: subscription.amount, userId, nowMs })
        : shownFrame(parts.market, subscription.quoteType, { code, nowMs });
    if (frame !== undefined) yield frame;
  }
}

/** The ACK of a subscription (spec 2.8). The user's id is a number; it is absent without a user. */
export function ackFrame(subscription: FeedSubscription, userId: string | undefined, quotesPerSecond: number): string {
  const ack: AckMessage = { msgType: 'ACK', query: subscription.echo, config: { quotesPerSecond } };
  return JSON.stringify(userId === undefined ? ack : { ...ack, userId: Number(userId) });
}

/** The frame that refuses a request (spec 2.8). */
export function errFrame(errorMsg: string): string {
  const message: ErrMessage = { msgType: 'ERR', errorMsg };
  return JSON.stringify(message);
}

interface TradingRequest {
  readonly code: string;
  readonly amount: Parameters<VenueMarket['quote']>[1];
  readonly userId: string | undefined;
  readonly nowMs: number;
}

/** The frame of a trading quote. Its figures are serialized once for all who ask for the same amount; id and expiry are each quote's own. */
function tradingFrame(parts: QuoteFrameParts, { code, amount, userId, nowMs }: TradingRequest): string | undefined {
  const prepared = parts.market.quote(code, amount);
  if (!prepared) return undefined;
  const validityMs = parts.validityMs();
  const issued = userId === undefined ? undefined : parts.book.issue(prepared.figures, userId, { nowMs, validityMs });
  const id = issued ? `"id":"${issued.id}",` : '';
  return `{"msgType":"TQ",${id}${prepared.json},"validUntil":"${isoTime(nowMs + validityMs)}"}`;
}

function shownFrame(market: VenueMarket, quoteType: 'BASIC' | 'FULL', { code, nowMs }: { readonly code: string; readonly nowMs: number }) {
  const product = market.product(code);
  if (!product) return undefined;
  const names = { productCode: code, baseCcy: product.baseCcy, quoteCcy: product.quoteCcy };
  const time = isoTime(nowMs);
  return quoteType === 'BASIC' ? basicFrame(market.midPrice(code), names, time) : fullFrame(market.book(code), names, time);
}

type Names = Pick<BasicQuoteMessage, 'productCode' | 'baseCcy' | 'quoteCcy'>;

function basicFrame(price: number | undefined, names: Names, time: string): string | undefined {
  if (price === undefined) return undefined;
  const message: BasicQuoteMessage = { msgType: 'BQ', ...names, price, time };
  return JSON.stringify(message);
}

function fullFrame(book: ReturnType<VenueMarket['book']>, names: Names, time: string): string | undefined {
  if (!book) return undefined;
  const message: FullQuoteMessage = { msgType: 'FQ', ...names, ...book, time };
  return JSON.stringify(message);
}
