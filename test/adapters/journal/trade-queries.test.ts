import { describe, expect, onTestFinished, test } from 'vitest';
import { TradeQueries } from '#adapters/journal/trade-queries.ts';
import { type TradeRow, TradeStore } from '#adapters/journal/trade-store.ts';

/** A round trip that was opened and closed at those seconds, and made so much. */
const trade = (opened: number, closed: number, profit: string, over: Partial<TradeRow> = {}): TradeRow => ({
  run: 'a',
  book: 'sma',
  product: 'btcusd',
  side: 'long',
  size: '1',
  entryOrder: `${opened}-1`,
  openedAt: opened * 1000,
  entryPrice: '100',
  exitOrder: `${closed}-1`,
  closedAt: closed * 1000,
  exitPrice: '101',
  fees: '0.5',
  profit,
  currency: 'usd',
  returnPct: Number(profit),
  ...over,
});

/** Four round trips; sizes, fees and profits are texts that sort otherwise than their numbers. */
const TRADES = [
  trade(1, 10, '9', { size: '10', fees: '9' }),
  trade(2, 5, '-10', { book: 'rsi', size: '9', fees: '10', side: 'short' }),
  trade(3, 30, '0', { product: 'etheur', currency: 'eur', size: '2', fees: '2' }),
  trade(4, 20, '10.5', { book: 'rsi', size: '3', fees: '3', exitOrder: '10-1' }),
];

function of(trades: readonly TradeRow[] = TRADES): TradeQueries {
  const store = TradeStore.open(null);
  onTestFinished(() => store.close());
  for (const one of trades) store.addTrade(one);
  return new TradeQueries(store);
}

const ALL = { strategy: null, product: null, outcome: null, sort: 'closed', isUpwards: true } as const;
const PAGE = { offset: 0, limit: 9 };
/** The seconds at which they were opened name them. */
const names = (trades: readonly TradeRow[]) => trades.map(({ openedAt }) => openedAt / 1000);

describe('a page of round trips', () => {
  test('has each as it was kept', () => {
    expect(of().trades({ ...ALL, sort: 'opened' }, PAGE)).toEqual(TRADES);
  });

  test.each([
    ['closed', [2, 1, 4, 3]],
    ['opened', [1, 2, 3, 4]],
    ['strategy', [2, 4, 1, 3]],
    ['product', [1, 2, 4, 3]],
    ['side', [1, 3, 4, 2]],
    ['size', [3, 4, 2, 1]],
    ['held', [2, 1, 4, 3]],
    ['fees', [3, 4, 1, 2]],
    ['profit', [2, 3, 1, 4]],
    ['return', [2, 3, 1, 4]],
  ] as const)('is sorted by %s as numbers are', (sort, order) => {
    expect(names(of().trades({ ...ALL, sort }, PAGE))).toEqual(order);
  });

  test('goes down as well, and on from a place', () => {
    expect(names(of().trades({ ...ALL, isUpwards: false }, PAGE))).toEqual([3, 4, 1, 2]);
    expect(names(of().trades(ALL, { offset: 1, limit: 2 }))).toEqual([1, 4]);
  });

  test.each([
    [{ strategy: 'rsi' }, [2, 4]],
    [{ product: 'etheur' }, [3]],
    [{ outcome: 'won' }, [1, 4]],
    [{ outcome: 'lost' }, [2, 3]],
    [{ strategy: 'rsi', outcome: 'won' }, [4]],
  ] as const)('of %o', (wanted, order) => {
    expect(names(of().trades({ ...ALL, sort: 'opened', ...wanted }, PAGE))).toEqual(order);
  });
});

describe('sums by currency', () => {
  const usd = { currency: 'usd', profit: 9.5, trades: 3, won: 2, fees: 22 };
  const eur = { currency: 'eur', profit: 0, trades: 1, won: 0, fees: 2 };

  test('of a query, whatever it is sorted by', () => {
    expect(of().sums(ALL)).toEqual([usd, eur]);
    expect(of().sums({ ...ALL, strategy: 'rsi', sort: 'profit', isUpwards: false })).toEqual([
      { currency: 'usd', profit: 0.5, trades: 2, won: 1, fees: 13 },
    ]);
  });

  test('after one that was kept, and of those that ended in a stretch of time', () => {
    expect(of().sumsAfter(0)).toEqual([usd, eur]);
    expect(of().sumsAfter(3)).toEqual([{ currency: 'usd', profit: 10.5, trades: 1, won: 1, fees: 3 }]);
    expect(of().sumsBetween({ from: 10_000, to: 30_000 })).toEqual([
      { currency: 'usd', profit: 19.5, trades: 2, won: 2, fees: 12, inherited: 2 },
    ]);
    expect(of().sumsBetween({ from: 2000, to: 11_000 })).toMatchObject([{ trades: 2, inherited: 1 }]);
    expect(of().closedBetween({ from: 5_000, to: 20_001 })).toEqual([
      { book: 'sma', currency: 'usd', profit: 9, trades: 1 },
      { book: 'rsi', currency: 'usd', profit: 0.5, trades: 2 },
    ]);
  });

  test('of the order that closed them', () => {
    expect(of().closedBy('10-1')).toEqual({ currency: 'usd', profit: 19.5 });
    expect(of().closedBy('1-1')).toBeUndefined();
  });
});

