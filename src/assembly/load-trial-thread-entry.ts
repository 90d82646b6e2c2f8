import { runThread } from '#adapters/threads/thread.ts';
import { importStrategy } from '#core/strategy/compiled-module.ts';
import type { LoadTrialThread } from './load-trial.ts';

/** Its errors are told by who loads the module then. */
runThread<LoadTrialThread>(async ({ data, post }) => {
  await importStrategy(data).catch(() => {});
  post('ended');
});
