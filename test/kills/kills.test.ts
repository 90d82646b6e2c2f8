import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { campaign, describeCampaign } from './campaign.ts';

const KILLS = 12;

test(`I01 I02 I04 F45 L9: ${KILLS} SIGKILLs at random moments lose no order, double none, and both books agree`, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'kairos-kills-'));
  const result = await campaign({ kills: KILLS, beds: 2, longestMs: 500, folder, seed: 'ci' });
  console.log(describeCampaign(result));
  expect(result.faults).toEqual([]);
  expect(result.kills).toBeGreaterThanOrEqual(KILLS);
  expect(result.hitOpen).toBeGreaterThanOrEqual(KILLS / 3);
  rmSync(folder, { recursive: true, force: true });
});
