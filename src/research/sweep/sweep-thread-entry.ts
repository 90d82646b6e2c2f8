import { runThread } from '#adapters/threads/thread.ts';
import { configOfText } from '#config/config-text.ts';
import { headline } from '#report/headline.ts';
import type { TrialJob } from '#research/replay/trial.ts';
import { type ReplayedTrial, Screen } from './screen.ts';
import type { SweepThread } from './sweep-thread.ts';
import { playTrial, unplayed } from './sweep-trial.ts';
import type { Way } from './trial-players.ts';
import { UncaughtInTrial } from './uncaught-in-trial.ts';

runThread<SweepThread>(({ data, post, onMessage }) => {
  const base = { ...data, config: configOfText(data.config) };
  const uncaught = new UncaughtInTrial();
  const screen = new Screen(base);
  const answerTo = async (job: TrialJob, way: Way): Promise<ReplayedTrial> =>
    way === 'both' ? screen.replay(job) : { result: await (way === 'screen' ? screen.play(job) : playTrial(base, job)), unequal: null };
  const alone = async (job: TrialJob, way: Way): Promise<ReplayedTrial> => {
    const played = await uncaught.during(() => answerTo(job, way));
    if ('result' in played) return played.result;
    return { result: unplayed(job, played.failed, headline('STRATEGY_FAILED', played.failed, { level: 'failed' })), unequal: null };
  };
  onMessage(async ({ jobs, way }) => {
    const together = await uncaught.during(() => inTurn(jobs, (job) => answerTo(job, way)));
    // Of several nobody knows which one left something uncaught.
    post('result' in together ? together.result : await inTurn(jobs, (job) => alone(job, way)));
  });
});

async function inTurn(jobs: readonly TrialJob[], play: (job: TrialJob) => Promise<ReplayedTrial>): Promise<readonly ReplayedTrial[]> {
  const answers: ReplayedTrial[] = [];
  for (const job of jobs) answers.push(await play(job));
  return answers;
}
