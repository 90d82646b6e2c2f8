import { createRequire } from 'node:module';
import type { Timers } from '#ports/timers.ts';
import type { World } from './world.ts';

/** The HTTP client keeps one clock for all of its time-outs, which would go on in the world before this one. */
function forgetTimers(): void {
  const known: unknown = createRequire(import.meta.url)('undici/lib/util/timers.js');
  if (typeof known === 'object' && known !== null && 'reset' in known && typeof known.reset === 'function') known.reset();
  else throw new Error('undici keeps its timers elsewhere by now');
}

/** The real one, under every simulated one. */
const RealDate = Date;

/**
 * Puts simulated time under the libraries of this thread, which know no other clock than Node's: an HTTP client's time-outs, a cron
 * library's wakes, a date that nobody handed over. Our own code gets its timers handed over; code that does not ask for them is found so.
 */
export function simulateGlobals(world: World, timers: Timers): void {
  forgetTimers();
  const SimulatedDate = new Proxy(RealDate, {
    construct: (target, given, as) => Reflect.construct(target, given.length === 0 ? [timers.wallMs()] : given, as),
    get: (target, name) => (name === 'now' ? () => timers.wallMs() : Reflect.get(target, name)),
  });
  const timer = (run: (...given: unknown[]) => void, delayMs: number, given: unknown[], every: boolean) =>
    new NodeTimer(timers, { run: () => run(...given), delayMs, every });
  Object.assign(globalThis, {
    Date: SimulatedDate,
    setTimeout: (run: () => void, delayMs = 0, ...given: unknown[]) => timer(run, delayMs, given, false),
    setInterval: (run: () => void, delayMs = 0, ...given: unknown[]) => timer(run, delayMs, given, true),
    clearTimeout: (one: unknown) => one instanceof NodeTimer && one.close(),
    clearInterval: (one: unknown) => one instanceof NodeTimer && one.close(),
    setImmediate: (run: (...given: unknown[]) => void, ...given: unknown[]) => {
      let live = true;
      world.atEndOfTurn(() => live && run(...given));
      return { unref() {}, ref() {}, hasRef: () => true, cancel: () => (live = false) };
    },
    clearImmediate: (one: unknown) =>
      typeof one === 'object' && one !== null && 'cancel' in one && typeof one.cancel === 'function' && one.cancel(),
  });
  Object.defineProperty(performance, 'now', { value: () => timers.monotonicMs(), configurable: true });
  Math.random = () => timers.random();
}

/** A timer as Node's own callers know it. */
class NodeTimer {
  private readonly timers: Timers;
  private readonly work: { readonly run: () => void; readonly delayMs: number; readonly every: boolean };
  private cancel: () => void = () => {};

  constructor(timers: Timers, work: NodeTimer['work']) {
    this.timers = timers;
    this.work = work;
    this.refresh();
  }

  refresh(): this {
    this.close();
    const { run, delayMs, every } = this.work;
    const wait = Math.max(1, Number.isFinite(delayMs) ? delayMs : 1);
    this.cancel = every ? this.timers.every(wait, run) : this.timers.after(wait, run);
    return this;
  }

  close(): this {
    this.cancel();
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
