import { setTimeout as pause } from 'node:timers/promises';

/** Waits for real sockets to do what they must; fails with `what` when they have not done it in time. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const end = performance.now() + 100_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`waited in vain until ${what}`);
    await pause(2);
  }
}

/** Lets sockets and promises go on for a little while, where a test shows that nothing more happens. */
export async function settle(ms = 30): Promise<void> {
  await pause(ms);
}
