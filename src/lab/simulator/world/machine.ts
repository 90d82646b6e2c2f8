import { type HeapTimer, TimerHeap } from '#domain/heap.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import type { Draws } from './draws.ts';
import type { Agenda, World } from './world.ts';

/** Wall time at the start of simulated machines. */
/** Interval up to which a repeated timer only measures lag, in milliseconds. */
const MEASURING_MS = 20;

/** Minimum delay, as in Node, in milliseconds. */
const MIN_DELAY_MS = 1;

interface MachineTimer extends HeapTimer {
  due: number;
  order: number;
  readonly run: () => void;
  readonly waiting: Waiting;
  readonly periodMs: number | null;
}

/** Number of pending timers of a process. */
interface Waiting {
  readonly owner: Power;
  count: number;
}

/** A process on the machine. After its end nothing of it runs. */
export interface Power {
  isOver: boolean;
}

/**
 * The simulated computer: monotonic time, which stops while it is suspended, a wall clock that can be set, one processor
 * that can be busy, and timers that fire late because of these.
 */
export class SimulatedMachine implements Agenda {
  private readonly world: World;
  private readonly turnMs: number;
  private readonly heap = new TimerHeap<MachineTimer>();
  /** World time up to which the processor is busy. */
  private busyUntil = 0;
  private suspendedMs = 0;
  private resumesAt = 0;
  private wallAheadMs = 0;
  private created = 0;
  private readonly waitingOf = new WeakMap<Power, Waiting>();
  /** Input that came while nothing could run. */
  private readonly waiting: (() => void)[] = [];

  /** `turnMs`: input is read together, once in so many milliseconds; 0: as it comes. */
  constructor(world: World, turnMs = 0) {
    this.world = world;
    this.turnMs = turnMs;
    world.add(this);
  }

  /** World time for the running code: ahead of the world's own while it keeps the processor busy. */
  get felt(): number {
    return Math.max(this.world.now, this.busyUntil);
  }

  monotonicMs(): number {
    return 1_000_000 + this.felt - this.suspendedMs;
  }

  wallMs(): number {
    return Math.floor(this.world.startsAt + this.felt + this.wallAheadMs);
  }

  /** True while nothing can run on it. */
  get isHeldUp(): boolean {
    return this.world.now < this.freeAt;
  }

  private get freeAt(): number {
    return Math.max(this.busyUntil, this.resumesAt);
  }

  /** Keeps the processor busy for a time, which passes at once for the running code. */
  burn(ms: number): void {
    this.busyUntil = this.felt + ms;
  }

  /** Suspends the machine for a time; monotonic time stops. While it is suspended, only what is longer counts. */
  suspend(ms: number): void {
    const { now } = this.world;
    const resumesAt = Math.max(this.resumesAt, now + ms);
    this.suspendedMs += resumesAt - Math.max(this.resumesAt, now);
    this.resumesAt = resumesAt;
  }

  /** Sets the wall clock. */
  setWall(byMs: number): void {
    this.wallAheadMs += byMs;
  }

  /** Takes input at once, or as soon as the machine can. */
  receive(run: () => void): void {
    if (!this.isHeldUp && this.turnMs === 0) {
      run();
      return;
    }
    this.waiting.push(run);
    if (this.waiting.length === 1) this.takeLater();
  }

  /** Takes the delayed input in one read. */
  private takeLater(): void {
    const turn = this.turnMs === 0 ? this.freeAt : Math.ceil(this.world.now / this.turnMs) * this.turnMs;
    this.world.at(Math.max(this.freeAt, turn), () => {
      if (this.isHeldUp) this.takeLater();
      else for (const run of this.waiting.splice(0)) run();
    });
  }

  /** Clocks, timers and randomness of a process. */
  timersOf(owner: Power, draws: Draws): Timers {
    const waiting = this.waitingOf.get(owner) ?? { owner, count: 0 };
    this.waitingOf.set(owner, waiting);
    return {
      wallMs: () => this.wallMs(),
      monotonicMs: () => this.monotonicMs(),
      after: (delayMs, run) => {
        const timer = this.set(Math.max(MIN_DELAY_MS, delayMs), { run, waiting, periodMs: null });
        return () => this.cancel(timer);
      },
      every: (periodMs, run) => this.every(periodMs, run, waiting),
      random: () => draws.next(),
      uuid: () => draws.uuid(),
    };
  }

  /** Number of pending timers of a process. */
  timersLeft(owner: Power): number {
    return this.waitingOf.get(owner)?.count ?? 0;
  }

  get nextDue(): number | undefined {
    const timer = this.heap.peek();
    return timer && Math.max(timer.due - 1_000_000 + this.suspendedMs, this.freeAt);
  }

  runNext(): void {
    const timer = this.heap.pop();
    if (!timer) return;
    timer.live = false;
    timer.waiting.count -= 1;
    if (timer.waiting.owner.isOver) return;
    if (timer.periodMs !== MEASURING_MS) this.world.stir();
    timer.run();
  }

  private every(periodMs: number, run: () => void, waiting: Waiting): Cancel {
    const runAgain = (): void => {
      timer.live = true;
      this.wait(timer, periodMs);
      run();
    };
    const timer = this.set(periodMs, { run: runAgain, waiting, periodMs });
    return () => this.cancel(timer);
  }

  private set(delayMs: number, { run, waiting, periodMs }: Pick<MachineTimer, 'run' | 'waiting' | 'periodMs'>): MachineTimer {
    const timer = { due: 0, order: 0, live: true, run, waiting, periodMs };
    this.wait(timer, delayMs);
    return timer;
  }

  private wait(timer: MachineTimer, delayMs: number): void {
    this.created += 1;
    timer.waiting.count += 1;
    timer.due = this.monotonicMs() + delayMs;
    timer.order = this.created;
    this.heap.push(timer);
  }

  private cancel(timer: MachineTimer): void {
    if (timer.live) timer.waiting.count -= 1;
    this.heap.cancel(timer);
  }
}
