import path from 'node:path';
import { expect, test } from 'vitest';
import { fillsOf } from '#apps/backtest/outcome.ts';
import { loadConfig } from '#config/load.ts';
import { reportBooks } from '#report/books.ts';
import { folder } from '../../config/support.ts';
import { ROOT } from '../../support/root.ts';
import { syntheticRecording } from '../../support/synthetic-recording.ts';
import { sessionOf } from './session-bench.ts';

/** The round trips of the shipped paper configuration in the first minutes of a market of the paper venue. */
async function tripsOf(seed: string, minutes: number) {
  const cwd = folder();
  const dir = path.join(cwd, 'recordings');
  syntheticRecording({ dir, lanes: ['btcusd 0.01', 'ethusd 0.2', 'eurusd 920'], seconds: minutes * 60, seed });
  const config = loadConfig({ files: [path.join(ROOT, 'config/paper.yaml')], set: [`recording.dir=${dir}`], env: {}, cwd });
  const session = await sessionOf(config, cwd);
  return reportBooks(fillsOf(session.play().decisions), new Map(), []).trades;
}

// docs/venue.md names what 20 seeds of 30 minutes came to.
test('ten minutes of the demo show wins and losses after fees, and nothing in its prices is to be earned', async () => {
  const runs = await Promise.all(['seed-0', 'seed-1', 'seed-2', 'seed-3', 'seed-4'].map((seed) => tripsOf(seed, 10)));
  for (const trips of runs) {
    expect(trips.filter(({ profit }) => profit.gt(0)).length).toBeGreaterThan(0);
    expect(trips.filter(({ profit }) => profit.lt(0)).length).toBeGreaterThan(0);
  }
  const all = runs.flat();
  expect(all.length).toBeGreaterThan(50);
  const share = all.filter(({ profit }) => profit.gt(0)).length / all.length;
  expect(share).toBeGreaterThan(0.05);
  expect(share).toBeLessThan(0.4);
  expect(all.reduce((sum, { profit }) => sum + profit.toNumber(), 0)).toBeLessThan(0);
});
