import { expect, test } from 'vitest';
import type { OrderFinding } from '#adapters/service-client/orders/broker-query.ts';
import { UnknownOrders } from '#daemon/run/unknown-orders.ts';
import { KairosError } from '#domain/errors.ts';
import { order, Reports } from '../../adapters/service-client/support/orders.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const NONE: OrderFinding = { kind: 'none', body: '[]' };
const EXECUTED: OrderFinding = { kind: 'executed', figures: { price: '7' }, body: '[{}]' };
const REFUSED = new KairosError('SERVICE_REFUSED', 'the service answered with 503');

/** Answers in their order, the last for ever; what was asked, by seconds since the start. */
function bench(...answers: readonly (OrderFinding | Error)[]) {
  const timers = new VirtualTimers();
  const startMs = timers.wallMs();
  const askedAt: number[] = [];
  const notices: string[] = [];
  const reports = new Reports();
  const books = { hasOpen: true, changes: 0 };
  const queries = new UnknownOrders({
    query: {
      async order() {
        const answer = answers[Math.min(askedAt.length, answers.length - 1)];
        askedAt.push((timers.wallMs() - startMs) / 1000);
        if (answer === undefined || answer instanceof Error) throw answer ?? new Error('no answer');
        return answer;
      },
      async close() {},
    },
    books: () => books,
    timers,
    serviceClock: { now: () => ({ ms: timers.wallMs(), halfWidthMs: 100 }) },
    notice: (level, text) => notices.push(`${level}: ${text}`),
  });
  queries.connect(reports.sink);
  const pass = async (seconds: number): Promise<void> => {
    for (let step = 0; step < seconds * 4; step += 1) {
      timers.advance(250);
      await Promise.resolve();
      await Promise.resolve();
      await Promise.resolve();
    }
  };
  return { timers, queries, askedAt, notices, reports, books, pass };
}

const living = (timers: VirtualTimers, ms: number) => order({ validUntil: timers.wallMs() + ms });

test('an order whose answer may come late is asked for when it no longer can; any other after a second', async () => {
  const { timers, queries, askedAt, reports, pass } = bench(EXECUTED);
  const [awaited, broken] = [living(timers, 1000), living(timers, 1000)];
  queries.settle(awaited, true);
  queries.settle(broken, false);
  await pass(40);
  expect(askedAt).toEqual([1, 31]);
  for (const one of [awaited, broken]) {
    expect(reports.of(one)).toEqual([{ type: 'found', executed: true, figures: { price: '7' }, body: '[{}]' }]);
  }
  expect(timers.pending).toBe(0);
});

test('an order that the service does not know is settled only once its quote has been dead for ten seconds', async () => {
  const { timers, queries, askedAt, reports, pass } = bench(NONE);
  const lost = living(timers, 3000);
  queries.settle(lost, false);
  await pass(12);
  expect(reports.of(lost)).toEqual([]);
  await pass(10);
  expect(reports.of(lost)).toEqual([{ type: 'found', executed: false, figures: {}, body: '[]' }]);
  expect(askedAt).toEqual([1, 3, 7, 15]);
});

test('is asked again with back-off after any doubt, until an outage of hours is over; a person is told after twenty times', async () => {
  const { timers, queries, askedAt, notices, reports, pass } = bench(...Array.from({ length: 130 }, () => REFUSED), EXECUTED);
  const lost = living(timers, 1000);
  queries.settle(lost, false);
  queries.settle(lost, false);
  await pass(2 * 3600);
  expect(askedAt.slice(0, 7)).toEqual([1, 3, 7, 15, 31, 63, 123]);
  expect(reports.of(lost)).toEqual([]);
  expect(notices).toEqual([
    expect.stringMatching(/^warn: order \S+ is still unknown: the service answered with 503; the service is asked again$/),
    expect.stringMatching(
      /^error: order \S+ stays unknown after the service was asked 20 times: .*; `kairos journal resolve \S+ --as accepted` or `--as rejected` settles it$/,
    ),
  ]);
  await pass(3600);
  expect([reports.types(lost), askedAt.length, timers.pending]).toEqual([['found'], 131, 0]);
});

test('is not asked for any more once a person has settled it, so that no order is open', async () => {
  const { timers, queries, askedAt, reports, books, pass } = bench(REFUSED);
  const lost = living(timers, 1000);
  queries.settle(lost, false);
  await pass(10);
  books.hasOpen = false;
  await pass(60);
  expect([askedAt, reports.of(lost), timers.pending]).toEqual([[1, 3, 7], [], 0]);
});

test('a find after some failures counts, and nothing is told after the close', async () => {
  const { timers, queries, reports, pass } = bench(REFUSED, NONE, EXECUTED);
  const [one, other] = [living(timers, 60_000), living(timers, 60_000)];
  queries.settle(one, false);
  await pass(8);
  expect(reports.types(one)).toEqual(['found']);
  queries.settle(other, false);
  await queries.close();
  await pass(60);
  expect(reports.of(other)).toEqual([]);
  expect(timers.pending).toBe(0);
});
