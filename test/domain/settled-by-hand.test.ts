import { expect, test } from 'vitest';
import { decimalOf } from '#domain/decimal.ts';
import { fillAsQuoted, worthOf } from '#domain/order.ts';
import { type ResolvedFigures, resolvedFill } from '#domain/resolved-fill.ts';
import { orderOf } from '../support/orders.ts';

const quoted = { price: '60000', size: '0.01', value: '600.5', fee: '0.6', feeCcy: 'usd' };
const settled = (figures: ResolvedFigures) =>
  resolvedFill({ ...quoted, side: 'buy', baseCcy: 'btc', quoteCcy: 'usd' } as Parameters<typeof resolvedFill>[0], figures);

test('what a person leaves out is as quoted; a value follows from a price or a size that was given', () => {
  expect(settled({})).toEqual({ ...quoted, side: 'buy', baseCcy: 'btc', quoteCcy: 'usd' });
  expect(settled({ price: '61000' })).toMatchObject({ price: '61000', size: '0.01', value: '610' });
  expect(settled({ size: '0.004' })).toMatchObject({ size: '0.004', value: '240', fee: '0.6' });
  expect(settled({ size: '0.004', value: '241' })).toMatchObject({ value: '241' });
  expect(settled({ fee: '0', feeCcy: 'btc' })).toMatchObject({ value: '600.5', fee: '0', feeCcy: 'btc' });
  expect(settled({ size: '0.01' })).toMatchObject({ size: '0.01', value: '600' });
});

test.each<[figures: ResolvedFigures, why: RegExp]>([
  [{ size: '0.010001' }, /^size 0\.010001 is more than the 0\.01 that was quoted/],
  [{ size: '0' }, /^size must be above zero/],
  [{ price: '0.0' }, /^price must be above zero/],
  [{ value: '0' }, /^value must be above zero/],
  [{ price: '-5' }, /^price "-5" is not a decimal number/],
  [{ price: '1e3' }, /^price "1e3" is not/],
  [{ fee: 'x0.1' }, /^fee "x0\.1" is not/],
  [{ fee: '0.1 usd' }, /^fee "0\.1 usd" is not/],
  [{ fee: '.5' }, /^fee "\.5" is not/],
  [{ price: '1'.repeat(31) }, /is not a decimal number/],
])('a figure that cannot be one is refused by its name: %j', (figures, why) => {
  expect(() => settled(figures)).toThrow(why);
});

test('an order that is executed as quoted has the figures of its quote, and one without a size is none', () => {
  const order = orderOf({ size: '0.01' });
  expect(fillAsQuoted(order)).toEqual({ side: order.side, baseCcy: order.baseCcy, quoteCcy: order.quoteCcy, ...order.figures });
  expect(() => fillAsQuoted({ ...order, figures: { ...order.figures, size: decimalOf(0) } })).toThrow(/has no size/);
});

test('an order is worth its value or its price times its size, whichever is more', () => {
  const { figures } = orderOf({ size: '0.01' });
  const of = (value: string) => worthOf({ ...figures, price: decimalOf(100), size: decimalOf(2), value: decimalOf(value) }).toString();
  expect([of('199'), of('201')]).toEqual(['200', '201']);
});
