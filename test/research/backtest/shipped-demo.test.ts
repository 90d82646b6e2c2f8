import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '#config/load.ts';
import { reportBooks } from '#report/books.ts';
import { fillsOf } from '#research/backtest/outcome.ts';
import { folder } from '../../config/support.ts';
import { ROOT } from '../../support/root.ts';
import { syntheticRecording } from '../../support/synthetic-recording.ts';
import { sessionOf } from './session-bench.ts';

/** The round trips of the shipped paper configuration in the first minutes of a market of the paper venue. */
async function tripsOf(seed: string, minutes: number) {
  const cwd = folder();
  const dir = path.join(cwd, 'recordings');
  const config = loadConfig({ files: [path.join(ROOT, 'config/paper.yaml')], set: [`recording.dir=${dir}`], env: {}, cwd });
  const { feePercentage } = config.settings.venue;
  syntheticRecording({ dir, lanes: ['btcusd 0.01', 'ethusd 0.2', 'eurusd 920'], seconds: minutes * 60, seed, feePercentage });
  const session = await sessionOf(config, cwd);
  return reportBooks(fillsOf(session.play().decisions), new Map(), []).trades;
}

test('ten minutes of the demo show wins and losses after fees, as docs/venue.md counts them, and nothing is to be earned', async () => {
  const runs = await Promise.all(['paper', 'seed-1', 'seed-2', 'seed-3', 'seed-4'].map((seed) => tripsOf(seed, 10)));
  for (const trips of runs) {
    expect(trips.filter(({ profit }) => profit.gt(0)).length).toBeGreaterThan(0);
    expect(trips.filter(({ profit }) => profit.lt(0)).length).toBeGreaterThan(0);
  }
  const all = runs.flat();
  const won = all.filter(({ profit }) => profit.gt(0)).length;
  const lost = -all.reduce((sum, { profit }) => sum + profit.toNumber(), 0);
  const counted = `closed ${all.length} round trips, of which ${won} won, and lost ${lost.toFixed(2)} usd together`;
  expect(readFileSync(path.join(ROOT, 'docs/venue.md'), 'utf8').replaceAll('\n', ' ')).toContain(counted);
});
