/** Loaded ahead of a daemon under test (`NODE_OPTIONS=--import`): SIGHUP breaks its main thread in the way that BREAK_BY names. */
import { isMainThread } from 'node:worker_threads';

const { BREAK_BY, BREAK_WITH = 'broken by the test' } = process.env;

const ways: Readonly<Record<string, () => void>> = {
  timer: () => setTimeout(() => thrown(), 0),
  rejection: () => void Promise.reject(new Error(BREAK_WITH)),
  heap() {
    // At once: a loop that stands still for ten seconds is ended by the watchdog.
    for (const held: number[][] = []; ; ) held.push(new Array(1_000_000).fill(held.length));
  },
};

function thrown(): never {
  throw new Error(BREAK_WITH);
}

if (isMainThread && BREAK_BY !== undefined) process.on('SIGHUP', () => ways[BREAK_BY]?.());
