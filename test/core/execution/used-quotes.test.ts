import { expect, test } from 'vitest';
import { UsedQuotes } from '#core/execution/used-quotes.ts';
import { quoteId } from '#domain/names.ts';

const id = (n: number) => quoteId(`00000000-0000-4000-8000-${String(n).padStart(12, '0')}`);

test('I02 a quote is known as used until as many others were as are kept, also when it is named again', () => {
  const used = new UsedQuotes(3);
  const known = () => [0, 1, 2, 3, 4, 5, 6, 7].filter((n) => used.has(id(n)));
  expect(known()).toEqual([]);
  for (const n of [0, 1, 1, 2, 0]) used.add(id(n));
  expect(known()).toEqual([0, 1, 2]);
  used.add(id(3));
  expect(known()).toEqual([1, 2, 3]);
  for (const n of [4, 5, 6, 7]) used.add(id(n));
  expect(known()).toEqual([5, 6, 7]);
});

test('ten thousand are kept', () => {
  const used = new UsedQuotes();
  for (let n = 0; n < 10_000; n++) used.add(id(n));
  expect(used.has(id(0))).toBe(true);
  used.add(id(10_000));
  expect([used.has(id(0)), used.has(id(1))]).toEqual([false, true]);
});
