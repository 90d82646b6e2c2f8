import { decodeFrame, type Frame } from '#adapters/service-client/quotes/decode-frame.ts';
import { quotesUrl } from '#adapters/service-client/quotes/feed.ts';
import { wsSockets } from '#adapters/service-client/quotes/quote-socket.ts';
import { subscriptionOf } from '#adapters/service-client/quotes/subscription.ts';
import type { ServiceSettings } from '#config/settings.ts';
import { KairosError } from '#domain/errors.ts';
import type { Amount, QuoteType } from '#domain/lane.ts';
import { isProductCode, laneIdOf } from '#domain/names.ts';
import type { Timers } from '#ports/timers.ts';

/** The requested quotes: trading quotes for an amount, or a display quote without one (spec 2.7). */
export interface QuoteRequest {
  readonly quoteType: QuoteType;
  readonly product: string;
  readonly amount: Amount | null;
}

interface QuoteStreamOptions {
  /** The service's base address, or that of the embedded venue. */
  readonly baseUrl: string;
  readonly service: ServiceSettings;
  readonly timers: Timers;
  readonly request: QuoteRequest;
  readonly onFrame: (frame: Frame) => void;
  /** Called once if the stream ends by itself. */
  readonly onEnd: (error: KairosError) => void;
}

/** Silence after which the feed is given up, in milliseconds. */
const SILENCE_MS = 10_000;

/**
 * Streams one subscription of the feed for people, without reconnecting and without trading. Returns a function that
 * stops it. Throws USAGE for an invalid product code.
 */
export function streamQuotes(options: QuoteStreamOptions): () => void {
  const { baseUrl, service, timers, request, onFrame, onEnd } = options;
  if (!isProductCode(request.product)) {
    throw new KairosError(
      'USAGE',
      `${JSON.stringify(request.product.slice(0, 60))} is no product code; kairos products --exchange VB lists them`,
    );
  }
  const subscription = subscriptionOf(request.quoteType, request.product, request.amount);
  const origin = { lane: laneIdOf(subscription.title), epoch: 0 };
  let quiet = timers.after(SILENCE_MS, silent);
  const socket = wsSockets(timers)(quotesUrl(baseUrl, service), {
    opened: () => socket.send(subscription.text),
    text(text) {
      const frame = decodeFrame(text, origin);
      if (frame.kind === 'err') return end('SERVICE_REFUSED', `the service refuses ${subscription.title}: ${frame.text}`);
      if (frame.kind === 'malformed') return end('SERVICE_UNREADABLE', `the quotes feed sends what cannot be read: ${frame.why}`);
      quiet();
      quiet = timers.after(SILENCE_MS, silent);
      onFrame(frame);
    },
    alive() {},
    ended: (why) => end('SERVICE_UNREACHABLE', `the quotes feed of ${baseUrl} ended: ${why}`),
  });
  return stop;

  function stop(): void {
    quiet();
    socket.destroy();
  }

  function end(code: 'SERVICE_REFUSED' | 'SERVICE_UNREADABLE' | 'SERVICE_UNREACHABLE', message: string): void {
    stop();
    onEnd(new KairosError(code, message));
  }

  function silent(): void {
    end('SERVICE_UNREACHABLE', `the quotes feed of ${baseUrl} says nothing for ${SILENCE_MS / 1000} s`);
  }
}
