import { expect, test } from 'vitest';
import { FeeCheck } from '#apps/daemon/fee-check.ts';
import type { FeesTaken } from '#apps/operations/account-balances.ts';
import type { BookedEntry } from '#domain/decision.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const FEE: BookedEntry = { kind: 'correction', book: 'b', currency: 'btc', amount: '-0.00001', product: 'btcusd' };
const LOST: BookedEntry = { kind: 'correction', book: 'treasury', currency: 'btc', amount: '-1' };
const QUIET: FeesTaken = { corrections: [], isFees: true, open: 0, fills: 1 };

function bench(found: () => FeesTaken) {
  const timers = new VirtualTimers(0);
  const booked: BookedEntry[] = [];
  const told: string[] = [];
  let asked = 0;
  const check = new FeeCheck({
    async balances() {
      asked += 1;
      if (asked > 50) throw new Error('asked without end');
      return new Map();
    },
    compare: found,
    book: (entries) => booked.push(...entries),
    timers,
    notice: (level, text) => told.push(`${level}: ${text}`),
  });
  const pass = async (): Promise<void> => {
    timers.advance(2000);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { check, booked, told, pass, asked: () => asked };
}

test('what fees took is booked after each order, and told once', async () => {
  const b = bench(() => ({ ...QUIET, corrections: [FEE] }));
  for (let order = 0; order < 2; order++) {
    b.check.due();
    b.check.due();
    await b.pass();
  }
  expect(b.booked).toEqual([FEE, FEE]);
  expect(b.told).toEqual([expect.stringMatching(/^warn: fees are taken in another currency .*service\.feeIn to base or received/)]);
});

test('books that agree once are right: nothing more is asked', async () => {
  const b = bench(() => QUIET);
  for (let order = 0; order < 3; order++) {
    b.check.due();
    await b.pass();
  }
  expect([b.asked(), b.booked, b.told]).toEqual([1, [], []]);
});

test('what fees do not explain is booked by nobody, and said', async () => {
  const b = bench(() => ({ ...QUIET, corrections: [FEE, LOST], isFees: false }));
  b.check.due();
  await b.pass();
  expect([b.booked, b.told]).toEqual([[], [expect.stringMatching(/^error: the account has not what the books say.*kairos reconcile/)]]);
});

test('while an order is on its way, or one is executed meanwhile, it is looked again later', async () => {
  const moments = [{ open: 1 }, { open: 1 }, { fills: 1 }, { fills: 2 }, {}, { corrections: [FEE] }];
  const b = bench(() => ({ ...QUIET, ...moments.shift() }));
  b.check.due();
  await b.pass();
  await b.pass();
  expect(b.booked).toEqual([]);
  await b.pass();
  expect(b.booked).toEqual([FEE]);
  b.check.close();
  b.check.due();
  await b.pass();
  expect(b.asked()).toBe(3);
});

test('a service that cannot be asked is told of once', async () => {
  const b = bench(() => {
    throw new Error('no answer');
  });
  for (let order = 0; order < 2; order++) {
    b.check.due();
    await b.pass();
  }
  expect(b.told).toEqual([expect.stringMatching(/^warn: fees: .*no answer; do so with `kairos reconcile --check`/)]);
});