test('the last round trip that was kept, and one by its number, name their exit', () => {
  expect(of().keptAs(null)).toEqual({ id: 4, exit: 'a 10-1', at: 20_000 });
  expect(of().keptAs(2)).toEqual({ id: 2, exit: 'a 5-1', at: 5_000 });
  expect([of().keptAs(9), of([]).keptAs(null)]).toEqual([undefined, undefined]);
});

test.each([
  ['those open in it', { from: 5_000, to: 10_000, endedBy: null }, 9, [2, 1, 4]],
  ['one that ended at its begin is in it, one that opens at its end is not', { from: 10_000, to: 4_000, endedBy: null }, 9, [1]],
  ['only those that have ended by then', { from: 0, to: 30_000, endedBy: 20_000 }, 9, [2, 1]],
  ['the newest of them', { from: 0, to: 30_000, endedBy: null }, 2, [1, 4]],
])('round trips of a stretch of time: %s', (_, between, limit, order) => {
  expect(names(of().openBetween('btcusd', between, limit))).toEqual(order);
});

test('how each book came to what it made is told by its closes, evenly where they are many, with the last', () => {
  const course = (most: number, between = { from: 5_000, to: 20_001 }) =>
    of([...TRADES, trade(6, 12, '1'), trade(7, 14, '2')]).coursesBetween(between, most);
  const rsi = { book: 'rsi', currency: 'usd' };
  const sma = { book: 'sma', currency: 'usd' };
  const whole = [...[-10, 0.5].map((made) => ({ ...rsi, made })), ...[9, 10, 12].map((made) => ({ ...sma, made }))];
  expect([course(9), course(2)]).toEqual([whole, [...whole.slice(0, 2), { ...sma, made: 9 }, { ...sma, made: 12 }]]);
  expect(course(9, { from: 12_000, to: 14_000 })).toEqual([{ ...sma, made: 1 }]);
});

test('the round trips of an order are those that it opened or closed, from when it was decided', () => {
  const trips = (order: string, at = 0) => names(of([...TRADES, trade(11, 12, '1', { entryOrder: '10-1' })]).tripsOf(order, at));
  expect([trips('10-1'), trips('2-1'), trips('99-1'), trips('10-1', 11_000)]).toEqual([[1, 11, 4], [2], [], [11, 4]]);
  expect([of().books(), of([]).books()]).toEqual([new Set(['sma', 'rsi']), new Set()]);
});

test('what is kept beside round trips is found by its name, its run or its time', () => {
  const store = TradeStore.open(null);
  onTestFinished(() => store.close());
  const queries = new TradeQueries(store);
  store.pair('btcusd', { baseCcy: 'btc', quoteCcy: 'usd' });
  expect(queries.pairs()).toEqual([{ product: 'btcusd', baseCcy: 'btc', quoteCcy: 'usd' }]);

  store.keepBooks(3, { at: 1000, open: 'first' });
  store.keepBooks(7, { at: 2000, open: 'second' });
  expect([999, 1000, 2500].map((at) => queries.booksAt(at))).toEqual([
    undefined,
    { entry: 3, open: 'first' },
    { entry: 7, open: 'second' },
  ]);

  expect(queries.currencyOfCourses()).toBeUndefined();
  queries.keepCourse('a', 'usd', '[1]');
  queries.keepCourse('a', 'usd', '[1,2]');
  queries.keepCourse('b', 'eur', '[3]');
  queries.keepCourse('c', 'eur', '[4]');
  expect(queries.currencyOfCourses()).toBe('eur');
  expect(queries.courses('usd')).toEqual(new Map([['a', '[1,2]']]));
});
