import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { drawnReadings } from '#adapters/service-client/dialect/dialect.ts';
import { ROOT } from '../support/root.ts';

const GOOD: ReadonlySet<string> = new Set(['trades', 'set', 'stands']);

test('the kept log is of a thousand dialects, each as it is drawn today, none unsafe, silent, vague or idle', () => {
  const text = readFileSync(path.join(ROOT, 'test/kept/dialects.txt'), 'utf8');
  const lines = [...text.matchAll(/^(\d+) (\w+) (\d+) (\S+)(?: \| .+)?$/gm)].map(([, seed = '', grade = '', , names = '']) => ({
    seed,
    grade,
    names,
  }));
  expect(lines.map(({ seed }) => seed)).toEqual(Array.from({ length: 1000 }, (_, n) => String(n + 1)));
  expect(lines.filter(({ grade }) => !GOOD.has(grade))).toEqual([]);
  expect(lines.filter(({ seed, names }) => drawnReadings(seed).join() !== names)).toEqual([]);
  expect(text).toContain('none was unsafe, none silent, no order was sent twice');
});
