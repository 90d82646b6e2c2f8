import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { JournalBooks } from '#daemon/page/journal-books.ts';
import type { Decision } from '#domain/decision.ts';
import { runId } from '#domain/names.ts';
import type { OrderText } from '#domain/order.ts';
import type { ScheduleLine } from '#domain/schedule.ts';
import type { PastView } from '#server/page/past-view.ts';
import { accepted, fillOf, orderFacts, permits, rejected, row, START, sent, unknown } from '../../adapters/journal/order-rows.ts';
import { rowsOf } from '../../support/books.ts';
import { newFolder } from '../../support/folder.ts';

let folder: string;
let journal: SqliteJournal;

beforeEach(() => {
  folder = newFolder();
  journal = SqliteJournal.open({ path: path.join(folder, 'kairos.db'), book: 'paper', beforeCommit: () => {} });
});
afterEach(() => {
  journal.close();
});

const begin = (run: string): void =>
  journal.beginRun({ run: runId(run), at: START, mode: 'paper', version: 'test', configHash: 'hash', configJson: '{}' });

const line: ScheduleLine = {
  name: 'nightly',
  cron: '0 3 * * *',
  timezone: 'UTC',
  action: 'remote.pauseAll',
  arguments: {},
  missed: 'alert',
  missedWithinMs: 0,
  deadlineMs: 1_000,
};

function past(rows: readonly Decision[], schedule: readonly ScheduleLine[] = []): PastView {
  begin('run-1');
  journal.commit(rows);
  const books = new JournalBooks({ path: path.join(folder, 'kairos.db'), run: 'run-1', schedule });
  expect(books.readOn({ monotonicMs: () => 0 })).toBe(true);
  return books.past(START);
}

test('orders, fills and refusals of a strategy are counted, and what they cost: fee, half the spread, slippage', () => {
  const [first, second, third] = [orderFacts(1), orderFacts(2), orderFacts(3)];
  const dearer = { ...fillOf(first), price: '61010.5', value: '610.105' };
  const { strategies, roundTrips, booked } = past([
    ...permits(first),
    sent(first),
    accepted(first, dearer),
    ...permits(second),
    sent(second),
    rejected(second),
    ...permits(third),
    sent(third),
    unknown(third),
  ]);
  expect(booked, 'entries of value and fee').toBe(
    rowsOf<{ last: number }>(path.join(folder, 'kairos.db'), 'SELECT max(entry_id) AS last FROM ledger')[0]?.last,
  );
  expect(strategies).toHaveLength(1);
  const [sma] = strategies;
  expect(sma).toMatchObject({ id: 'sma', orders: 3, fills: 1, refusals: 0 });
  expect(sma?.costs.map(({ currency }) => currency)).toEqual(['USD']);
  const [costs] = sma?.costs ?? [];
  expect(costs?.fee).toBeCloseTo(Number(first.fee));
  expect(costs?.spread).toBeCloseTo(0.25 * 0.01);
  expect(costs?.slippage).toBeCloseTo((61010.5 - Number(first.price)) * 0.01);
  expect(sma?.last).toMatchObject({ kind: 'unknown', order: '3-1', meaning: expect.stringContaining('no answer') });
  expect(roundTrips).toMatchObject([{ lane: first.lane, ms: 8 }]);
});

test('what is latched, with who, when and why; webhooks, the schedule and what was asked of the service', () => {
  const action = { actionId: 'a1', name: 'nightly', action: 'remote.pauseAll', arguments: {}, httpStatus: null };
  const at = '2026-11-20T03:00:00.000Z';
  const body = '{"transferId":"t1","currency":"EUR","amount":"12.5"}';
  const view = past(
    [
      row('halted', { who: 'ann', why: 'prices look wrong' }, { reason: 'BY_PERSON' }),
      row('paused', { who: 'bob', why: 'news' }, { strategy: 'sma', reason: 'BY_PERSON' }),
      row('action', { ...action, dueAt: at, askedAt: at, status: 'skipped', response: 'missed, 5 h late: missed: alert' }),
      row('notification', { id: 'n1', receivedAt: at, type: 'DEPOSIT_CONFIRMED', transferId: 't1', status: 'late', body, by: null }),
    ],
    [line],
  );
  expect(view.latches).toMatchObject([
    { kind: 'halted', strategy: null, who: 'ann', why: 'prices look wrong', since: '2026-11-21T03:00:01.000Z' },
    { kind: 'paused', strategy: 'sma', who: 'bob', why: 'news' },
  ]);
  expect(view.notifications).toEqual([
    { id: 'n1', receivedAt: at, type: 'DEPOSIT_CONFIRMED', transferId: 't1', status: 'late', words: 'DEPOSIT_CONFIRMED late: 12.5 EUR' },
  ]);
  expect(view.schedule).toMatchObject([
    { name: 'nightly', next: '2026-11-22T03:00:00.000Z', last: { dueAt: at, status: 'skipped' }, missed: true },
  ]);
  expect(view.remote).toMatchObject([{ actionId: 'a1', action: 'remote.pauseAll', status: 'skipped' }]);
});

