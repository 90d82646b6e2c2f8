import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openRun } from '#adapters/recording/open-run.ts';
import { tidyRecordings } from '#adapters/recording/retention.ts';
import { logPath } from '#adapters/recording/run-log.ts';
import { verifyRun } from '#adapters/recording/verify-run.ts';
import { newFolder } from '../../support/folder.ts';

const CHILD = path.join(import.meta.dirname, 'child-rolling.ts');

test.each([
  [5, 'before a part takes its place'],
  [6, 'before its log is removed'],
  [9, 'in the next part'],
])('F45 a SIGKILL at step %i of sealing, %s, loses no event that was flushed, and the next start goes on', (step) => {
  const dir = newFolder();
  const child = spawnSync(process.execPath, [CHILD, dir, `${step}`], { encoding: 'utf8' });
  expect([child.signal, child.stderr]).toEqual(['SIGKILL', '']);
  const log = logPath(dir, 'killed');
  const numbers = () => [...openRun(log).items()].map((item) => (item.kind === 'event' ? item.event.n : Number.NaN));
  const flushed = Array.from({ length: Number(child.stdout) }, (_, index) => index + 1);
  expect(flushed.length).toBeGreaterThan(100);
  expect(numbers()).toEqual(flushed);
  const told: string[] = [];
  expect(tidyRecordings({ dir, keepDays: 0, now: 0, tell: (level, text) => level === 'warn' && told.push(text) })).toBeGreaterThan(1);
  expect(told).toEqual([]);
  expect(numbers()).toEqual(flushed);
  expect(verifyRun(log)).toMatchObject({ sealed: true, faults: [] });
  expect(readdirSync(path.dirname(log)).filter((name) => !name.startsWith('sealed'))).toEqual([]);
});
