import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { failedStart, leaveFailedStart } from '#adapters/journal/failed-start.ts';
import { KairosError } from '#domain/errors.ts';
import { folder, START } from './rows.ts';

const place = () => {
  const path = join(folder(), 'kairos.db');
  return { path, file: `${path}.failed` };
};

test('the last start that failed is left for the watcher, in one line and for the owner alone', () => {
  const { path, file } = place();
  expect(failedStart(path)).toBeUndefined();
  leaveFailedStart(path, new Error('another'), START - 1);
  leaveFailedStart(path, new KairosError('JOURNAL_UNUSABLE', 'no\nroom'), START);
  expect(failedStart(path)).toEqual({ at: START, why: 'no room' });
  expect([statSync(file).mode & 0o777, readdirSync(dirname(path))]).toEqual([0o600, ['kairos.db.failed']]);
});

test('a start beside a daemon that is well is no failure, and one that can be left nowhere throws nothing', () => {
  const { path, file } = place();
  leaveFailedStart(path, new KairosError('JOURNAL_LEASED', 'held by process 7'), START);
  expect(readdirSync(dirname(path))).toEqual([]);
  leaveFailedStart(path, Object.assign(new Error('of another kind'), { code: 'JOURNAL_LEASED' }), START);
  expect(failedStart(path)).toMatchObject({ why: 'of another kind' });
  mkdirSync(`${file}.new`);
  expect(() => leaveFailedStart(path, new Error('x'), START)).not.toThrow();
});

test.each(['', 'null', '5', '{"at":', '{"at":5,"why":"x"}', '{"at":"2026-11-21T03:00:00.000Z","why":5}'])(
  'a file that says %j tells of none',
  (text) => {
    const { path, file } = place();
    writeFileSync(file, text);
    expect(failedStart(path)).toBeUndefined();
  },
);
