import { runThread } from '#apps/assembly/thread.ts';
import { configOfText } from './sweep-config.ts';
import type { SweepThread } from './sweep-thread.ts';
import { playTrial } from './sweep-trial.ts';

runThread<SweepThread>(({ data, post, onMessage }) => {
  const base = { ...data, config: configOfText(data.config) };
  onMessage(async (job) => post(await playTrial(base, job)));
});
