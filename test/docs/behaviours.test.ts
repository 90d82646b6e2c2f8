import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BEHAVIOURS } from '#domain/behaviours.ts';

test('the changelog has each change of decisions, by its number and in the words of parity', () => {
  const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
  const numbered = [...changelog.matchAll(/^- \((\d+)\) (.*)$/gm)].map(([, number, text = '']) => [Number(number), text] as const);
  expect(numbered.toSorted(([one], [other]) => one - other)).toEqual(BEHAVIOURS.map((text, index) => [index + 1, text]));
});
