import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { instanceOf } from '#adapters/journal/instance.ts';
import { folder } from './rows.ts';

const NOW = Date.UTC(2026, 0, 1, 12);

const place = (): { readonly journal: string; readonly file: string } => {
  const journal = path.join(folder(), 'kairos.db');
  return { journal, file: `${journal}.instance` };
};

test('a journal has one name in its place, for its owner alone; one in memory has none', () => {
  const { journal, file } = place();
  const name = instanceOf(journal, NOW, 'm');
  expect(name).toMatch(/^[0-9a-f]{16}$/);
  expect(instanceOf(journal, NOW, 'm')).toBe(name);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(instanceOf(place().journal, NOW, 'm')).not.toBe(name);
  expect(instanceOf(':memory:', NOW)).toBe('');
});

test('a later version finds the name by which this one armed: of the id, its file and the machine', () => {
  const { journal, file } = place();
  const systemd = existsSync('/run/systemd/system') ? readFileSync('/etc/machine-id', 'utf8').trim() : '';
  const name = instanceOf(journal, NOW);
  const { ino, birthtimeNs } = statSync(file, { bigint: true });
  const parts = ['2026-01-01T12:00:00.000Z', `${ino}`, `${birthtimeNs}`, systemd];
  expect(name).toBe(createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16));
});

test('where its file cannot be read there is no name, in one line', () => {
  const { journal, file } = place();
  mkdirSync(file);
  expect(() => instanceOf(journal, NOW)).toThrow(
    expect.objectContaining({ code: 'JOURNAL_UNUSABLE', message: expect.stringContaining('remove it') }),
  );
});

test('the file that holds the id may be renamed and given other rights and times: it is still that file', () => {
  const { journal, file } = place();
  const name = instanceOf(journal, NOW, 'm');
  chmodSync(file, 0o640);
  utimesSync(file, 1, 1);
  renameSync(file, `${file}.aside`);
  renameSync(`${file}.aside`, file);
  expect(instanceOf(journal, NOW, 'm')).toBe(name);
});

test.each<[string, (file: string) => void]>([
  [
    'a copy in its place',
    (file) => {
      copyFileSync(file, `${file}.copy`);
      renameSync(`${file}.copy`, file);
    },
  ],
  ['another id in the same file', (file) => writeFileSync(file, '2026-01-01T12:00:00.001Z\n')],
  ['a torn file, which is made anew', (file) => writeFileSync(file, 'f00')],
  ['none, as where the journal alone was copied', (file) => rmSync(file)],
])('another name has %s', (_, change) => {
  const { journal, file } = place();
  const name = instanceOf(journal, NOW, 'm');
  // The inode stays taken, as it is while the first journal exists.
  linkSync(file, `${file}.first`);
  change(file);
  expect(instanceOf(journal, NOW, 'm')).not.toBe(name);
});

test('the same disk in another machine has another name', () => {
  const { journal } = place();
  expect(instanceOf(journal, NOW, 'other')).not.toBe(instanceOf(journal, NOW, 'm'));
});
