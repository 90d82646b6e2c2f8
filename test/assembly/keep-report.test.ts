import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { keepForPage } from '#assembly/reporting.ts';
import { newFolder } from '../support/folder.ts';

let folder: string;
beforeEach(() => {
  folder = newFolder();
  mkdirSync(path.join(folder, 'var'));
});

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
