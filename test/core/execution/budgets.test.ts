import { expect, test } from 'vitest';
import { Budgets } from '#core/execution/budgets.ts';
import { decimalOf } from '#domain/decimal.ts';
import { laneFor } from '#domain/lane.ts';
import { currency, productCode, strategyId } from '#domain/names.ts';
import { BTC, btcLane, quote } from '../../support/market-data.ts';
import { inState, OWNER } from '../../support/orders.ts';
import { base, working } from './working.ts';

const lane = (product: string) => laneFor(productCode(product), base('0.01'));
const [eth, eur, silent] = [lane('ethusd'), lane('btceur'), lane('solusd')];

test('one budget covers all products of a quote currency: what was earned or spent in the others counts', () => {
  const { context, ...w } = working({ lanes: [eth, eur, silent] });
  const { market, books } = context;
  const quoted = (of: typeof eth, ccy: string) => {
    market.accept({ ...quote({ lane: of.id, product: of.product }), quoteCcy: currency(ccy) }, context.log.now);
  };
  w.quote(60_000);
  quoted(eth, 'usd');
  quoted(eur, 'eur');
  const spent: readonly (readonly [of: typeof eth, cash: string])[] = [
    [btcLane, '-100'],
    [eth, '-20'],
    [eur, '-3'],
    [silent, '-7'],
  ];
  for (const [{ product }, cash] of spent) books.book(OWNER, product).move(decimalOf(cash));
  const input = (of: typeof eth, kind = 'lane') => ({ kind, source: of.id, product: of.product });
  const own = { id: OWNER, lane: btcLane.id, product: BTC };
  const budgetsOf = (more: Partial<ConstructorParameters<typeof Budgets>[0]['strategies'][number]>) =>
    new Budgets({ strategies: [{ ...own, budget: null, ...more }], defaultBudget: decimalOf(1000), market, books });
  const inputs = { e: input(eth), u: input(eur), s: input(silent) };
  const figures = (budgets: Budgets, product = BTC, ccy = 'usd') =>
    [budgets.opening(OWNER, ccy), budgets.left(OWNER, product, ccy)].map(Number);
  expect(figures(budgetsOf({})), 'one product alone').toEqual([1000, 900]);
  expect(figures(budgetsOf({ inputs })), 'others of its currency, and what was spent where none is known yet').toEqual([1000, 873]);
  expect(figures(budgetsOf({ inputs }), eth.product), 'asked for one of these').toEqual([1000, 873]);
  expect(figures(budgetsOf({ inputs: { e: input(eth, 'basic') } })), 'what is only looked at').toEqual([1000, 900]);
  // An order of 600 usd in one of them, whose outcome nobody knows: it may be spent.
  books.track(inState('unknown', { product: eth.product }));
  books.track(inState('unknown', { id: '2-1', product: eth.product, side: 'sell' }));
  books.track(inState('unknown', { id: '3-1', product: eth.product, strategy: strategyId('other') }));
  expect(figures(budgetsOf({ inputs })), 'what may be spent').toEqual([1000, 273]);
  books.track(inState('rejected', { product: eth.product }));
  expect(figures(budgetsOf({ inputs })), 'what is not spent after all').toEqual([1000, 873]);
  const named = budgetsOf({ inputs, budget: new Map([['eur', decimalOf(50)]]) });
  expect([figures(named, eur.product, 'eur'), figures(named)], 'a budget names its currencies').toEqual([
    [50, 40],
    [0, -127],
  ]);
  expect(Number(budgetsOf({}).left(strategyId('gone'), BTC, 'usd')), 'of a strategy that is none any more').toBe(1000);
});
