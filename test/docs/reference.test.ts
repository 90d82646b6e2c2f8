import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { referencePages } from '../../scripts/reference/pages.ts';

test.each(referencePages())('$path says what the code does (mend with: npm run reference)', ({ path, text }) => {
  expect(readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')).toBe(text);
});

test('the settings have the entry of a strategy, with the budget that it has where none is named', () => {
  const page = referencePages().find(({ path }) => path.endsWith('/settings.md'))?.text ?? '';
  expect(page).toMatch(/^- `strategies\[\]\.budget`: .*10000 of the quote currency/m);
  expect(page).toMatch(/^- `strategies\[\]\.amount`: .*\(required\)$/m);
});

test('each figure, table and command has one line of explanation that says something', () => {
  const empty = referencePages().flatMap(({ path, text }) =>
    path.endsWith('.md')
      ? text.split('\n').filter((line) => /^(\| `[^`]+` \|( +\||.*\| undefined \|)|- `[^`]+`:( undefined)?( \(.*\))?$)/.test(line))
      : [],
  );
  expect(empty).toEqual([]);
});
