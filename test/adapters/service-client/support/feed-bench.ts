import { WireFeed, type WireFeedOptions } from '#adapters/service-client/quotes/feed.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { IndicativeQuote } from '#domain/indicative-quote.ts';
import { type Amount, type LaneChange, laneFor } from '#domain/lane.ts';
import { productCode } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';
import { FakeSockets } from './fake-sockets.ts';
import { serviceSettings } from './service-settings.ts';

export const lane = (product = 'btcusd', amount: Amount = { base: decimalOf('0.1') }) => laneFor(productCode(product), amount);

/** A feed on virtual time whose connections the test plays, and what it delivered. */
export function feedBench(changes: Partial<WireFeedOptions> = {}) {
  const timers = new VirtualTimers();
  const sockets = new FakeSockets();
  const quotes: Quote[] = [];
  const changed: LaneChange[] = [];
  const shown: [source: string, shown: IndicativeQuote][] = [];
  const refused: string[] = [];
  const feed = new WireFeed({
    baseUrl: 'http://127.0.0.1:8090',
    service: serviceSettings(),
    opensPerSecond: 10,
    timers,
    sockets: sockets.open,
    onRefusedFrame: (_lane, why) => refused.push(why),
    ...changes,
  });
  feed.connect({
    quote: (quote) => quotes.push(quote),
    change: (change) => changed.push(change),
    shown: (source, one) => shown.push([source, one]),
  });
  const phases = () => changed.map(({ phase }) => phase);
  /** Moves time until another connection is asked for; returns how long that took. */
  const untilNext = (mostMs = 120_000): number => {
    const before = sockets.all.length;
    for (let ms = 0; ms <= mostMs; ms += 10) {
      if (sockets.all.length > before) return ms;
      timers.advance(10);
    }
    throw new Error(`no connection was asked for within ${mostMs} ms`);
  };
  return { timers, sockets, quotes, changed, shown, refused, feed, phases, untilNext };
}
