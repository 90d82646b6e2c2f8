import { expect, test } from 'vitest';
import { editsBetween, knownHint, nearest, similar } from '#domain/nearest.ts';

test.each<[from: string, to: string, edits: number]>([
  ['', '', 0],
  ['', 'abc', 3],
  ['abc', '', 3],
  ['abc', 'abc', 0],
  ['abc', 'axc', 1],
  ['abc', 'abcd', 1],
  ['abc', 'bc', 1],
  ['abc', 'acb', 1],
  ['ab', 'ba', 1],
  ['abcd', 'badc', 2],
  ['abc', 'cab', 2],
  ['ab', 'xa', 2],
  ['ab', 'bx', 2],
  ['kitten', 'sitting', 3],
  ['maxDayLos', 'maxDayLoss', 1],
])('from %j to %j it takes %d edits, and as many back', (from, to, edits) => {
  expect([editsBetween(from, to), editsBetween(to, from)]).toEqual([edits, edits]);
});

test('the nearest name is found whatever the case, the first of equals, and none that is too far', () => {
  expect(nearest('PRICE', ['prise', 'price', 'pride'])).toBe('price');
  expect(nearest('pri', ['prx', 'pry'])).toBe('prx');
  expect(nearest('abc', ['xyz'], 3)).toBe('xyz');
  expect(nearest('abc', ['xyz'], 2)).toBeUndefined();
  expect(nearest('abc', [])).toBeUndefined();
  // Of a text without end only the beginning is compared.
  expect(nearest(`${'x'.repeat(64)}${'y'.repeat(100)}`, ['x'.repeat(64)], 0)).toBe('x'.repeat(64));
});

test('a typing error is one edit for each three letters, and at least one', () => {
  expect(similar('ab', ['ac'])).toBe('ac');
  expect(similar('ab', ['cd'])).toBeUndefined();
  expect(similar('abcdef', ['abxxef'])).toBe('abxxef');
  expect(similar('abcde', ['abxxe'])).toBeUndefined();
});

test('a hint names the nearest, else what there is, and not more than twenty', () => {
  expect(knownHint('pric', ['price', 'size'])).toBe('; the nearest is price');
  expect(knownHint('zzz', ['price'])).toBe('; there is price');
  expect(knownHint('zzz', ['price', 'size'])).toBe('; there are price, size');
  expect(knownHint('zzz', [])).toBe('');
  const many = Array.from({ length: 21 }, (_, n) => `name${n}`);
  expect(knownHint('zzz', many)).toBe(`; there are ${many.slice(0, 20).join(', ')} and others`);
  expect(knownHint('zzz', many.slice(0, 20))).toBe(`; there are ${many.slice(0, 20).join(', ')}`);
});

test('a name whose beginning was typed is near, of four letters or more', () => {
  expect(similar('stopLoss', ['trailingPct', 'stopLossPct'])).toBe('stopLossPct');
  expect(similar('STOP', ['trailingPct', 'stopLossPct'])).toBe('stopLossPct');
  expect(similar('sto', ['trailingPct', 'stopLossPct'])).toBeUndefined();
});
