import { runThread } from '#adapters/threads/thread.ts';
import { configOfText } from './sweep-config.ts';
import type { SweepThread } from './sweep-thread.ts';
import { playTrial } from './sweep-trial.ts';
import { UncaughtInTrial } from './uncaught-in-trial.ts';

runThread<SweepThread>(({ data, post, onMessage }) => {
  const base = { ...data, config: configOfText(data.config) };
  const uncaught = new UncaughtInTrial();
  onMessage(async (job) => post(await uncaught.during(job, () => playTrial(base, job))));
});
