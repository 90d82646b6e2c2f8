import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { journalFacts } from '#adapters/journal/acts.ts';
import type { ControlFiles } from '#adapters/journal/control-files.ts';
import type { Thread } from '#adapters/threads/thread.ts';
import type { LoadHooks } from '#assembly/assemble.ts';
import { LOAD_MS } from '#assembly/load-guard.ts';
import type { Stall } from '#assembly/start-facts.ts';
import { HaltLatch } from '#core/risk/latch.ts';
import type { Latch } from '#domain/latch.ts';
import type { Timers } from '#ports/timers.ts';
import { Heartbeat } from './heartbeat.ts';
import { Watchdog, type WatchdogThread, WHILE_LOADED } from './watchdog.ts';

/**
 * Loads strategy modules under a watchdog of their own, since a module whose code never ends would block every start.
 * The watchdog ends the process. The next start skips the module until a person enables it (F69). Gives its thread back with
 * what was loaded.
 */
export async function underWatch<T>(
  load: (loading: LoadHooks) => Promise<T>,
  of: {
    readonly files: ControlFiles;
    readonly journal: string;
    readonly stall: Stall | undefined;
    readonly ids: readonly string[];
    readonly timers: Timers;
  },
): Promise<{ readonly loaded: T; readonly thread: Thread<WatchdogThread> }> {
  const { files, ids, timers } = of;
  mkdirSync(path.dirname(files.stall), { recursive: true, mode: 0o700 });
  const heartbeat = new Heartbeat(ids);
  const watchdog = new Watchdog({
    files,
    latch: new HaltLatch(),
    heartbeat,
    strategies: ids,
    loadMs: LOAD_MS,
    timers,
    // The daemon's own watchdog, which comes next, sees the file as well.
    onHalt: () => {},
  });
  try {
    const loaded = await load({ skip: leftOut(of.journal, of.stall), enter: (id) => heartbeat.enterStrategy(id) });
    return { loaded, thread: await watchdog.leave() };
  } catch (error) {
    await watchdog.close();
    throw error;
  }
}

/** Strategies whose modules are skipped: one blocked an earlier start, and no person has enabled it since. */
function leftOut(journal: string, stall: Stall | undefined): ReadonlySet<string> {
  const disabled = latchesIn(journal).filter(({ kind, why }) => kind === 'disabled' && why.endsWith(WHILE_LOADED));
  const ids = disabled.flatMap(({ strategy }) => strategy ?? []);
  return new Set(stall?.loading && stall.strategy !== null ? [...ids, stall.strategy] : ids);
}

function latchesIn(journal: string): readonly Latch[] {
  try {
    return journalFacts(journal).latches;
  } catch {
    // Opening it for writing, right after, reports the fault.
    return [];
  }
}
