import { expect, test } from 'vitest';
import depositDca from '../../strategies/deposit-dca.ts';
import type { Rig } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';

const newRig = rigsOfTests({ strategies: { dca: depositDca } });

type Deposit = (r: Rig, currency: string, amount: string) => void;

/** As `kairos ledger add` and `backtest.deposits` do. */
const booked: Deposit = (r, currency, amount) => {
  const entry = { kind: 'deposit', book: 'treasury', currency, amount } as const;
  r.give({ kind: 'command', command: { act: 'book', who: 'test', why: 'money came in', entries: [entry] } });
};

/** As the service tells of it. */
const notified: Deposit = (r, currency, amount) => {
  const what = { type: 'DEPOSIT_CONFIRMED', transferId: `t-${currency}`, body: '{}', status: 'booked', earlier: null, by: null } as const;
  r.give({ kind: 'notification', notified: { ...what, deposit: { currency, amount } } });
};

/** Lets time pass with a quote each half second; every order is filled. Returns how many there were. */
function pass(r: Rig, seconds: number): number {
  const before = r.broker.submitted.length;
  for (let half = 0; half < 2 * seconds; half++) {
    if (r.price()) r.answer(r.last);
  }
  return r.broker.submitted.length - before;
}

test('a daemon that restarts more often than once a period buys once a period all the same', () => {
  const options = { params: { sharePct: 100, everySeconds: 60 } };
  let r = newRig(options);
  pass(r, 1);
  booked(r, 'usd', '100000');
  r.answer(r.last);
  let bought = 0;
  for (let run = 2; run < 10; run++) {
    bought += pass(r, 50);
    r.crash();
    r = newRig({ ...options, folder: r.folder, startAt: r.clock.now() });
  }
  expect(bought).toBe(6);
});

test.each<[string, Deposit]>([
  ['that a person or a backtest books', booked],
  ['that the service tells of', notified],
])(
  'a deposit %s is bought from as it comes and once a period, as far as it goes, over a restart too; other money is left alone',
  (_, deposit) => {
    const options = { params: { sharePct: 80, everySeconds: 10 } };
    const first = newRig(options);
    expect(pass(first, 30)).toBe(0);
    deposit(first, 'btc', '5');
    expect(pass(first, 30)).toBe(0);
    // An amount is worth 600: 80 percent of 2,500 pays for three.
    deposit(first, 'usd', '2500');
    expect(first.broker.submitted).toHaveLength(1);
    first.answer(first.last);
    expect(pass(first, 10)).toBe(1);
    first.crash();
    const second = newRig({ ...options, folder: first.folder, startAt: first.clock.now() });
    expect(pass(second, 60)).toBe(1);
    expect(second.query("SELECT count(*) AS orders FROM orders WHERE state = 'accepted'")).toEqual([{ orders: 3 }]);
  },
);
