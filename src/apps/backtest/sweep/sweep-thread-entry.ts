import { parentPort, workerData } from 'node:worker_threads';
import type { TrialJob, TrialResult } from '#apps/backtest/replay/trial.ts';
import { configOfText } from './sweep-config.ts';
import type { ThreadSetup } from './sweep-thread.ts';
import { playTrial } from './sweep-trial.ts';

const setup: ThreadSetup = workerData;
const base = { ...setup, config: configOfText(setup.config) };

parentPort?.on('message', async (job: TrialJob) => {
  parentPort?.postMessage((await playTrial(base, job)) satisfies TrialResult);
});
