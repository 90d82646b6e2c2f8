import { expect, test } from 'vitest';
import { areFees } from '#daemon/operations/fees-taken.ts';
import type { FeeDifferences } from '#daemon/operations/fees-thread.ts';
import { type BooksNow, FeeCheck } from '#daemon/run/fee-check.ts';
import type { BookedEntry } from '#domain/decision.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const FEE: BookedEntry = { kind: 'correction', book: 'b', currency: 'btc', amount: '-0.00001', product: 'btcusd' };
const LOST: BookedEntry = { kind: 'correction', book: 'treasury', currency: 'btc', amount: '-1' };
const AGREED: FeeDifferences = { corrections: [], isFees: true };
const AT_REST: BooksNow = { hasOpen: false, changes: 1 };

function bench(found: () => FeeDifferences, books: () => BooksNow = () => AT_REST) {
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
    books,
    compare: async () => found(),
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
  const b = bench(() => ({ ...AGREED, corrections: [FEE] }));
  for (let order = 0; order < 2; order++) {
    b.check.due();
    b.check.due();
    await b.pass();
  }
  expect(b.booked).toEqual([FEE, FEE]);
  expect(b.told).toEqual([expect.stringMatching(/^warn: fees are taken in another currency .*service\.feeIn to base or received/)]);
});

test('books that agree once are right: nothing more is asked', async () => {
  const b = bench(() => AGREED);
  for (let order = 0; order < 3; order++) {
    b.check.due();
    await b.pass();
  }
  expect([b.asked(), b.booked, b.told]).toEqual([1, [], []]);
});

test('what fees do not explain is booked by nobody, and said', async () => {
  const b = bench(() => ({ corrections: [FEE, LOST], isFees: false }));
  b.check.due();
  await b.pass();
  expect([b.booked, b.told]).toEqual([[], [expect.stringMatching(/^error: the account differs from the books.*kairos reconcile/)]]);
});

test('what was not explained may be later: it is said once, and looked for again after the next order', async () => {
  const answers: FeeDifferences[] = [
    { corrections: [LOST], isFees: false },
    { corrections: [LOST], isFees: false },
    { ...AGREED, corrections: [FEE] },
  ];
  const b = bench(() => answers.shift() ?? AGREED);
  for (let order = 0; order < 3; order++) {
    b.check.due();
    await b.pass();
  }
  expect([b.booked, b.told.length]).toEqual([[FEE], 2]);
});

test('fees are missing in one currency and left over in another: a deposit that nobody has told of yet is none', () => {
  const left: BookedEntry = { ...FEE, currency: 'usd', amount: '0.6' };
  expect([areFees([FEE, left]), areFees([left]), areFees([FEE]), areFees([FEE, left, LOST]), areFees([])]).toEqual([
    ...[true, false, false, false, false],
  ]);
});

test('while an order is on its way, or one is executed meanwhile, it is looked again later', async () => {
  const moments = [
    { hasOpen: true, changes: 1 },
    { hasOpen: false, changes: 1 },
    { hasOpen: true, changes: 2 },
  ];
  const b = bench(
    () => ({ ...AGREED, corrections: [FEE] }),
    () => moments.shift() ?? { hasOpen: false, changes: 3 },
  );
  b.check.due();
  await b.pass();
  await b.pass();
  expect(b.booked).toEqual([]);
  await b.pass();
  expect(b.booked).toEqual([FEE]);
  b.check.close();
  b.check.due();
  await b.pass();
  expect(b.asked()).toBe(2);
});

test('a service that cannot be asked is told of once, and asked again after the next order', async () => {
  const answers = ['no answer', 'no answer', null, 'no answer'];
  const b = bench(() => {
    const trouble = answers.shift();
    if (trouble) throw new Error(trouble);
    return { ...AGREED, corrections: [FEE] };
  });
  const order = async (): Promise<void> => {
    b.check.due();
    await b.pass();
  };
  const trouble = expect.stringMatching(/^warn: fees: .*no answer; it is tried again after the next order, .*`kairos reconcile --check`/);
  await order();
  await order();
  expect([b.booked, b.told]).toEqual([[], [trouble]]);
  await order();
  expect([b.booked, b.told]).toEqual([[FEE], [trouble, expect.stringMatching(/^warn: fees are taken in another currency/)]]);
  await order();
  expect(b.told.slice(2)).toEqual([trouble]);
});
