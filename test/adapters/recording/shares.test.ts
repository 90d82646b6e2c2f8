import { expect, test } from 'vitest';
import { openRun } from '#adapters/recording/open-run.ts';
import { tidyRecordings } from '#adapters/recording/retention.ts';
import { logPath } from '#adapters/recording/run-log.ts';
import { verifyRun } from '#adapters/recording/verify-run.ts';
import { newFolder } from '../../support/folder.ts';
import { syntheticRecording } from '../../support/synthetic-recording.ts';

test.each(['in a log', 'sealed'])('who reads a recording that is %s is told how far, never back and never beyond the whole', (how) => {
  const dir = newFolder();
  const run = 'run-1';
  syntheticRecording({ dir, run, lanes: ['btcusd 0.01'], seconds: 5_500 });
  if (how === 'sealed') tidyRecordings({ dir, keepDays: 0, now: Date.now(), tell: () => {} });
  const file = logPath(dir, run);
  const shares: number[] = [];
  const read = [...openRun(file).itemsTold((share) => shares.push(share))];
  expect(read).toHaveLength([...openRun(file).items()].length);
  expect(shares.length).toBeGreaterThan(1);
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  for (const share of shares) expect(share > 0 && share <= 1).toBe(true);
  const told: number[] = [];
  expect(verifyRun(file, (share) => told.push(share))).toMatchObject({ faults: [], sealed: how === 'sealed' });
  expect(told).toEqual(shares);
});
