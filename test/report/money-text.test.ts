import { expect, test } from 'vitest';
import { moneyText } from '#domain/money-text.ts';
import { plain, ticks } from '../../web/report/axis.ts';

test.each([
  [1234567.891, '1,234,567.89'],
  [-50.042, '-50.04'],
  [1, '1.00'],
  [0.99999947, '1.00'],
  [0.9994, '0.999'],
  [0.042, '0.0420'],
  [-0.09536, '-0.0954'],
  [0.0000000421, '0.00000004'],
  [0, '0.00'],
])('money of %d is %s', (value, text) => expect(moneyText(value)).toBe(text));

test('neighbours on an axis are told apart: no step of two and a half, which whole numbers round away', () => {
  for (const span of [8, 10.5, 11.8, 12.4, 24.9, 0.11]) {
    const texts = ticks(0, span, 5).map((value) => plain(value, span));
    expect(new Set(texts).size, String(span)).toBe(texts.length);
    expect(texts.map(Number), String(span)).toEqual(ticks(0, span, 5).map((one) => Number(one.toPrecision(9))));
  }
});
