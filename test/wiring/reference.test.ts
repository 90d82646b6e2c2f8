import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { referencePages } from '../../src/wiring/reference.ts';

test.each(referencePages())('$path says what the code does (mend with: npm run reference)', ({ path, text }) => {
  expect(readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')).toBe(text);
});
