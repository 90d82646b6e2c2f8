import { statSync, writeFileSync } from 'node:fs';
import { type ControlFiles, readHalt } from '#adapters/journal/control-files.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { runThread, type ThreadSide } from '#apps/assembly/thread.ts';
import { HaltLatch } from '#core/risk/latch.ts';
import { isoTime } from '#domain/names.ts';
import { Heartbeat } from './heartbeat.ts';
import { StallClock } from './stall-clock.ts';
import type { WatchdogThread } from './watchdog.ts';

const LOOK_MS = 10;

/**
 * The watchdog's own thread: its loop turns whatever the main one does. It shuts the last gate when the file of a halt
 * appears, and ends the process when the main thread stands still.
 */
function watch({ data, post }: ThreadSide<WatchdogThread>): void {
  const { files, strategies, loadMs } = data;
  const latch = new HaltLatch(data.latch);
  const heartbeat = new Heartbeat(strategies, data.heartbeat);
  const stall = new StallClock(loadMs ?? undefined);
  let seen: string | undefined;
  let lookedAt = systemTimers.monotonicMs();

  /** A file that was not there at the last look halts, whatever is in it. */
  const lookForHalt = (): void => {
    const identity = identityOf(files, seen);
    if (identity === seen) return;
    seen = identity;
    if (identity === undefined) return;
    latch.set();
    const note = readHalt(files.halt) ?? { who: 'file', why: `${files.halt} was there` };
    post({ note });
    keep(files.halted, note);
  };

  systemTimers.every(LOOK_MS, () => {
    lookForHalt();
    const now = systemTimers.monotonicMs();
    const still = stall.inspect({ turn: heartbeat.turn, inside: heartbeat.inside, gapMs: now - lookedAt });
    lookedAt = now;
    if (still === undefined) return;
    // The main thread cannot end the process; the next start finds why it was ended.
    const { inside, stillMs } = still;
    keep(files.stall, { ...inside, loading: loadMs !== null, stillMs: Math.round(stillMs), at: isoTime(systemTimers.wallMs()) });
    process.kill(process.pid, 'SIGKILL');
  });
}

/** Which file of a halt is there; undefined where there is none. */
function identityOf({ halt }: ControlFiles, before: string | undefined): string | undefined {
  try {
    const stat = statSync(halt, { throwIfNoEntry: false, bigint: true });
    return stat && `${stat.ino} ${stat.mtimeNs}`;
  } catch {
    // A folder that cannot be looked into now has no news; the signal and the control API are there as well.
    return before;
  }
}

function keep(file: string, facts: object): void {
  try {
    writeFileSync(file, `${JSON.stringify(facts)}\n`, { mode: 0o600 });
  } catch {
    // A full disk must not keep the gate open or the process alive: the file only helps to explain.
  }
}

runThread<WatchdogThread>(watch);
