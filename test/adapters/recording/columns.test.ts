import { describe, expect, test } from 'vitest';
import { columnsOf } from '#adapters/recording/log-columns.ts';
import type { LogEntry } from '#adapters/recording/log-format.ts';
import { slicedColumns } from '#domain/columns-memory.ts';
import type { Quote } from '#domain/quote.ts';
import { quoteAt, quotesOf } from '#domain/quote-columns.ts';
import { fc, test as property } from '../../support/property.ts';
import { anyQuote, recordedQuote } from '../../support/recorded-quotes.ts';

const numbered = (n: number, quote: Quote): LogEntry => ({ kind: 'event', event: { n, at: 1000 + n, event: { kind: 'quote', quote } } });

describe('recorded quotes as columns', () => {
  property.prop([fc.array(anyQuote, { minLength: 1, maxLength: 8 })])(
    'every quote comes back as it was: a strategy replays what it saw',
    (quotes) => {
      const columns = columnsOf(quotes.map((quote, index) => numbered(index + 1, quote)));
      const back = columns
        .flatMap((lane) =>
          Array.from({ length: lane.length }, (_, index) => ({ line: lane.line[index] ?? 0, quote: quoteAt(lane, index) })),
        )
        .sort((a, b) => a.line - b.line);
      expect(back.map(({ quote }) => quote)).toStrictEqual(quotes);
    },
  );

  test('a lane of many blocks reads the same one by one and in turn', () => {
    const quotes = Array.from({ length: 1100 }, (_, n) => recordedQuote({ n, anonymous: n % 7 === 0 }));
    const [lane] = columnsOf(quotes.map((quote, index) => numbered(index + 1, quote)));
    expect(lane?.length).toBe(1100);
    if (!lane) return;
    const next = quotesOf(lane);
    for (const [index, quote] of quotes.entries()) {
      expect(next(index)).toStrictEqual(quote);
      expect(quoteAt(lane, index)).toStrictEqual(quote);
    }
    expect(Object.isFrozen(next(5)) && Object.isFrozen(next(5).buy)).toBe(true);
    expect(() => next(1100)).toThrow(/no quote 1100/);
  });

  test('a conflated quote has no number; places are counted over all events', () => {
    const items: LogEntry[] = [
      { kind: 'event', event: { n: 1, at: 5, event: { kind: 'wake' } } },
      { kind: 'conflated', at: 6, quote: recordedQuote({ n: 1 }) },
      numbered(2, recordedQuote({ n: 2 })),
    ];
    const [lane] = columnsOf(items);
    expect([...(lane?.n ?? [])]).toEqual([Number.NaN, 2]);
    expect([...(lane?.line ?? [])]).toEqual([2, 3]);
    expect([...(lane?.at ?? [])]).toEqual([6, 1002]);
  });

  test('parts of a lane can be cut out', () => {
    const quotes = Array.from({ length: 10 }, (_, n) => recordedQuote({ n, capitals: n === 6 }));
    const [lane] = columnsOf(quotes.map((quote, index) => numbered(index + 1, quote)));
    if (!lane) throw new Error('no lane');
    const [head, tail] = [slicedColumns(lane, 0, 4), slicedColumns(lane, 4, 10)];
    const cut = [...quotes.slice(0, 4).map((_, index) => quoteAt(head, index)), ...quotes.slice(4).map((_, index) => quoteAt(tail, index))];
    expect(cut).toStrictEqual(quotes);
  });
});
