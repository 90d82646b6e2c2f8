import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepForPage } from '#assembly/reporting.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kairos-reports-'));
  mkdirSync(path.join(folder, 'var'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const inFolder = (...names: readonly string[]): string => path.join(folder, ...names);

test('a report written by hand is kept where the page of the daemon lists it; without a journal it stands alone', () => {
  writeFileSync(inFolder('mine.html'), 'a report');
  const settings = { journal: { path: inFolder('var', 'kairos.db') } };
  keepForPage(inFolder('mine.html'), settings);
  expect(existsSync(inFolder('var', 'reports'))).toBe(false);
  writeFileSync(settings.journal.path, '');
  keepForPage(inFolder('mine.html'), settings);
  expect(readFileSync(inFolder('var', 'reports', 'mine.html'), 'utf8')).toBe('a report');
  keepForPage(inFolder('var', 'reports', 'mine.html'), settings);
  expect(readFileSync(inFolder('var', 'reports', 'mine.html'), 'utf8')).toBe('a report');
});
