import { expect, test } from 'vitest';
import type { StateView } from '#server/page/view.ts';
import { otherBooksOf } from '../../web/words/other-books.ts';

const UNKNOWN = { entry: '60000', openedAt: null, mark: null, quoteCcy: null, unrealised: null, profit: null };
const held = (id: string) => ({ id, product: 'btcusd', position: '0.01', low: '0.01', high: '0.01', ...UNKNOWN });
const closed = (id: string, trades: number) => ({
  ...{ id, last: null, orders: 0, fills: 0, refusals: 0, costs: [] },
  closedToday: trades === 0 ? [] : [{ currency: 'usd', profit: -2.5, trades, course: [-2.5] }],
});
const state = (otherBooks: StateView['otherBooks']) => ({ strategies: [{ id: 'cross' }], otherBooks });
const past = (...strategies: readonly ReturnType<typeof closed>[]) => ({ strategies });

test('a strategy that is configured no more is named for what it closed today, flat or not, and once', () => {
  const books = otherBooksOf(state([held('dip')]), past(closed('cross', 3), closed('dip', 2), closed('flip', 1), closed('idle', 0)));
  expect(books).toEqual([
    { id: 'dip', isGone: true, held: [held('dip')], closedToday: [{ currency: 'usd', profit: -2.5, trades: 2, course: [-2.5] }] },
    { id: 'flip', isGone: true, held: [], closedToday: [{ currency: 'usd', profit: -2.5, trades: 1, course: [-2.5] }] },
  ]);
});

test('the book of orders by hand is never gone; before the journal is read there is what is held', () => {
  expect(otherBooksOf(state([held('manual')]), null)).toEqual([{ id: 'manual', isGone: false, held: [held('manual')], closedToday: [] }]);
});
