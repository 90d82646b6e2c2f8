import { createRequire } from 'node:module';
import type { Timers } from '#ports/timers.ts';
import type { World } from './world.ts';

/** Resets the HTTP client's shared clock of time-outs, which would belong to the previous world. */
function forgetTimers(): void {
  const known: unknown = createRequire(import.meta.url)('undici/lib/util/timers.js');
  if (typeof known === 'object' && known !== null && 'reset' in known && typeof known.reset === 'function') known.reset();
  else throw new Error('undici no longer keeps its timers where the simulator replaces them');
}

const RealDate = Date;
/** Whose numbers `Math.random` gives; before it is frozen with all that is JavaScript's own. */
let { random } = Math;
Math.random = () => random();

/**
 * Replaces Node's clocks and timers in this thread for libraries, such as an HTTP client or a cron library. Our own code
 * receives its timers as arguments.
 */
export function simulateGlobals(world: World, timers: Timers): void {
  forgetTimers();
  // Of a frozen object, as Date itself is, a proxy must tell every member as it is.
  function open(): void {}
  const SimulatedDate = new Proxy(open, {
    construct: (_, given, as) => Reflect.construct(RealDate, given.length === 0 ? [timers.wallMs()] : given, as),
    get: (_, name) => (name === 'now' ? () => timers.wallMs() : Reflect.get(RealDate, name)),
  });
  const timer = (run: (...given: unknown[]) => void, delayMs: number, given: unknown[], every: boolean) =>
    new NodeTimer(timers, { run: () => run(...given), delayMs, every });
  const simulated = {
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
  };
  for (const [name, value] of Object.entries(simulated)) Object.defineProperty(globalThis, name, { value, writable: true });
  Object.defineProperty(performance, 'now', { value: () => timers.monotonicMs(), configurable: true });
  random = () => timers.random();
}

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
