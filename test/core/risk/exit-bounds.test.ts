import { expect, test } from 'vitest';
import { Books } from '#core/portfolio/books.ts';
import { ExitBounds } from '#core/risk/exit-bounds.ts';
import { productCode } from '#domain/names.ts';
import { fillAsQuoted } from '#domain/order.ts';
import { backOffMs } from '#domain/retry.ts';
import { BTC } from '../../support/market-data.ts';
import { inState, OWNER, orderOf } from '../../support/orders.ts';

const exit = (id: string) => ({ id, side: 'sell', size: '1' }) as const;
const TOO_MUCH = { approved: false, reason: 'MAX_EXIT_VALUE', checks: [] } as const;
const PASSED = { approved: true, checks: [] } as const;

/** A book of two bitcoins. */
function bounded() {
  const books = new Books();
  books.apply(OWNER, BTC, fillAsQuoted(orderOf({ size: '2' })), 0);
  return { books, bounds: new ExitBounds(books) };
}

test('exits that are rejected wait longer each time, up to half a minute, until one is executed', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 99].map((n) => backOffMs('afterRejection', n))).toEqual([
    1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
  ]);
  const { bounds } = bounded();
  const left = (now: number) => bounds.pauseLeftMs(OWNER, BTC, now);
  const tried = (id: string, state: 'rejected' | 'expired' | 'accepted', now: number, first?: 'unknown') => {
    bounds.assessed(orderOf(exit(id)), PASSED);
    if (first) bounds.settled(inState(first, exit(id)), now);
    bounds.settled(inState(state, exit(id)), now);
  };
  expect(left(0)).toBe(0);
  tried('1-1', 'rejected', 100);
  expect([left(100), left(600), left(1100), left(9999)]).toEqual([1000, 500, 0, 0]);
  tried('2-1', 'rejected', 2000);
  expect(left(2000)).toBe(2000);
  tried('3-1', 'expired', 5000);
  expect(left(5000)).toBe(0);
  tried('4-1', 'rejected', 5000);
  expect(left(5000)).toBe(4000);
  tried('5-1', 'accepted', 6000);
  expect(left(6000)).toBe(0);
  tried('6-1', 'rejected', 7000);
  expect(left(7000)).toBe(1000);
  tried('7-1', 'rejected', 9000, 'unknown');
  expect(left(9000), 'it has waited').toBe(0);
});

test('an opening that is rejected, and one of another product, keep no exit waiting', () => {
  const { bounds } = bounded();
  bounds.settled(inState('rejected', { id: '1-1' }), 100);
  bounds.assessed(orderOf({ ...exit('2-1'), product: productCode('ethusd') }), PASSED);
  bounds.settled(inState('rejected', { ...exit('2-1'), product: productCode('ethusd') }), 100);
  // It was refused, so that there is nothing whose rejection could count.
  bounds.assessed(orderOf(exit('3-1')), { approved: false, reason: 'COLLAR', checks: [] });
  bounds.settled(inState('rejected', exit('3-1')), 100);
  expect(bounds.pauseLeftMs(OWNER, BTC, 100)).toBe(0);
});

test('an exit that is worth too much begins to wait for a person once, is told with its worth, and no more once one has passed', () => {
  const { bounds } = bounded();
  expect(bounds.assessed(orderOf(exit('0-1')), PASSED)).toBe(false);
  expect(bounds.assessed(orderOf(exit('1-1')), TOO_MUCH)).toBe(true);
  expect(bounds.assessed(orderOf(exit('2-1')), TOO_MUCH)).toBe(false);
  expect(bounds.waiting()).toMatchObject([
    { strategy: OWNER, product: BTC, worth: '60000', currency: 'usd', command: 'kairos close s --product btcusd --up-to-value 66000' },
  ]);
  expect(bounds.assessed(orderOf(exit('3-1')), { approved: false, reason: 'COLLAR', checks: [] })).toBe(false);
  expect(bounds.waiting()).toHaveLength(1);
  expect(bounds.assessed(orderOf(exit('4-1')), PASSED)).toBe(false);
  expect(bounds.waiting()).toEqual([]);
  expect(bounds.assessed(orderOf(exit('5-1')), TOO_MUCH)).toBe(true);
});

test('what a person allows holds for the book until its position is closed, and for no other', () => {
  const { books, bounds } = bounded();
  expect(bounds.allowed(OWNER, BTC)).toBeNull();
  bounds.allow(OWNER, BTC, '70000');
  expect(bounds.allowed(OWNER, BTC)?.toString()).toBe('70000');
  expect(bounds.allowed(OWNER, productCode('ethusd'))).toBeNull();
  books.apply(OWNER, BTC, fillAsQuoted(orderOf(exit('1-1'))), 1);
  bounds.settled(inState('accepted', exit('1-1')), 1);
  expect(bounds.allowed(OWNER, BTC)?.toString()).toBe('70000');
  books.apply(OWNER, BTC, fillAsQuoted(orderOf(exit('2-1'))), 2);
  bounds.settled(inState('accepted', exit('2-1')), 2);
  expect(bounds.allowed(OWNER, BTC)).toBeNull();
});

test('what a person allowed ends with the position, also where a rest is left that no order can close', () => {
  const { books, bounds } = bounded();
  bounds.allow(OWNER, BTC, '70000');
  books.apply(OWNER, BTC, fillAsQuoted(orderOf({ ...exit('1-1'), size: '1.9995' })), 1);
  expect(bounds.allowed(OWNER, BTC)?.toString()).toBe('70000');
  books.apply(OWNER, BTC, fillAsQuoted(orderOf({ id: '2-1', size: '2' })), 2);
  expect(bounds.allowed(OWNER, BTC)).toBeNull();
});
