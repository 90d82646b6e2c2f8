import { describe, expect, test } from 'vitest';
import { NO_ROWS, NO_STATE, rowEnd, stateAfter } from '#adapters/journal/journal-state.ts';
import type { BookedEntry, Decision } from '#domain/decision.ts';
import { productCode } from '#domain/names.ts';
import { JournalInMemory } from './in-memory.ts';
import { accepted, orderFacts, permits, row, START } from './order-rows.ts';
import { RUN } from './rows.ts';

const filled = (n: number, over: Parameters<typeof orderFacts>[1] = {}): Decision[] => {
  const order = orderFacts(n, { fee: '0', value: '600', ...over });
  return [...permits(order), accepted(order)];
};
const booked = (...entries: readonly BookedEntry[]): Decision => row('booked', { who: 'ann', why: 'a statement', entries });
const opening = (book: string, currency: string, amount: string): BookedEntry => ({ kind: 'opening', book, currency, amount });
const about = (decision: Decision, strategy: string, product: string): Decision =>
  ({ ...decision, strategy, product: productCode(product) }) as Decision;
const working = (work: string): Decision =>
  row('working', { work, lasting: false, onLegFailure: 'keep', signals: {}, legs: [] } as never, { strategy: 'sma' });

function stateOf(...decisions: readonly Decision[]) {
  const { database } = JournalInMemory.of(...decisions);
  return stateAfter(database, NO_STATE, { from: NO_ROWS, to: rowEnd(database) });
}

test('a correction changes the position as it was by then: the rest of a closed one is not taken off the next', () => {
  const correction = (currency: string, amount: string): Decision =>
    booked({ kind: 'correction', book: 'sma', product: 'btcusd', currency, amount });
  const bought = filled(1);
  const open = (size: string) => ({ strategy: 'sma', product: 'btcusd', size });
  expect(stateOf(correction('btc', '-0.004'), ...bought).books.books).toMatchObject([{ ...open('0.01'), cash: '-600' }]);
  expect(stateOf(...bought, correction('btc', '-0.004')).books.books).toMatchObject([{ ...open('0.006'), cash: '-600' }]);
  expect(stateOf(...bought, correction('btc', '-0.01'), ...filled(2)).books.books).toMatchObject([
    { ...open('0.01'), cash: '-1200', entries: 1 },
  ]);
  const both = stateOf(...bought, correction('btc', '-0.004'), correction('usd', '-5'), ...filled(2)).books.books;
  expect(both).toMatchObject([{ ...open('0.016'), cash: '-1205', entries: 2 }]);
});

test('the cost of holding a position is cash of its book', () => {
  const financing = booked({ kind: 'financing', book: 'sma', product: 'BTCUSD', currency: 'usd', amount: '-1.25' });
  expect(stateOf(...filled(1), financing).books.books).toMatchObject([{ cash: '-601.25', size: '0.01' }]);
});

test('opening balances add up by book and currency, in the order in which they were first booked; they are no flow', () => {
  const deposit: BookedEntry = { kind: 'deposit', book: 'treasury', currency: 'USD', amount: '12345678901.5' };
  const { openings, flows } = stateOf(
    booked(opening('treasury', 'USD', '100'), opening('sma', 'usd', '7'), deposit),
    booked(opening('treasury', 'BTC', '2'), opening('treasury', 'usd', '1.25'), { ...deposit, currency: 'eur' }, deposit),
  );
  expect(openings.map(({ book, currency, amount }) => [book, currency, amount])).toEqual([
    ['treasury', 'usd', '101.25'],
    ['sma', 'usd', '7'],
    ['treasury', 'btc', '2'],
  ]);
  expect(Object.entries(flows)).toEqual([
    ['eur', '12345678901.5'],
    ['usd', '24691357803'],
  ]);
});

test('of rows that last, the newest counts: of each strategy, of each product, or of both, in the order of their names', () => {
  const state = row('state', { state: '1', by: 'quote' });
  const peak = row('peak', { price: '1', openedAt: START });
  const exit = row('exit', { rule: 'stopLossPct' } as never);
  const learned = row('learned', { size: '1', currency: 'BTC', lane: 'x' });
  const { rows } = stateOf(
    ...[about(state, 'sma', 'btcusd'), about(state, 'coin', 'btcusd'), about(state, 'sma', 'ethbtc')],
    ...[about(peak, 'sma', 'ethbtc'), about(peak, 'sma', 'btcusd'), about(peak, 'sma', 'ethbtc')],
    ...[about(exit, 'sma', 'BTCUSD'), about(exit, 'coin', 'btcusd'), about(exit, 'sma', 'btcusd')],
    ...[about(learned, 'sma', 'ethbtc'), about(learned, 'coin', 'btcusd'), about(learned, 'coin', 'ethbtc')],
    ...[working('b'), working('a'), working('c'), row('worked', { work: 'b' }), row('worked', { work: 'never' })],
  );
  const order = Object.fromEntries(Object.entries(rows).map(([kind, numbers]) => [kind, Object.entries(numbers)]));
  expect(order).toEqual({
    state: [
      ['["coin"]', 2],
      ['["sma"]', 3],
    ],
    peak: [
      ['["sma","btcusd"]', 5],
      ['["sma","ethbtc"]', 6],
    ],
    exit: [
      ['["coin","btcusd"]', 8],
      ['["sma","btcusd"]', 9],
    ],
    learned: [
      ['["btcusd"]', 11],
      ['["ethbtc"]', 12],
    ],
    working: [
      ['a', 14],
      ['c', 15],
    ],
  });
});

describe('losses are counted from where a person has taken note of them', () => {
  const lost = (n: number): Decision[] => [
    ...filled(n, { price: '60000' }),
    ...filled(n + 1, { side: 'sell', price: '59000', value: '590' }),
  ];
  const noted = (n: number): Decision => row('resumed', { who: 'ann', why: 'seen', anew: true }, { n });
  const lossesOf = ({ books: { lossesOfAll, losses } }: ReturnType<typeof stateOf>) => [
    lossesOfAll,
    ...Object.values(losses).map((run) => run.losses),
  ];

  test('those before do not count, those behind do, whatever the clock said', () => {
    expect(lossesOf(stateOf(...lost(1), ...lost(3), ...lost(5)))).toEqual([3, 3]);
    expect(lossesOf(stateOf(...lost(1), ...lost(3), noted(9), ...lost(5)))).toEqual([1, 1]);
    expect(lossesOf(stateOf(...lost(1), noted(0), ...lost(3), noted(99), noted(99), ...lost(5), ...lost(7)))).toEqual([2, 2]);
    expect(lossesOf(stateOf(...lost(1), ...lost(3), noted(9)))).toEqual([0]);
    expect(lossesOf(stateOf(noted(9), ...lost(1)))).toEqual([1, 1]);
  });

  test('of fills whose rows an archive has with the note, and of which its rotation noted nothing, the time says it', () => {
    const { database } = JournalInMemory.of(...lost(1), noted(4), ...lost(5)).archived(RUN, 13);
    database.exec("DELETE FROM decisions WHERE kind = 'accepted'");
    const losses = () => lossesOf(stateAfter(database, NO_STATE, { from: NO_ROWS, to: rowEnd(database) }));
    expect(losses()).toEqual([1, 1]);
    // One at the very time of a note is of before.
    database.exec("UPDATE ledger SET at = (SELECT at FROM decisions WHERE kind = 'resumed') WHERE order_id = '2-1'");
    expect(losses()).toEqual([1, 1]);
  });
});
