import { expect, test } from 'vitest';
import { gapsBetween } from '#adapters/recording/between.ts';
import type { LaneRecording } from '#adapters/recording/catalog.ts';

const lane = (run: string, product: string, from: string, to: string): LaneRecording => ({
  ...{ run, product, lane: `${product}@base:1`, quotes: 9, bytes: null, barMs: 0, imported: run.startsWith('import') },
  ...{ from: `${from}T00:00:00.000Z`, to: `${to}T00:00:00.000Z` },
});

test('what is longer than a start between two runs is named, as long as it was', () => {
  const hour = (run: string, from: string, to: string): LaneRecording => ({ ...lane(run, 'btcusd', '2026-11-01', '2026-11-01'), from, to });
  const first = hour('run-1', '2026-11-01T11:00:00.000Z', '2026-11-01T11:01:00.000Z');
  const after = (from: string) => gapsBetween([first, hour('run-2', from, '2026-11-01T12:00:00.000Z')]).map(({ seconds }) => seconds);
  expect(after('2026-11-01T11:02:00.000Z')).toEqual([]);
  expect(after('2026-11-01T11:38:00.000Z')).toEqual([37 * 60]);
});

test('times between recordings are named, of all lanes and of a product', () => {
  const old = lane('import-1', 'eurusd', '2025-01-05', '2025-02-01');
  const [btc, again] = [lane('run-1', 'btcusd', '2026-11-01', '2026-11-23'), lane('import-2', 'eurusd', '2026-11-20', '2026-11-25')];
  const hole = { from: '2025-02-01T00:00:00.000Z', to: '2026-11-01T00:00:00.000Z' };
  expect(gapsBetween([btc, old])).toEqual([{ run: 'import-1 to run-1', lane: 'all lanes', ...hole, seconds: 638 * 86_400 }]);
  expect(gapsBetween([btc, again, old])).toMatchObject([
    { lane: 'all lanes', ...hole },
    { run: 'import-1 to import-2', lane: 'eurusd', from: hole.from, to: '2026-11-20T00:00:00.000Z' },
  ]);
  const bars = { ...lane('import-3', 'eurusd', '2025-02-02', '2025-02-09'), barMs: 86_400_000 };
  expect(gapsBetween([old, bars])).toEqual([]);
  expect(gapsBetween([old, { ...bars, barMs: 3_600_000 }])).toMatchObject([{ seconds: 23 * 3_600 }]);
});
