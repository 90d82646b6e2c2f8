import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { moneyText } from '#report/figures.ts';
import { ROOT } from '../support/root.ts';

/** The rule as the report's page has it, which runs in a browser and imports nothing. */
const onPage = /^function moneyText[\s\S]*?\n\}/m.exec(readFileSync(path.join(ROOT, 'src/report/page/scripts/chart.js'), 'utf8'))?.[0];

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
])('money of %d is the same text in a command and on the report’s page', (value, text) => {
  expect(moneyText(value)).toBe(text);
  expect(runInNewContext(`${onPage}; moneyText(${value})`)).toBe(text);
});

test('neighbours on an axis are told apart: no step of two and a half, which whole numbers round away', () => {
  const source = readFileSync(path.join(ROOT, 'src/report/page/scripts/chart.js'), 'utf8');
  const [axis = '', plain = ''] = [/^function ticks[\s\S]*?\n\}/m, /^const plain =[\s\S]*?;$/m].map((part) => part.exec(source)?.[0]);
  for (const span of [8, 10.5, 11.8, 12.4, 24.9, 0.11]) {
    const texts: readonly string[] = runInNewContext(`${axis}; ${plain}; ticks(0, ${span}, 5).map((value) => plain(value, ${span}))`);
    expect(new Set(texts).size, String(span)).toBe(texts.length);
    expect(texts.map(Number), String(span)).toEqual(
      runInNewContext(`${axis}; ticks(0, ${span}, 5).map((one) => Number(one.toPrecision(9)))`),
    );
  }
});
