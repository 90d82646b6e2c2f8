import { describe, expect, test } from 'vitest';
import { learnedSizes, sizesIn } from '#adapters/journal/learned-sizes.ts';
import { pastPeaks, pastWorks } from '#adapters/journal/past-works.ts';
import type { DecisionRecord } from '#adapters/journal/records.ts';
import type { Decision } from '#domain/decision.ts';
import type { OrderText } from '#domain/order.ts';
import { JournalInMemory } from './in-memory.ts';
import { accepted, fillOf, orderFacts, permits, rejected, row, START, sent, unknown } from './rows.ts';

const at = (second: number) => START + second * 1000;

/** A plan that a strategy works on, with no legs to speak of: what counts here are the orders that name it. */
const working = (work: string, { strategy, n = 0 }: { readonly strategy?: string | undefined; readonly n?: number } = {}) =>
  row('working', { work, legs: [], lasting: false, onLegFailure: 'unwind', signals: { fast: 1 } }, { n, ...(strategy && { strategy }) });

/** An order of a leg, as it is permitted. */
const tried = (order: OrderText, work: string): Decision[] =>
  permits(order).map((decision) => (decision.kind === 'intent' ? { ...decision, detail: { ...decision.detail, work } } : decision));

/** The rows of a kind, as a start asks for them. */
const rowsOf = ({ database }: JournalInMemory, kind: string) =>
  database.prepare<[string], DecisionRecord>('SELECT * FROM decisions WHERE kind = ? ORDER BY seq').all(kind);
const worksOf = (journal: JournalInMemory) => pastWorks(journal.database, rowsOf(journal, 'working'));

/** What came of one order of a plan, as the next run is told. */
function triedOnce(order: OrderText, ...outcomes: readonly Decision[]) {
  const [work] = worksOf(JournalInMemory.of(working('7/1', { strategy: 'sma' }), ...tried(order, '7/1/0'), ...outcomes));
  return work?.tries;
}

describe('I32 a plan at work goes on after a restart', () => {
  test('with each order of its own legs, oldest first, and with none of another plan', () => {
    const orders = [1, 2, 3, 4].map((n) => orderFacts(n));
    const [bought, refused, lost, other] = orders;
    if (!bought || !refused || !lost || !other) throw new Error('four orders');
    const journal = JournalInMemory.of(
      ...tried(orderFacts(9), '7/1/0'),
      working('7/1', { strategy: 'sma', n: 1 }),
      working('7/11', { strategy: 'sma', n: 2 }),
      ...[...tried(bought, '7/1/0'), ...tried(refused, '7/1/1'), ...tried(lost, '7/1/12'), ...tried(other, '7/11/0')],
      ...[...permits(orderFacts(5)), sent(bought), accepted(bought), rejected(refused), unknown(lost)],
    );
    const plan = { legs: [], lasting: false, onLegFailure: 'unwind', signals: { fast: 1 }, strategy: 'sma' };
    expect(worksOf(journal)).toEqual([
      {
        ...{ work: '7/1', begun: at(1), ...plan },
        tries: [
          { order: '1-1', leg: 0, state: 'accepted', at: at(2), change: '0.01' },
          { order: '2-1', leg: 1, state: 'rejected', at: at(3), change: null },
          { order: '3-1', leg: 12, state: 'unknown', at: at(3), change: null },
        ],
      },
      { work: '7/11', begun: at(2), ...plan, tries: [{ order: '4-1', leg: 0, state: 'intent', at: at(4), change: null }] },
    ]);
  });

  test('none where none was at work, and none of nobody', () => {
    expect(worksOf(JournalInMemory.of())).toEqual([]);
    expect(worksOf(JournalInMemory.of(working('7/1')))).toEqual([]);
  });
});

describe('what an order of a leg changed', () => {
  const order = orderFacts(1);
  const sale = orderFacts(1, { side: 'sell' });

  test.each([
    ['a purchase adds', order, {}, '0.01'],
    ['a sale takes away', sale, {}, '-0.01'],
    ['a fee in what was bought is taken from it', order, { fee: '0.001', feeCcy: 'BTC' }, '0.009'],
    ['and adds to what was sold', sale, { fee: '0.001', feeCcy: 'BTC' }, '-0.011'],
    ['of a currency against itself the fee is money', order, { fee: '0.001', feeCcy: 'USD', baseCcy: 'USD' }, '0.01'],
    ['it is what was executed, not what was asked for', order, { size: '0.004' }, '0.004'],
  ])('%s', (_, of, fill, change) => {
    expect(triedOnce(of, accepted(of, { ...fillOf(of), ...fill }))).toEqual([
      { order: '1-1', leg: 0, state: 'accepted', at: at(2), change },
    ]);
  });

  const says = (as: 'accepted' | 'rejected', size: string | null, n: number) =>
    row('resolved', { who: 'ann', why: 'seen', as, fill: size === null ? null : { ...fillOf(order), size } }, { order, n });

  test('I04 a person settles what is unknown, by a word that says how much', () => {
    expect(triedOnce(order, unknown(order), says('accepted', null, 3), says('accepted', '0.005', 4))).toEqual([
      { order: '1-1', leg: 0, state: 'accepted', at: at(4), change: '0.005' },
    ]);
  });

  test('the first outcome stands, whatever the service says later', () => {
    expect(triedOnce(order, says('rejected', null, 3), accepted(order))).toMatchObject([{ state: 'rejected', change: null }]);
    expect(triedOnce(order, accepted(order), says('accepted', '0.5', 3))).toMatchObject([{ state: 'accepted', change: '0.01' }]);
  });
});

test("I32 a trailing stop goes on from the best price of each strategy's position", () => {
  const peak = (price: string, of: OrderText) => ({
    ...row('peak', { price, openedAt: at(1) }, { order: of }),
    orderId: null,
    quoteId: null,
  });
  const [one, other] = [orderFacts(1), orderFacts(2, { strategy: 'rsi', product: 'ETHUSD' })];
  const journal = JournalInMemory.of(
    ...[peak('61000', one), peak('3000', other)],
    ...[
      { ...peak('1', one), strategy: null },
      { ...peak('1', one), product: null },
    ],
  );
  expect(pastPeaks(rowsOf(journal, 'peak'))).toEqual([
    { strategy: 'sma', product: 'btcusd', price: '61000', openedAt: at(1) },
    { strategy: 'rsi', product: 'ethusd', price: '3000', openedAt: at(1) },
  ]);
});

test('the largest size without a spread is the last that was learned of each product, in the order of their names', () => {
  const learned = (product: string | null, size: string, n: number): Decision =>
    ({ ...row('learned', { size, currency: 'base', lane: 'a lane' }, { n }), product }) as Decision;
  // The product in capitals is of an earlier version.
  const journal = JournalInMemory.of(
    ...[learned('ethusd', '1', 1), learned('adausd', '9', 2), learned('BTCUSD', '0.1', 3), learned('btcusd', '0.2', 4)],
    learned(null, '8', 5),
  );
  expect(learnedSizes(journal.database)).toEqual([
    { product: 'adausd', at: at(2), size: '9', currency: 'base', lane: 'a lane' },
    { product: 'btcusd', at: at(4), size: '0.2', currency: 'base', lane: 'a lane' },
    { product: 'ethusd', at: at(1), size: '1', currency: 'base', lane: 'a lane' },
  ]);
  // A row of another kind says nothing.
  expect(sizesIn(rowsOf(JournalInMemory.of(...permits(orderFacts(1))), 'intent'))).toEqual([]);
});
