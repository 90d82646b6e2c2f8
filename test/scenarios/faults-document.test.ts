import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

/** The faults that scenarios in virtual time cover. */
const RANGES = [
  [1, 20],
  [26, 33],
  [55, 60],
  [64, 68],
  [71, 71],
] as const;
const numbers = RANGES.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, n) => `F${String(from + n).padStart(2, '0')}`));
const rows = new Map(
  [...read('docs/faults.md').matchAll(/^\| (F\d\d) \| .+ \| .+ \| \[.+\]\(\.\.\/(.+)\) \|$/gm)].map(([, number = '', file = '']) => [
    number,
    file,
  ]),
);

test('docs/faults.md has a row for each fault, in their order, and no other', () => {
  expect([...rows.keys()]).toEqual(numbers);
});

test.each(numbers)('%s stands in the title of a test of the file that its row names', (number) => {
  const text = read(rows.get(number) ?? '');
  // `F0${...}` is a title that is put together: by status, 400 is F08 and the others are F09.
  expect(text).toMatch(new RegExp(`(test|describe|name: |\\[)[^\\n]*${number}\\b|^ +[\`'"]${number}\\b`, 'm'));
});
