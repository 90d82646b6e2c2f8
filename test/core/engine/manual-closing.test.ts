import { beforeEach, expect, test } from 'vitest';
import { closing } from '#core/engine/manual-closing.ts';
import { Books } from '#core/portfolio/books.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { ManualOrderView } from '#domain/manual-request.ts';
import { fillAsQuoted, type OrderState } from '#domain/order.ts';
import { BTC, btcProduct } from '../../support/market-data.ts';
import { OWNER, orderOf } from '../../support/orders.ts';

const books = new Books();
const filled = (side: 'buy' | 'sell', size: string) => books.apply(OWNER, BTC, fillAsQuoted(orderOf({ side, size })), 0);

/** Half of a position of so much is to be closed: what is asked for, again and again. */
function half(held: string) {
  const part = { book: OWNER, product: BTC, held: decimalOf(held), orders: new Map<string, ManualOrderView>() };
  const wanted = closing(books, { part, product: btcProduct, pct: 50, feeShare: 0, why: 'half' });
  return {
    wants: () => {
      const sizing = wanted(60_000);
      return 'amount' in sizing ? String(Object.values(sizing.amount)) : 'over' in sizing && (sizing.over ?? 'done');
    },
    ordered: (orderId: string, state: OrderState, size: number) =>
      part.orders.set(orderId, { orderId, side: 'sell', state, price: 60_000, size, quoteAgeMs: 0 }),
  };
}

beforeEach(() => {
  const { size } = books.book(OWNER, BTC);
  if (!size.isZero()) filled('sell', size.toString());
  filled('buy', '0.02');
});

test('a share is closed by its own orders: what another sells meanwhile counts, and does not end it', () => {
  const { wants } = half('0.02');
  expect(wants()).toBe('0.01');
  filled('sell', '0.005');
  expect(wants()).toBe('0.005');
  filled('sell', '0.005');
  expect(wants()).toBe('done');
});

test('what an order in flight adds is none of a share, before it is closed and behind that', () => {
  const { wants, ordered } = half('0.02');
  filled('buy', '0.03');
  expect(wants()).toBe('0.01');
  ordered('1-1', 'rejected', 0.01);
  expect(wants(), 'an order that came to nothing').toBe('0.01');
  filled('sell', '0.01');
  ordered('2-1', 'intent', 0.01);
  expect(wants()).toBe('done');
});

test('of a position that an order in flight alone brings, a share is nothing', () => expect(half('0').wants()).toBe('SIZE_LIMITS'));
