import { expect, test } from 'vitest';
import { closing } from '#core/engine/manual-closing.ts';
import { Books } from '#core/portfolio/books.ts';
import { decimalOf } from '#domain/decimal.ts';
import { fillAsQuoted } from '#domain/order.ts';
import { BTC, btcProduct } from '../../support/market-data.ts';
import { OWNER, orderOf } from '../../support/orders.ts';

test('a share is closed by its own orders: what another sells meanwhile counts, and does not end it', () => {
  const books = new Books();
  const filled = (side: 'buy' | 'sell', size: string) => books.apply(OWNER, BTC, fillAsQuoted(orderOf({ side, size })), 0);
  filled('buy', '0.02');
  const part = { book: OWNER, product: BTC, held: decimalOf('0.02') };
  const half = closing(books, { part, product: btcProduct, pct: 50, feeShare: 0, why: 'half' });
  const wanted = () => {
    const sizing = half(60_000);
    return 'amount' in sizing ? String(Object.values(sizing.amount)) : 'done' in sizing && sizing.done;
  };
  expect(wanted()).toBe('0.01');
  filled('sell', '0.005');
  expect(wanted()).toBe('0.005');
  filled('sell', '0.005');
  expect(wanted()).toBe(true);
});
