import { expect, test } from 'vitest';
import { RecentIds } from '#core/market/lane-state.ts';
import { quoteId } from '#domain/names.ts';

test('I21, F32: the last 64 ids are known again, also where they end alike, and older ones are forgotten', () => {
  for (const named of [(n: number) => `${n}-0000`, (n: number) => `0000-${n}`, (n: number) => String(n)]) {
    const ids = new RecentIds();
    const add = (n: number) => ids.add(quoteId(named(n)));
    for (let n = 0; n < 300; n++) {
      expect(add(n), named(n)).toBe(true);
      expect(add(Math.max(0, n - 63)), `${named(n)} and 63 before it`).toBe(false);
    }
    expect(add(300 - 65)).toBe(true);
  }
});
