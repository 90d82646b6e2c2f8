import { expect, test } from 'vitest';
import { shownInput } from '#domain/lane.ts';
import bookImbalance from '../../strategies/book-imbalance.ts';
import { BTC } from '../support/market-data.ts';
import { rigsOfTests } from '../support/rigs.ts';

const newRig = rigsOfTests();

test('buys once the books have bid for more on average, sells once they ask for more, and looks no deeper than it is told', () => {
  const book = shownInput(BTC, 'FULL').id;
  const r = newRig({
    strategies: { b: bookImbalance },
    params: { depth: 1, books: 2, enter: 0.25 },
    inputs: { book: { kind: 'fullBook', product: BTC, source: book } },
  });
  const said: string[] = [];
  for (const [bid, ask] of [
    [3, 1],
    [1, 1],
    [2, 1],
    [1, 1],
    [1, 9],
    [9, 1],
  ] as const) {
    r.price();
    const before = r.broker.submitted.length;
    const deep = [{ price: 1, size: 1_000 }];
    const bids = [{ price: 60_000, size: bid }, ...deep];
    r.give({
      kind: 'shown',
      source: book,
      shown: { product: 'btcusd', baseCcy: null, quoteCcy: null, bids, asks: [{ price: 60_001, size: ask }], time: null },
    });
    said.push(r.broker.submitted.length > before ? r.last.side : '-');
    if (r.broker.submitted.length > before) r.answer(r.last);
  }
  // Averages of two: -, 0.25, 0.31, 0.10, -0.50, 0.37; it warms up on three quotes.
  expect(said).toEqual(['-', '-', 'buy', '-', 'sell', 'buy']);
});
