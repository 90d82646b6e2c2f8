import { systemTimers } from '#adapters/time/system-timers.ts';
import type { ChildWatch } from './child.ts';
import { runThread } from './thread.ts';

const EVERY_MS = 250;

/** Code that keeps the loop of its process hears neither of its parent's end nor of what it takes. */
runThread<ChildWatch>(({ data: { parent, maxBytes } }) => {
  systemTimers.every(EVERY_MS, () => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
    if (process.memoryUsage.rss() > maxBytes) process.kill(process.pid, 'SIGABRT');
  });
});
