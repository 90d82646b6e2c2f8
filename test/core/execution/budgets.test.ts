import { expect, test } from 'vitest';
import { Books } from '#core/portfolio/books.ts';
import { Budgets } from '#core/portfolio/funds.ts';
import { type Decimal, decimalOf } from '#domain/decimal.ts';
import { laneFor } from '#domain/lane.ts';
import { currency, productCode, strategyId } from '#domain/names.ts';
import { NO_BOOKS } from '#domain/past-books.ts';
import { FLAT, positionText } from '#domain/position.ts';
import { btcLane } from '../../support/market-data.ts';
import { inState, OWNER } from '../../support/orders.ts';
import { base } from './working.ts';

const lane = (product: string) => laneFor(productCode(product), base('0.01'));
const [eth, eur] = [lane('ethusd'), lane('btceur')];

test('one budget covers all products of a quote currency: what was earned or spent counts in whichever of them', () => {
  const books = new Books();
  const spent = (of: typeof eth, ccy: string, cash: string) => ({
    ...{ strategy: OWNER, product: of.product, quoteCcy: currency(ccy) },
    ...positionText({ ...FLAT, cash: decimalOf(cash) }),
  });
  books.restore({ ...NO_BOOKS, books: [spent(btcLane, 'usd', '-100'), spent(eth, 'usd', '-20'), spent(eur, 'eur', '-3')] });
  const budgetsOf = (budget: ReadonlyMap<string, Decimal> | null = null) =>
    new Budgets({ strategies: [{ id: OWNER, budget }], defaultBudget: decimalOf(1000), books });
  const figures = (budgets: Budgets, ccy = 'usd') => [budgets.opening(OWNER, ccy), budgets.left(OWNER, ccy)].map(Number);
  expect(figures(budgetsOf()), 'whatever the settings have by now').toEqual([1000, 880]);
  // An order of 600 usd in one of them, whose outcome nobody knows: it may be spent.
  books.track(inState('unknown', { product: eth.product }));
  books.track(inState('unknown', { id: '2-1', product: eth.product, side: 'sell' }));
  books.track(inState('unknown', { id: '3-1', product: eth.product, strategy: strategyId('other') }));
  expect(figures(budgetsOf()), 'what may be spent').toEqual([1000, 280]);
  books.track(inState('rejected', { product: eth.product }));
  expect(figures(budgetsOf()), 'what is not spent after all').toEqual([1000, 880]);
  const named = budgetsOf(new Map([['eur', decimalOf(50)]]));
  expect([figures(named, 'eur'), figures(named)], 'a budget names its currencies').toEqual([
    [50, 47],
    [0, -120],
  ]);
  expect(Number(budgetsOf().left(strategyId('gone'), 'usd')), 'of a strategy that is none any more').toBe(1000);
});

test('the first purchase of a strategy counts while it is on its way: another product has the same budget', () => {
  const books = new Books();
  const budgets = new Budgets({ strategies: [{ id: OWNER, budget: null }], defaultBudget: decimalOf(1000), books });
  books.track(inState('sent', { product: eth.product }));
  expect(Number(budgets.left(OWNER, 'usd'))).toBe(400);
});
