import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

/** The faults that scenarios in virtual time cover, and those of strategies in real daemons. */
const RANGES = [
  [1, 20],
  [26, 33],
  [55, 61],
  [64, 72],
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

describe('numbers of faults, invariants, bad inputs and loads', () => {
  const count = (letter: string, last: number, digits: number) =>
    Array.from({ length: last }, (_, n) => `${letter}${String(n + 1).padStart(digits, '0')}`);
  const all = [...count('F', 75, 2), ...count('I', 35, 2), ...count('B', 42, 2), ...count('L', 10, 1)];
  const [, section = ''] = read('docs/faults.md').split('## All numbers');
  const without = [...section.matchAll(/^\| ([FIBL]\d+) \|/gm)].map(([, number = '']) => number);
  /** Numbers in the texts of tests, comments apart: titles, and the rows of tables that titles are made of. */
  const tested = new Set(
    readdirSync(new URL('../', import.meta.url), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .flatMap((file) => read(`test/${file}`).split('\n'))
      .filter((line) => !/^\s*(\/\/|\/?\*)/.test(line) && /['"`]/.test(line))
      .flatMap((line) => line.match(/\b[FIBL]\d+(?=b?\b)/g) ?? []),
  );

  test('each has a test that names it, or says in docs/faults.md what stands in for one', () => {
    expect(all.filter((number) => !tested.has(number))).toEqual(without);
  });
});
