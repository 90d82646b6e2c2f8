import { rmSync } from 'node:fs';
import type { ControlFiles, HaltNote } from '#adapters/journal/control-files.ts';
import { isMissing, readSmall } from '#adapters/journal/files.ts';
import { Thread } from '#adapters/threads/thread.ts';
import type { Stall } from '#assembly/start-facts.ts';
import type { HaltLatch } from '#core/risk/latch.ts';
import { durationText } from '#domain/duration-text.ts';
import { messageOf } from '#domain/errors.ts';
import type { Notice } from '#ports/notice.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import { Ending } from './ending.ts';
import type { Heartbeat } from './heartbeat.ts';

/** Shared cells and names, and nothing of the configuration. */
export interface WatchdogData {
  readonly files: ControlFiles;
  readonly latch: SharedArrayBuffer;
  readonly heartbeat: SharedArrayBuffer;
  readonly ending: SharedArrayBuffer;
  readonly strategies: readonly string[];
  /** Time limit of loading a module, in milliseconds; null once strategies run. */
  readonly loadMs: number | null;
}

/** The watchdog's thread reports which file made it shut the last gate. */
export interface WatchdogThread {
  readonly data: WatchdogData;
  /** What it watches from now on in place of what it did; null for nothing. */
  readonly toThread: WatchdogData | null;
  /** A file that halts; and once, that it has looked for the files that were there before it. */
  readonly fromThread: { readonly note: HaltNote } | { readonly looked: true };
}

interface WatchdogOptions {
  readonly files: ControlFiles;
  readonly latch: HaltLatch;
  readonly heartbeat: Heartbeat;
  /** Absent where the process does not end with the run. */
  readonly ending?: Ending | undefined;
  readonly strategies: readonly string[];
  /** Time limit of loading a module, in milliseconds, while modules are loaded. */
  readonly loadMs?: number;
  readonly timers: Timers;
  /** Called in the loop's next turn after a file has shut the last gate. */
  readonly onHalt: (note: HaltNote) => void;
  /** One that watches nothing now: a new one takes a twentieth of what a start does. */
  readonly thread?: Thread<WatchdogThread> | undefined;
}

/** How often the loop reports that it turns, in milliseconds. */
const TICK_MS = 250;

/**
 * The watchdog: a thread that shuts the last gate within milliseconds of a halt by file and ends the process if the main
 * thread is blocked or its end hangs, all without the main thread's help (I08, I34). An error that ends the thread is thrown here,
 * uncaught.
 */
export class Watchdog {
  /** Resolves once the files that were there at the start are told: a resumption that comes later ends their halt for good. */
  readonly hasLooked: Promise<void>;
  private readonly thread: Thread<WatchdogThread>;
  private readonly stopTicking: Cancel;
  private hasLeft = false;

  constructor(options: WatchdogOptions) {
    const { files, latch, heartbeat, ending = new Ending(), strategies, loadMs, timers, onHalt, thread } = options;
    const data = { files, latch: latch.shared, heartbeat: heartbeat.shared, ending: ending.shared, strategies, loadMs: loadMs ?? null };
    this.thread = thread ?? new Thread({ entry: new URL('./watchdog-thread-entry.ts', import.meta.url), name: 'watchdog', data });
    thread?.post(data);
    this.thread.unref();
    const looked = Promise.withResolvers<void>();
    this.hasLooked = looked.promise;
    this.thread.onMessage((message) => {
      if ('looked' in message) looked.resolve();
      else if (!this.hasLeft) onHalt(message.note);
    });
    this.stopTicking = timers.every(TICK_MS, () => heartbeat.tick());
  }

  /** Watches no more. The next watchdog may have the thread, which its taker ends. */
  async leave(): Promise<Thread<WatchdogThread>> {
    await this.hasLooked;
    this.stopTicking();
    this.hasLeft = true;
    this.thread.post(null);
    return this.thread;
  }

  /** Ends the thread. Idempotent. */
  async close(): Promise<void> {
    this.stopTicking();
    await this.thread.stop();
  }
}

/** The end of `why` if a module was being loaded, which is skipped until a person enables its strategy. */
export const WHILE_LOADED = 'while its module was loaded';

/** The stall that a watchdog recorded for the next start, or undefined. */
export function readStall(file: string): Stall | undefined {
  let text: string;
  try {
    text = readSmall(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    return { strategy: null, loading: false, why: `the watchdog ended the previous process; ${file} cannot be read: ${messageOf(error)}` };
  }
  const { strategy, stillMs, loading, inside } = factsIn(text);
  if (inside === 'end') return { strategy, loading, why: 'the watchdog ended the process, since its end hung' };
  const time = stillMs === null ? 'a standstill' : `${durationText(stillMs)} of standstill`;
  const where = strategy === null ? 'outside any strategy' : loading ? WHILE_LOADED : 'in its code';
  return { strategy, loading, why: `the watchdog ended the process after ${time} ${where}` };
}

/** Tells the recorded stall, where no strategy is disabled for it, and removes it: the journal has it. */
export function tellStall({ stall, files }: { readonly stall: Stall | undefined; readonly files: ControlFiles }, notice: Notice): void {
  if (stall && stall.strategy === null) notice('error', stall.why);
  rmSync(files.stall, { force: true });
}

function factsIn(text: string): {
  readonly strategy: string | null;
  readonly stillMs: number | null;
  readonly loading: boolean;
  readonly inside: unknown;
} {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    // Cut off by a full disk: the existence of the file is enough.
    found = {};
  }
  const facts = typeof found === 'object' && found !== null ? found : {};
  return {
    strategy: 'strategy' in facts && typeof facts.strategy === 'string' ? facts.strategy : null,
    loading: 'loading' in facts && facts.loading === true,
    inside: 'in' in facts ? facts.in : null,
    stillMs: 'stillMs' in facts && typeof facts.stillMs === 'number' ? facts.stillMs : null,
  };
}
