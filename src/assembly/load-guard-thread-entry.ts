import { writeSync } from 'node:fs';
import { runThread, type ThreadSide } from '#adapters/threads/thread.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { oneLine } from '#domain/one-line.ts';
import type { LoadGuardThread } from './load-guard.ts';

const LOOK_MS = 100;

/** Counts looks, not time: a process that was stopped as a whole took no time to load. */
function watch({ data, onMessage }: ThreadSide<LoadGuardThread>): void {
  let loading: string | null = null;
  let looks = 0;
  onMessage((message) => {
    loading = message.loading;
    looks = 0;
  });
  systemTimers.every(LOOK_MS, () => {
    if (loading === null || ++looks * LOOK_MS < data.withinMs) return;
    const limit = `${data.withinMs / 1000} s`;
    writeSync(
      2,
      oneLine(`kairos: strategy ${loading}: its module was not loaded within ${limit}: look for a loop outside of its functions`),
    );
    writeSync(2, '\n');
    process.kill(process.pid, 'SIGKILL');
  });
}

runThread<LoadGuardThread>(watch);
