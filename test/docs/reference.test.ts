import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { referencePages } from '../../scripts/reference/pages.ts';

test.each(referencePages())('$path says what the code does (mend with: npm run reference)', ({ path, text }) => {
  expect(readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')).toBe(text);
});

test('each figure, table and command has one line of explanation that says something', () => {
  const empty = referencePages().flatMap(({ path, text }) =>
    path.endsWith('.md') ? text.split('\n').filter((line) => /^\| `[^`]+` \|( +\||.*\| undefined \|)/.test(line)) : [],
  );
  expect(empty).toEqual([]);
});
