import { describe, expect, test } from 'vitest';
import { LARGEST_DELTA, packDeltas, unpackDeltas } from '#adapters/recording/delta.ts';
import { columnsOf } from '#adapters/recording/log-columns.ts';
import { quoteFile, quotesIn } from '#adapters/recording/quote-file.ts';
import { figuresOf } from '#domain/columns-memory.ts';
import { quoteAt } from '#domain/quote-columns.ts';
import { fc, test as property } from '../../support/property.ts';
import { anyQuote, recordedQuote } from '../../support/recorded-quotes.ts';

describe('differences', () => {
  const whole = fc.integer({ min: -LARGEST_DELTA, max: LARGEST_DELTA });
  const small = fc.integer({ min: -5, max: 5 });
  property.prop([fc.array(fc.oneof(whole, small, fc.constantFrom(-LARGEST_DELTA, LARGEST_DELTA)), { maxLength: 700 })])(
    'every whole number comes back',
    (numbers) => {
      const values = Float64Array.from(numbers);
      const back = new Float64Array(values.length);
      unpackDeltas(packDeltas(values).slice(), back);
      expect(back).toEqual(values);
    },
  );

  test('cut bytes are refused, not read as something else', () => {
    const bytes = packDeltas(Float64Array.from({ length: 300 }, (_, i) => i * i));
    expect(() => unpackDeltas(bytes.subarray(0, bytes.length - 20), new Float64Array(300))).toThrow(RangeError);
    expect(() => unpackDeltas(bytes, new Float64Array(299))).toThrow(RangeError);
  });
});

describe('quotes of a lane as Parquet', () => {
  const wellFormed = anyQuote.filter(({ id }) => id === null || id.isWellFormed());
  property.prop([fc.array(wellFormed, { minLength: 1, maxLength: 20 }), fc.array(fc.boolean(), { minLength: 20, maxLength: 20 })], {
    numRuns: 40,
  })('every double, id and number comes back as it was (B01, B02)', (quotes, conflated) => {
    const items = quotes.map((quote, i) =>
      conflated[i]
        ? { kind: 'conflated' as const, at: i, quote }
        : { kind: 'event' as const, event: { n: i, at: i, event: { kind: 'quote' as const, quote } } },
    );
    for (const lane of columnsOf(items)) {
      const back = quotesIn(quoteFile(lane, 'compared').slice(), lane.length);
      expect(back).toEqual(lane);
      for (let i = 0; i < lane.length; i += 1) expect(quoteAt(back, i)).toStrictEqual(quoteAt(lane, i));
    }
  });

  test('more rows than are written together', () => {
    const items = Array.from({ length: 124_000 }, (_, n) => ({
      kind: 'event' as const,
      event: { n: n * 2, at: n * 3, event: { kind: 'quote' as const, quote: recordedQuote({ n: n % 1000, anonymous: n % 2 === 0 }) } },
    }));
    const [lane] = columnsOf(items);
    if (!lane) throw new Error('no lane');
    const back = quotesIn(quoteFile(lane, 'compared').slice(), lane.length);
    expect(back.length).toBe(124_000);
    const expected = figuresOf(lane);
    for (const [place, figure] of figuresOf(back).entries()) expect(bytesOf(figure).equals(bytesOf(expected[place] ?? figure))).toBe(true);
    expect(bytesOf(back.ids).equals(bytesOf(lane.ids))).toBe(true);
  });
});

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array | Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength);
