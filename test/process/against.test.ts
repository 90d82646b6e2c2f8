import { afterAll, beforeAll, expect, test } from 'vitest';
import { PACKAGED_STRATEGIES } from '#assembly/package.ts';
import { against, type ParityComparison } from '#research/backtest/against.ts';
import { openSession } from '#research/backtest/open-session.ts';
import { type TimedRuns, timedRuns } from '../support/timed-runs.ts';

/** Orders that each run executes before it is stopped: ten runs on one journal, each but the first a restart. */
const RUNS = [20, 8, 8, 8, 8, 8, 8, 8, 8, 8];

let timed: TimedRuns;
beforeAll(async () => {
  timed = await timedRuns(RUNS);
});
afterAll(() => timed.remove());

async function heldAgainst(run: string): Promise<ParityComparison> {
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

test.each(RUNS.map((fills, number) => ({ run: number + 1, fills })))(
  'run $run of strategies that decide on timers comes out fill by fill in a backtest of its recording',
  async ({ run, fills }) => {
    const held = await heldAgainst(timed.runs[run - 1] ?? '');
    expect(held).toMatchObject({ wentOn: run > 1, others: [], same: held.fills, played: held.fills });
    expect(held.fills).toBeGreaterThanOrEqual(fills);
  },
);
