import { expect, test } from 'vitest';
import { againOf, campaign, describeCampaign, lineOf } from './campaign.ts';

/** Behind the seeds of the kept log. */
const FIRST = 100_001;
const COUNT = 20;

test(`of ${COUNT} drawn dialects none is unsafe, and none leaves the client standing without a line`, async () => {
  const seeds = Array.from({ length: COUNT }, (_, index) => String(FIRST + index));
  const result = await campaign({ seeds });
  console.log(describeCampaign(result));
  const bad = result.trials.filter(({ grade }) => grade === 'unsafe' || grade === 'silent');
  expect(bad.map((trial) => `${lineOf(trial)} (again: ${againOf(trial)})`)).toEqual([]);
  expect(result.grades.trades + result.grades.set).toBeGreaterThan(result.trials.length / 4);
});
