import { parentPort } from 'node:worker_threads';
import { type CampaignData, type CampaignEnd, LENGTH_AT, RUNS_AT } from './campaign.ts';
import { Branches } from './instrument.ts';
import { Broken, fuzz } from './loop.ts';
import type { FuzzTarget } from './target.ts';

const branches = new Branches();
branches.hook();
const { TARGETS } = await import('./targets.ts');

/** For the test of the watch itself. */
const HANGING: FuzzTarget = {
  name: 'hanging',
  holds: 'nothing: it never comes back',
  seeds: ['for ever'],
  check() {
    while (performance.now() >= 0);
  },
};

async function play({ name, seed, milliseconds, inputs, begin, shared }: CampaignData): Promise<CampaignEnd> {
  const target = [...TARGETS, HANGING].find((one) => one.name === name);
  if (!target) throw new Error(`there is no target ${name}`);
  const words = new Int32Array(shared, 0, 2);
  const bytes = new Uint8Array(shared, 8);
  const end = performance.now() + milliseconds;
  branches.forget();
  try {
    const {
      runs,
      branches: reached,
      found,
    } = await fuzz(target, {
      seed,
      branches,
      begin,
      before: (input) => {
        bytes.set(input.subarray(0, bytes.length));
        Atomics.store(words, LENGTH_AT, Math.min(input.length, bytes.length));
        Atomics.add(words, RUNS_AT, 1);
      },
      isOver: (runs) => runs >= inputs || performance.now() >= end,
    });
    return { kind: 'held', runs, reached, found };
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    return { kind: 'broken', why: error.message, input: error.input };
  } finally {
    await target.close?.();
  }
}

parentPort?.on('message', async (data: CampaignData) => parentPort?.postMessage(await play(data)));
