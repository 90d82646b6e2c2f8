import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { linesBack } from '#adapters/recording/log-tail.ts';
import { newestPast } from '#adapters/recording/newest-past.ts';
import { newFolder } from '../../support/folder.ts';
import { btcLane } from '../../support/market-data.ts';
import { RECORDED_FROM, syntheticRecording } from '../../support/synthetic-recording.ts';

const LANE = btcLane.id;

test('a warm-up of hours is fed whole, over as many restarts as lie in it', () => {
  const dir = newFolder();
  for (let run = 0; run < 8; run++)
    syntheticRecording({ dir, run: `run-${run}`, lanes: ['btcusd 0.01'], seconds: 10, from: RECORDED_FROM + run * 12_000 });
  const wanted = new Map([[LANE, { count: 0, spanMs: 75_000, since: Number.POSITIVE_INFINITY }]]);
  const past = newestPast({ dir, book: 'paper' }, wanted).get(LANE) ?? [];
  const [first, last] = [past[0]?.value.at ?? 0, past.at(-1)?.value.at ?? 0];
  expect(last - first).toBeGreaterThanOrEqual(75_000);
  expect(last).toBeGreaterThan(RECORDED_FROM + 90_000);
});

test('lines of a log are read from its end, however long, and none that the bound cuts', () => {
  const file = path.join(newFolder(), 'log');
  const lines = ['first', 'ü'.repeat(1_500_000), ...Array.from({ length: 200_000 }, (_, n) => `line ${n}`), ''];
  writeFileSync(file, lines.join('\n'));
  expect([...linesBack(file, 1e9)].reverse()).toEqual(lines);
  expect([...linesBack(file, 20)]).toEqual(['', 'line 199999']);
});
