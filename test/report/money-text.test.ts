import { expect, test } from 'vitest';
import { amountText, moneyText, shareText, unbroken } from '#domain/money-text.ts';
import { plain, ticks } from '../../web/report/axis.ts';

test.each([
  [1234567.891, 'usd', '1,234,567.89'],
  [-50.042, 'usd', '\u221250.04'],
  [0.99999947, 'eur', '1.00'],
  [0.042, 'usdt', '0.04'],
  [0.0613, '', '0.06'],
  [-0.645, 'usd', '\u22120.65'],
  [0.004, 'usd', '<0.01'],
  [-0.0000000421, 'usd', '\u2212<0.01'],
  [0, 'usd', '0.00'],
  [-0, 'usd', '0.00'],
  [1234.5, 'jpy', '1,235'],
  [-0.2, 'jpy', '\u2212<1'],
  [0.00012, 'btc', '0.00012000'],
  [-1e-9, 'eth', '\u2212<0.00000001'],
])('money of %d %s is %s: its currency has places of its own', (value, currency, text) => expect(moneyText(value, currency)).toBe(text));

test('a share has two places, and one that would round to nothing says so', () => {
  expect([0.0123456, -0.000732, 0.00004, -0.00004, 0].map(shareText)).toEqual([
    '1.23 %',
    '\u22120.07 %',
    '<0.01 %',
    '\u2212<0.01 %',
    '0.00 %',
  ]);
});

test('a figure and its unit stay on one line', () => {
  expect(unbroken('Lost 0.07 % in 2 d, 12.50 usd of 3 trades')).toBe('Lost 0.07\u00a0% in 2\u00a0d, 12.50\u00a0usd of 3 trades');
});

test('neighbours on an axis are told apart: no step of two and a half, which whole numbers round away', () => {
  for (const span of [8, 10.5, 11.8, 12.4, 24.9, 0.11]) {
    const texts = ticks(0, span, 5).map((value) => plain(value, span));
    expect(new Set(texts).size, String(span)).toBe(texts.length);
    expect(texts.map(Number), String(span)).toEqual(ticks(0, span, 5).map((one) => Number(one.toPrecision(9))));
  }
});

test('an amount names its currency where there is one', () => {
  expect([amountText(1234.5, 'usd'), amountText(2, '')]).toEqual(['1,234.50 usd', moneyText(2, '')]);
});
