import { expect, test } from 'vitest';
import { UsedQuotes } from '#core/execution/used-quotes.ts';
import { quoteId } from '#domain/names.ts';

const id = (n: number) => quoteId(`00000000-0000-4000-8000-${String(n).padStart(12, '0')}`);

test('I02 a quote is known as used for ten thousand others, also when it is named again, and over a restart', () => {
  const used = new UsedQuotes([id(0), id(1), id(1)]);
  expect([used.has(id(0)), used.has(id(1)), used.has(id(2))]).toEqual([true, true, false]);
  for (let n = 2; n < 10_000; n++) used.add(id(n));
  used.add(id(5));
  expect([used.has(id(0)), used.has(id(9_999))]).toEqual([true, true]);
  used.add(id(10_000));
  expect([used.has(id(0)), used.has(id(1)), used.has(id(10_000))]).toEqual([false, true, true]);
  for (let n = 10_001; n < 30_000; n++) used.add(id(n));
  expect([used.has(id(19_999)), used.has(id(20_000)), used.has(id(29_999))]).toEqual([false, true, true]);
});