test('what a strategy closed today is told also where it has decided nothing since a restart', () => {
  begin('run-0');
  const [bought, sold] = [orderFacts(1), orderFacts(2, { side: 'sell', price: '62000', value: '620', fee: '0.62' })];
  journal.commit([bought, sold].flatMap((order) => [...permits(order), sent(order), accepted(order)]));
  journal.end(runId('run-0'), 'stopped');
  const { strategies } = past([]);
  expect(strategies).toMatchObject([{ id: 'sma', last: null, orders: 0, closedToday: [{ currency: 'usd', trades: 1 }] }]);
  expect(strategies[0]?.closedToday[0]?.profit).toBeCloseTo(620 - 0.62 - Number(bought.value) - Number(bought.fee));
});

test('what a strategy closed today and what its fills cost are told by currency, never added up', () => {
  const inEuro = (n: number, over: Partial<OrderText>) => orderFacts(n, { product: 'btceur', quoteCcy: 'EUR', feeCcy: 'EUR', ...over });
  const orders = [
    orderFacts(1),
    orderFacts(2, { side: 'sell', price: '62000', value: '620', fee: '0.62' }),
    inEuro(3, { price: '50000', value: '500', fee: '0.5' }),
    inEuro(4, { side: 'sell', price: '49000', value: '490', fee: '0.49' }),
  ];
  const [sma] = past(orders.flatMap((order) => [...permits(order), sent(order), accepted(order)])).strategies;
  expect(sma?.closedToday).toEqual([
    { currency: 'usd', profit: expect.closeTo(620 - 0.62 - 610.005 - 0.610005, 9), trades: 1, course: [8.765] },
    { currency: 'eur', profit: expect.closeTo(490 - 0.49 - 500.5, 9), trades: 1, course: [-10.99] },
  ]);
  expect(sma?.costs).toMatchObject([
    { currency: 'USD', fee: expect.closeTo(0.62 + 0.610005, 9) },
    { currency: 'EUR', fee: expect.closeTo(0.99, 9) },
  ]);
});

test('the course of a day ends at what was made in it, trade by trade', () => {
  const courseOf = (trades: number): readonly number[] => {
    const orders = Array.from({ length: 2 * trades }, (_, n) => orderFacts(n + 1, n % 2 === 1 ? { side: 'sell' } : {}));
    const [sma] = past(orders.flatMap((order) => [...permits(order), sent(order), accepted(order)])).strategies;
    const [closed] = sma?.closedToday ?? [];
    expect(closed?.course.at(-1)).toBeCloseTo(closed?.profit ?? Number.NaN, 1);
    return closed?.course ?? [];
  };
  const [first = 0, second = 0, third = 0] = courseOf(3);
  expect([first < 0, second / first, third / first]).toEqual([true, expect.closeTo(2, 2), expect.closeTo(3, 2)]);
});

test('rows of earlier runs are not counted, and a long run is read on a moment at a time', () => {
  begin('run-0');
  journal.commit(permits(orderFacts(7)));
  journal.end(runId('run-0'), 'stopped');
  begin('run-1');
  for (let n = 1; n <= 400; n += 1)
    journal.commit([...permits(orderFacts(n + 10)), sent(orderFacts(n + 10)), accepted(orderFacts(n + 10))]);
  const books = new JournalBooks({ path: path.join(folder, 'kairos.db'), run: 'run-1', schedule: [] });
  let now = 0;
  // Each look at the clock is a second later: a thousand rows and no more.
  expect(books.readOn({ monotonicMs: () => (now += 1_000) })).toBe(false);
  expect(books.past(START)).toMatchObject({ whole: false, strategies: [{ orders: 250 }] });
  expect(books.readOn({ monotonicMs: () => (now += 1_000) })).toBe(true);
  expect(books.past(START)).toMatchObject({ whole: true, strategies: [{ orders: 400, fills: 400 }] });
  expect(books.feed(books.end() - 2, 10).map(({ seq }) => seq)).toEqual([books.end() - 1, books.end()]);
});
