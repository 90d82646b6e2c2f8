import { writeSync } from 'node:fs';
import { runThread, type ThreadSide } from '#adapters/threads/thread.ts';
import { starvedMs } from '#adapters/time/starved.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { oneLine } from '#domain/one-line.ts';
import { type LoadGuardThread, notLoaded } from './load-guard.ts';

const LOOK_MS = 100;

/** Counts what the main thread could have done: a process that was stopped as a whole, or had no processor, took no time to load. */
function watch({ data, onMessage }: ThreadSide<LoadGuardThread>): void {
  let loading: string | null = null;
  let tookMs = 0;
  let starvedAt = starvedMs();
  onMessage((message) => {
    loading = message.loading;
    tookMs = 0;
  });
  systemTimers.every(LOOK_MS, () => {
    const starved = starvedMs();
    tookMs += Math.max(0, LOOK_MS - (starved - starvedAt));
    starvedAt = starved;
    if (loading === null || tookMs < data.withinMs) return;
    writeSync(2, oneLine(`kairos: strategy ${loading}: ${notLoaded(data.withinMs)}`));
    writeSync(2, '\n');
    process.kill(process.pid, 'SIGKILL');
  });
}

runThread<LoadGuardThread>(watch);
