import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { logPath } from '#adapters/recording/run-log.ts';
import { recordingFindings } from '#daemon/doctor/recordings.ts';
import { configOf } from '../../config/support.ts';
import { newFolder } from '../../support/folder.ts';

const NOW = Date.UTC(2026, 10, 20, 12);

test('recordings are projected by the runs of the last day: what a day takes, and how long the disk lasts', async () => {
  const dir = newFolder();
  const wrote = (run: string, bytes: number, lastAt: number) => {
    const log = logPath(dir, run);
    mkdirSync(path.dirname(log), { recursive: true });
    writeFileSync(log, 'x\n'.repeat(bytes / 2));
    utimesSync(log, lastAt / 1000, lastAt / 1000);
  };
  const look = (keepDays: number, free: number) => {
    const { settings } = configOf(`recording: { dir: ${dir}, keepDays: ${keepDays} }`);
    return recordingFindings(settings, { freeBytes: () => free, now: NOW });
  };
  // An old run tells nothing of the rate, nor does one of a few minutes.
  wrote('20261101T000000Z-aaaaaa', 5_000, Date.UTC(2026, 10, 1, 1));
  wrote('20261120T110000Z-bbbbbb', 50, Date.UTC(2026, 10, 20, 11, 5));
  expect(await look(0, 1e9)).toEqual([]);
  wrote('20261120T100000Z-cccccc', 1_000, Date.UTC(2026, 10, 20, 10, 55));
  expect(await look(10, 1e6)).toMatchObject([
    { verdict: 'ok', what: '6.0 kB now, 25.2 kB a day at the recent rate, 252 kB in recording.keepDays 10' },
  ]);
  expect(await look(10, 1e5)).toMatchObject([{ verdict: 'warn', what: expect.stringMatching(/the disk lasts 3 days$/) }]);
  expect(await look(0, 7e5)).toMatchObject([{ verdict: 'warn', what: expect.stringContaining('kept for ever: the disk lasts 27 days') }]);
});
