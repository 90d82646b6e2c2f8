import { afterAll, beforeAll, expect, test } from 'vitest';
import { PACKAGED_STRATEGIES } from '#apps/assembly/packaged-strategies.ts';
import { type Against, against } from '#apps/backtest/against.ts';
import { openSession } from '#apps/backtest/open-session.ts';
import { type TimedRuns, timedRuns } from '../support/timed-runs.ts';

let timed: TimedRuns;
beforeAll(async () => {
  timed = await timedRuns([30, 20]);
}, 140_000);
afterAll(() => timed.remove());

async function heldAgainst(run: string): Promise<Against> {
  const { config, folder } = timed;
  const session = await openSession({
    config,
    folders: { cwd: folder, packaged: PACKAGED_STRATEGIES },
    data: undefined,
    from: undefined,
    to: undefined,
    against: run,
    outcomesOf: undefined,
    notice: () => {},
  });
  const flat = session.play();
  const on = session.playOn();
  const { decisions } = on ?? flat;
  return against({ journal: config.settings.journal.path, run, decisions, wentOn: on !== undefined, columns: session.data.columns });
}

test.each([
  ['a run of strategies that decide on timers', 0],
  ['the run after its restart', 1],
] as const)('%s comes out fill by fill in a backtest of its recording', async (_, number) => {
  const held = await heldAgainst(timed.runs[number] ?? '');
  expect(held).toMatchObject({ wentOn: number > 0, others: [] });
  expect(held.fills).toBeGreaterThanOrEqual(20);
  expect(held.same).toBe(held.fills);
});
