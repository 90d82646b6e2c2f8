import { expect, test } from 'vitest';
import type { BooksNow } from '#daemon/run/fee-check.ts';
import { StrangersOrders } from '#daemon/run/strangers-orders.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

/** An account and books that a test changes between looks. */
function bench() {
  const timers = new VirtualTimers(0);
  const told: string[] = [];
  const account: Record<string, string> = { usd: '1000', btc: '0' };
  const state = { books: { hasOpen: false, changes: 0 } as BooksNow, fails: false, asked: 0 };
  const watch = new StrangersOrders({
    async balances() {
      state.asked += 1;
      if (state.fails) throw new Error('no route');
      return new Map(Object.entries(account));
    },
    books: () => state.books,
    timers,
    notice: (level, text) => told.push(`${level}: ${text}`),
  });
  const look = async (times = 1): Promise<void> => {
    for (let n = 0; n < times; n += 1) {
      timers.advance(15_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { watch, told, account, state, look };
}

test('row 7: an order that nobody here sent is told, once', async () => {
  const b = bench();
  await b.look(2);
  Object.assign(b.account, { usd: '399.21982', btc: '0.01' });
  await b.look(3);
  expect(b.told).toEqual([
    expect.stringMatching(/^error: an order that was not sent from here moved the account \(-600.78018 usd, \+0.01 btc\)/),
  ]);
});

test('our own orders, deposits and withdrawals are none', async () => {
  const b = bench();
  await b.look(2);
  b.state.books = { hasOpen: true, changes: 1 };
  await b.look();
  b.state.books = { hasOpen: false, changes: 2 };
  Object.assign(b.account, { usd: '399', btc: '0.01' });
  await b.look(3);
  b.account.usd = '900';
  await b.look();
  b.account.usd = '100';
  await b.look();
  expect(b.told).toEqual([]);
});

test('a fill while the service is asked is not taken for a stranger', async () => {
  const b = bench();
  await b.look(2);
  Object.assign(b.account, { usd: '399', btc: '0.01' });
  const { books } = b.state;
  let reads = 0;
  Object.defineProperty(b.state, 'books', { get: () => (reads++ === 0 ? books : { hasOpen: false, changes: 1 }) });
  await b.look(3);
  expect(b.told).toEqual([]);
});

test('balances that cannot be asked are told once, and nothing is asked after the end', async () => {
  const b = bench();
  b.state.fails = true;
  await b.look(4);
  expect(b.told).toEqual([expect.stringMatching(/^warn: orders of others cannot be noticed.*no route/)]);
  const { asked } = b.state;
  b.watch.close();
  await b.look(2);
  expect(b.state.asked).toBe(asked);
});
