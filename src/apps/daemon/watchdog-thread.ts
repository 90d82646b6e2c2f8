import { statSync, writeFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { readHalt } from '#adapters/journal/control-files.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { HaltLatch } from '#core/risk/latch.ts';
import { isoTime } from '#domain/names.ts';
import { Heartbeat } from './heartbeat.ts';
import { StallClock } from './stall-clock.ts';
import type { WatchdogMessage, WatchdogOrders } from './watchdog.ts';

/**
 * The watchdog's own thread: its loop turns whatever the main one does. It shuts the last gate when the file of a halt
 * appears, and ends the process when the main thread stands still.
 */
const LOOK_MS = 10;

const { files, latch: shared, heartbeat: beats, strategies, loadMs }: WatchdogOrders = workerData;
const latch = new HaltLatch(shared);
const heartbeat = new Heartbeat(strategies, beats);
const stall = new StallClock(loadMs ?? undefined);
let seen: string | undefined;
let lookedAt = systemTimers.monotonicMs();

systemTimers.every(LOOK_MS, () => {
  lookForHalt();
  const now = systemTimers.monotonicMs();
  const still = stall.inspect({ turn: heartbeat.turn, inside: heartbeat.inside, gapMs: now - lookedAt });
  lookedAt = now;
  if (still !== undefined) end(still);
});

/** A file that was not there at the last look halts, whatever is in it. */
function lookForHalt(): void {
  const identity = identityOf(files.halt);
  if (identity === seen) return;
  seen = identity;
  if (identity === undefined) return;
  latch.set();
  const note = readHalt(files.halt) ?? { who: 'file', why: `${files.halt} was there` };
  const message: WatchdogMessage = { kind: 'halt', note };
  parentPort?.postMessage(message);
  keep(files.halted, note);
}

function identityOf(file: string): string | undefined {
  try {
    const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
    return stat && `${stat.ino} ${stat.mtimeNs}`;
  } catch {
    // A folder that cannot be looked into now has no news; the signal and the control API are there as well.
    return seen;
  }
}

/** Ends the process for the main thread, which cannot, and leaves word for the next start. */
function end({ inside, stillMs }: NonNullable<ReturnType<StallClock['inspect']>>): void {
  keep(files.stall, { ...inside, loading: loadMs !== null, stillMs: Math.round(stillMs), at: isoTime(systemTimers.wallMs()) });
  process.kill(process.pid, 'SIGKILL');
}

function keep(file: string, facts: object): void {
  try {
    writeFileSync(file, `${JSON.stringify(facts)}\n`, { mode: 0o600 });
  } catch {
    // A full disk must not keep the gate open or the process alive: the file only helps to explain.
  }
}
