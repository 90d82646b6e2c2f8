import { Subject } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { swapAmbient } from '#core/strategy/ambient.ts';
import { type Candle, candles } from '#core/strategy/candles.ts';
import type { Duration } from '#core/strategy/duration.ts';
import type { Quote } from '#domain/quote.ts';
import { engineTime } from '../../support/engine-time.ts';
import { recordedQuote } from '../../support/recorded-quotes.ts';

/** Candles of prices at times; the ask is one above the bid. */
function candlesOf(width: Duration, ticks: readonly (readonly [at: number, bid: number])[], areBars = false): Candle[] {
  const time = engineTime();
  const quotes = new Subject<Quote>();
  const out: Candle[] = [];
  const before = swapAmbient({ scheduler: time.scheduler, observed: { set: () => undefined }, areBars: () => areBars });
  const subscription = quotes.pipe(candles(width)).subscribe((candle) => out.push(candle));
  swapAmbient(before);
  const plain = recordedQuote({ n: 0 });
  for (const [at, bid] of ticks) {
    time.now = at;
    quotes.next({ ...plain, buy: { ...plain.buy, price: bid + 1 }, sell: { ...plain.sell, price: bid } });
  }
  subscription.unsubscribe();
  return out;
}

const ohlc = (open: number, high: number, low: number, close: number) => ({ open, high, low, close });

describe('candles', () => {
  test('both sides of each boundary, both prices and the mid, empty widths omitted, the unfinished one kept back', () => {
    expect(
      candlesOf('1s', [
        [59_999, 5],
        [60_000, 10],
        [60_500, 12],
        [60_500, 8],
        [60_999, 9],
        [65_000, 7],
        [66_000, 6],
      ]),
    ).toEqual([
      { at: 59_000, bid: ohlc(5, 5, 5, 5), ask: ohlc(6, 6, 6, 6), mid: ohlc(5.5, 5.5, 5.5, 5.5), quotes: 1 },
      { at: 60_000, bid: ohlc(10, 12, 8, 9), ask: ohlc(11, 13, 9, 10), mid: ohlc(10.5, 12.5, 8.5, 9.5), quotes: 4 },
      { at: 65_000, bid: ohlc(7, 7, 7, 7), ask: ohlc(8, 8, 8, 8), mid: ohlc(7.5, 7.5, 7.5, 7.5), quotes: 1 },
    ]);
  });

  test('a bar that ends with a width is the last of it, as data export has it', () => {
    // Bars of six hours from 100 on, each known at its end and one higher than the one before: the day closes with its fourth, at once.
    const hours = (n: number) => n * 6 * 3_600_000;
    const bars = Array.from({ length: 8 }, (_, n) => [hours(n + 1), 101 + n] as const);
    const days = candlesOf('1d', bars, true).map(({ at, bid, quotes }) => [at, bid.open, bid.close, quotes]);
    expect(days).toEqual([
      [0, 101, 104, 4],
      [hours(4), 105, 108, 4],
    ]);
  });

  test.each([0, 0.5, -1, 'soon'])('a width of %j is refused', (width) => {
    expect(() => candles(width)).toThrow(RangeError);
  });
});
