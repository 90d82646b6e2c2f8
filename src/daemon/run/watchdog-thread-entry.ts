import { existsSync } from 'node:fs';
import { runThread, type ThreadSide } from '#adapters/threads/thread.ts';
import { starvedMs } from '#adapters/time/starved.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { HaltLatch } from '#core/risk/latch.ts';
import { isoTime } from '#domain/names.ts';
import type { Cancel } from '#ports/timers.ts';
import { Ending } from './ending.ts';
import { HaltFile, keepFacts } from './halt-file.ts';
import { Heartbeat } from './heartbeat.ts';
import { StallClock } from './stall-clock.ts';
import type { WatchdogData, WatchdogThread } from './watchdog.ts';

const LOOK_MS = 10;

/**
 * The watchdog's thread, which runs whatever the main one does. It shuts the last gate when a file of a halt appears, and
 * ends the process if the main thread is blocked or its end hangs.
 */
runThread<WatchdogThread>(({ data, post, onMessage }) => {
  let stop = watch(data, post);
  onMessage((next) => {
    stop();
    stop = next === null ? () => {} : watch(next, post);
  });
});

function watch(data: WatchdogData, post: ThreadSide<WatchdogThread>['post']): Cancel {
  const { files, strategies, loadMs } = data;
  const latch = new HaltLatch(data.latch);
  const haltFile = new HaltFile(files, latch);
  const ending = new Ending(data.ending);
  const heartbeat = new Heartbeat(strategies, data.heartbeat);
  const stall = new StallClock(loadMs ?? undefined);
  let lookedAt = systemTimers.monotonicMs();
  let starvedAt = starvedMs();

  const inspect = (): void => haltFile.inspect((note) => post({ note }));
  inspect();
  post({ looked: true });
  return systemTimers.every(LOOK_MS, () => {
    inspect();
    const now = systemTimers.monotonicMs();
    const starved = starvedMs();
    const gap = { gapMs: now - lookedAt, starvedMs: starved - starvedAt };
    const still = stall.inspect({ turn: heartbeat.turn, inside: heartbeat.inside, ...gap, isEnding: ending.hasBegun });
    [lookedAt, starvedAt] = [now, starved];
    if (still === undefined) return;
    // The main thread cannot end the process itself; the next start reads why it was ended.
    const { inside, stillMs } = still;
    keepFacts(files.stall, { ...inside, loading: loadMs !== null, stillMs: Math.round(stillMs), at: isoTime(systemTimers.wallMs()) });
    // A fault may have shut the gate before its halt could be journaled.
    if (latch.isSet && !existsSync(files.halted))
      keepFacts(files.halted, { who: 'kairos', why: 'trading was halted, and the end of the process hung' });
    process.kill(process.pid, 'SIGKILL');
  });
}
