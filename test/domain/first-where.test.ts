import { expect, test } from 'vitest';
import { firstAt, firstWhere } from '#domain/first-where.ts';
import { countUntil } from '../../web/charts/count-until.ts';
import { fc } from '../support/property.ts';

const rising = fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 40 }).map((all) => all.sort((a, b) => a - b));

test('a search by halving finds what a look at each place finds, of equal numbers the first', () => {
  fc.assert(
    fc.property(rising, fc.integer({ min: -6, max: 6 }), fc.nat(5), (all, least, from) => {
      const place = all.findIndex((one) => one >= least);
      expect(firstAt(all, least)).toBe(place < 0 ? all.length : place);
      expect(countUntil(all.length, (n) => all[n] ?? 0, least)).toBe(all.filter((one) => one <= least).length);
      const to = from + all.length;
      expect(firstWhere(from, to, (n) => (all[n - from] ?? 0) >= least)).toBe(from + firstAt(all, least));
    }),
  );
  expect(firstWhere(3, 3, () => true)).toBe(3);
  expect(firstWhere(7, 2, () => true)).toBe(7);
  // Rows of a journal may be many.
  expect(firstWhere(0, 2 ** 40, (n) => n >= 3_000_000_000)).toBe(3_000_000_000);
});
