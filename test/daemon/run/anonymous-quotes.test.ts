import { expect, test } from 'vitest';
import { tellingOfAnonymous } from '#daemon/run/open-order-line.ts';
import type { Quote } from '#domain/quote.ts';
import { quoteWith } from '../../support/quotes.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

test('F32 quotes without id are passed on to be shown, and a person hears of them at most once a minute', () => {
  const timers = new VirtualTimers();
  const notices: string[] = [];
  const quotes: Quote[] = [];
  const sink = tellingOfAnonymous(
    { quote: (quote) => quotes.push(quote), change() {}, shown() {} },
    { timers, notice: (level, text) => notices.push(`${level}: ${text}`) },
  );
  sink.quote(quoteWith());
  expect(notices).toEqual([]);
  for (let n = 0; n < 121; n += 1) {
    sink.quote(quoteWith({ id: null }));
    timers.advance(500);
  }
  expect(quotes.filter(({ id }) => id === null).length).toBe(121);
  const why = 'error: quotes have no id, so no order can name them: check that the service knows service.userId';
  expect(notices).toEqual([why, `${why} (and 119 times more since)`]);
});
