import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type Given, imported, MINUTE } from './imported-bars.ts';

const HEAD = 'time;open;high;low;close';
/** Bars, each of one price all through, as a file with semicolons has them. */
const bars = (...prices: readonly string[]): string =>
  `${HEAD}\n${prices.map((price, minute) => `2024-08-01T00:${String(minute).padStart(2, '0')}:00Z;${price};${price};${price};${price}\n`).join('')}`;
const closes = async (text: string | Uint8Array, given: Given = {}): Promise<readonly number[]> =>
  (await imported(text, { ticks: { afterMs: MINUTE }, ...given })).played.map(([, bid]) => bid);

describe('a sign that nobody declared is that of the first rows', () => {
  test.each([
    ['a comma, by a row behind one that may be either', ['150,010', '150,01', '150,015'], [150.01, 150.01, 150.015]],
    ['a point, by a row behind one that may be either', ['1,001', '999.5', '1,000.5'], [1001, 999.5, 1000.5]],
    ['a comma, with points between thousands', ['1.001', '999,5', '1.000,5'], [1001, 999.5, 1000.5]],
    ['a comma behind a zero, which no group of thousands begins with', ['0,850', '1,001'], [0.85, 1.001]],
    ['a comma behind four digits that no mark separates', ['1001,125', '999,125'], [1001.125, 999.125]],
    ['a point where no cell has a comma', ['150.010', '150'], [150.01, 150]],
    ['a point, by two commas', ['1,000,500', '999,500'], [1_000_500, 999_500]],
  ])('%s', async (_, prices, read) => {
    for (const bad of ['fail', 'drop'] as const) expect(await closes(bars(...prices), { map: { bad } })).toEqual(read);
    const quoted = bars(...prices)
      .split('\n')
      .map((line) => line.replace(/[^;]+/g, '"$&"').replaceAll(';', ','));
    expect(await closes(gzipSync(quoted.join('\n')))).toEqual(read);
  });

  test('a row far behind that has another sign is a bad row', async () => {
    const many = Array.from({ length: 100 }, (_, n) => `${1_700_000_000 + 60 * n};150.01;150.01;150.01;150.01\n`);
    const text = `${HEAD}\n${many.join('')}1709999940;150,015;150,015;150,015;150,015\n`;
    const told = "bars.csv:102: column 'close': '150,015' has another decimal sign than the first rows: add --decimal comma or point";
    await expect(imported(text, { map: { bad: 'fail' } })).rejects.toThrow(told);
    expect(await closes(text, { map: { bad: 'drop' } })).toEqual(many.map(() => 150.01));
  });

  test.each([
    ['no row tells', ['150,010', '150,020'], /bars\.csv: '150,010' can be read as two prices: add --decimal comma or point$/],
    [
      'rows contradict each other',
      ['150', '150.01', '150,02'],
      /bars\.csv: '150,02' has a decimal comma and '150\.01' a decimal point: add --decimal comma or point$/,
    ],
  ])('it is asked for in one line where %s, whatever becomes of bad rows', async (_, prices, says) => {
    for (const bad of ['fail', 'drop'] as const) await expect(imported(bars(...prices), { map: { bad } })).rejects.toThrow(says);
  });
});

describe('a sign that was declared is binding', () => {
  test.each([
    ['point', '150,01', '150.02', 'has a decimal comma: write it with a point, or import with --decimal comma'],
    ['comma', '150.01', '150,02', 'has a decimal point: write it with a comma, or import with --decimal point'],
    ['point', '1,50,000', '150.02', 'is not a price above zero, to 1e30'],
    ['point', '15,000,5', '150.02', 'is not a price above zero, to 1e30'],
    ['comma', '1.50,00.0', '150,02', 'is not a price above zero, to 1e30'],
  ] as const)('%s: %s is a bad row', async (decimal, odd, good, says) => {
    await expect(imported(bars(odd, good), { map: { decimal, bad: 'fail' } })).rejects.toThrow(
      `bars.csv:2: column 'close': '${odd}' ${says}; --bad drop leaves such rows out`,
    );
    expect(await closes(bars(odd, good), { map: { decimal, bad: 'drop' } })).toEqual([150.02]);
  });

  test('what may be read both ways is read as declared', async () => {
    expect(await closes(bars('61,790', '1,061,790'), { map: { decimal: 'point' } })).toEqual([61_790, 1_061_790]);
    expect(await closes(bars('61,790', '61.790'), { map: { decimal: 'comma' } })).toEqual([61.79, 61_790]);
  });
});
