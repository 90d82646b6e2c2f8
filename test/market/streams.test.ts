import { TestScheduler } from 'rxjs/testing';
import { describe, expect, test } from 'vitest';
import { Market } from '../../src/market/market.ts';
import { pulse, screened } from '../../src/market/streams.ts';
import { btcLane, quoteWith } from '../support/quotes.ts';

const marbles = () => new TestScheduler((actual, expected) => expect(actual).toEqual(expected));

describe('pulse: whoever watches a lane sees silence in time', () => {
  const limits = { lateMs: 1_500, staleMs: 2_000 };
  const quotes = { q: quoteWith() };
  const values = { l: 'live', t: 'late', s: 'stale' };

  test('F21: late at 1.5 s and stale at 2 s of silence, live again at the next quote', () => {
    const scheduler = marbles();
    scheduler.run(({ hot, expectObservable }) => {
      const quotes$ = hot('q 2999ms        q', quotes);
      expectObservable(quotes$.pipe(pulse(limits, scheduler))).toBe('l 1499ms t 499ms s 999ms l 1499ms t 499ms s', values);
    });
  });

  test('a quote one millisecond before either boundary keeps the lane as it is', () => {
    const scheduler = marbles();
    scheduler.run(({ hot, expectObservable }) => {
      const quotes$ = hot('q 1498ms q 1998ms q', quotes);
      expectObservable(quotes$.pipe(pulse(limits, scheduler)), '^ 3498ms !').toBe('l 2998ms t 498ms l', values);
    });
  });
});

test('screened lets only accepted quotes pass, at the time of the stream', () => {
  const scheduler = marbles();
  scheduler.run(({ hot, expectObservable, flush }) => {
    const market = new Market({ staleMs: 2_000 });
    market.open(btcLane);
    market.change({ phase: 'acked', lane: btcLane.id, epoch: 1 }, 0);
    const values = { a: quoteWith({ id: 'a' }), o: quoteWith({ epoch: 0 }), b: quoteWith({ id: 'b' }) };
    expectObservable(hot('a-o-a-b', values).pipe(screened(market, scheduler))).toBe('a-----b', values);
    flush();
    expect(market.lane(btcLane.id)?.receivedAt).toBe(6);
  });
});
