import { expect, test } from 'vitest';
import { firstFocus } from '../../web/words/first-focus.ts';
import { equityBounds, heldOf, heldText, isUncertain, profitBounds } from '../../web/words/held.ts';

const order = {
  order: '7-1',
  strategy: 'flip',
  product: 'btcusd',
  side: 'buy',
  state: 'unknown',
  size: '0.01',
  price: '60000',
  value: '600',
  quoteCcy: 'usd',
  fee: '0.6',
  feeCcy: 'usd',
  since: '2026-01-01T00:00:00.000Z',
  quoteId: 'q',
} as const;
const book = { product: 'btcusd', position: '0', low: '0', high: '0.01' };
const where = { strategy: 'flip', at: '2026-01-01T00:00:00.100Z' };

test('a position with an order of unknown outcome is a range, and never flat', () => {
  expect(isUncertain(book, { ...where, orders: [order] })).toBe(true);
  expect(heldText(book, false)).toBe('0 to 0.01');
  expect(heldText(book, true)).toBe('flat');
  expect(isUncertain(book, { ...where, orders: [{ ...order, state: 'sent' }] })).toBe(false);
  expect(isUncertain(book, { strategy: 'flip', at: '2026-01-01T00:00:01.100Z', orders: [{ ...order, state: 'sent' }] })).toBe(true);
  expect(isUncertain(book, { ...where, strategy: 'cross', orders: [order] })).toBe(false);
});

test('the chart of a product names each open position in it, those of further legs too, with what it comes to', () => {
  const own = {
    ...book,
    position: '0.01',
    entry: '60000',
    openedAt: null,
    mark: 59_000,
    quoteCcy: 'usd',
    unrealised: -10.6,
    profit: -10.6,
  };
  const flat = { ...own, position: '0', entry: null, unrealised: null };
  const strategies = [
    { id: 'flip', ...own, legs: [] },
    { id: 'none', ...flat, legs: [] },
    { id: 'pair', ...own, product: 'ethusd', legs: [{ ...own, position: '-0.02', unrealised: 3 }] },
  ];
  expect(heldOf(strategies, 'btcusd')).toEqual([
    { id: 'flip', position: '0.01', price: 60_000, unrealised: -10.6, quoteCcy: 'usd' },
    { id: 'pair', position: '-0.02', price: 60_000, unrealised: 3, quoteCcy: 'usd' },
  ]);
});

test('equity is a range as long as it is not known whether an order was executed', () => {
  const money = { currency: 'usd', equity: 10_000, made: [] };
  const lanes = [{ product: 'btcusd', buy: 61_000, sell: 60_900 }];
  expect(equityBounds({ money, orders: [], lanes })).toEqual({ low: 10_000, high: 10_000 });
  const bought = equityBounds({ money, orders: [order], lanes });
  expect(bought?.low).toBe(10_000);
  expect(bought?.high).toBeCloseTo(10_008.4, 9);
  expect(equityBounds({ money, orders: [{ ...order, side: 'sell' }], lanes })?.low).toBeCloseTo(9_989.4, 9);
  expect(equityBounds({ money, orders: [order], lanes: [] })).toBeNull();
  const inBase = { ...order, fee: '0.00001', feeCcy: 'btc' };
  expect(equityBounds({ money, orders: [inBase], lanes })?.high, 'a fee in base currency').toBeCloseTo(10_008.391, 9);
  const profit = profitBounds(-0.25, { money, orders: [order], lanes });
  expect([profit?.low, profit?.high], 'a profit with it').toEqual([-0.25, expect.closeTo(8.15, 9)]);
  expect(profitBounds(-0.25, { money, orders: [order], lanes: [] })).toBeNull();
  const inEur = { ...money, currency: 'eur', made: [{ currency: 'usd', profit: 0, profitOfDay: 0, rate: 0.5 }] };
  expect(equityBounds({ money: inEur, orders: [inBase], lanes })?.high).toBeCloseTo(10_004.1955, 9);
});

test('the dialog that books for good begins at the price; a halt at its button', () => {
  const ready = { who: 'ann', asksToken: false };
  const price = [{ name: 'price', initial: '60000' }];
  expect(firstFocus({ fields: price, isForGood: true, who: '', asksToken: true })).toBe('field price');
  expect(firstFocus({ fields: [], isForGood: true, ...ready })).toBe('why');
  expect(firstFocus({ fields: price, isForGood: false, ...ready })).toBe('send');
  expect(firstFocus({ fields: [], isForGood: false, ...ready, who: '' })).toBe('who');
});
