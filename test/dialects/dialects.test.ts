import { expect, test } from 'vitest';
import { againOf, campaign, describeCampaign, lineOf } from './campaign.ts';

/** A developer's run is short; CI plays more. Each starts where the seeds of the kept log end. */
const COUNT = process.env.CI ? 60 : 30;
const FIRST = 100_001;
/** What there is time for on a machine that does other things as well. */
const MAX_MS = 150_000;
const LEAST = 10;

test(`of ${COUNT} drawn dialects none is unsafe, and none leaves the client standing without a line`, { timeout: 300_000 }, async () => {
  const end = performance.now() + MAX_MS;
  const seeds = Array.from({ length: COUNT }, (_, index) => String(FIRST + index));
  const result = await campaign({ seeds, goOn: () => performance.now() < end });
  console.log(describeCampaign(result));
  const bad = result.trials.filter(({ grade }) => grade === 'unsafe' || grade === 'silent');
  expect(bad.map((trial) => `${lineOf(trial)} (again: ${againOf(trial)})`)).toEqual([]);
  expect(result.trials.length).toBeGreaterThanOrEqual(LEAST);
  expect(result.grades.trades + result.grades.set).toBeGreaterThan(result.trials.length / 4);
});
