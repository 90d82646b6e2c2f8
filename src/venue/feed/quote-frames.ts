import type { AckMessage, BasicQuoteMessage, ErrMessage, FullQuoteMessage } from '#adapters/service/quotes/messages.ts';
import { isoTime } from '#domain/names.ts';
import type { Timers } from '#ports/timers.ts';
import type { QuoteBook } from '#venue/core/quote-book.ts';
import type { VenueMarket } from '#venue/market.ts';
import type { Subscription } from './subscription.ts';

/** What frames of quotes are made from. */
export interface QuoteFrameParts {
  readonly market: VenueMarket;
  readonly book: QuoteBook;
  readonly timers: Timers;
  /** How long the next quote is valid. */
  readonly validityMs: () => number;
}

/**
 * The quote messages that a subscription is due now, as JSON texts: one a product (spec 2.8). With a user each trading
 * quote has an id and is remembered for an order; without one it is anonymous.
 */
export function* quoteFrames(parts: QuoteFrameParts, subscription: Subscription, userId: string | undefined): Generator<string> {
  const nowMs = parts.timers.wallMs();
  for (const code of subscription.products) {
    const frame =
      subscription.quoteType === 'TRADING'
        ? tradingFrame(parts, { code, amount: subscription.amount, userId, nowMs })
        : shownFrame(parts.market, subscription.quoteType, { code, nowMs });
    if (frame !== undefined) yield frame;
  }
}

/** The user's id is a number in an ACK; without a user there is none (spec 2.8). */
export function ackFrame(subscription: Subscription, userId: string | undefined, quotesPerSecond: number): string {
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

/** The figures are written once for all who ask for the same amount; only id and expiry are each quote's own. */
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
  const price = market.midPrice(code);
  const book = market.book(code);
  if (!product || price === undefined || !book) return undefined;
  const names = { productCode: code, baseCcy: product.baseCcy, quoteCcy: product.quoteCcy };
  const time = isoTime(nowMs);
  const message: BasicQuoteMessage | FullQuoteMessage =
    quoteType === 'BASIC' ? { msgType: 'BQ', ...names, price, time } : { msgType: 'FQ', ...names, ...book, time };
  return JSON.stringify(message);
}
