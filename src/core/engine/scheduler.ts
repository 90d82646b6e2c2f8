import { type SchedulerAction, type SchedulerLike, Subscription } from 'rxjs';
import { invariant } from '#domain/errors.ts';
import { type HeapTimer, TimerHeap } from '#domain/heap.ts';
import type { Millis } from '#domain/names.ts';

interface SchedulerOptions {
  /** Engine time to begin with; the first `runDue` moves it. */
  readonly start?: Millis;
  /**
   * Called with what a timer threw. That timer ends, all others go on. Without it, or when it throws itself, `runDue` throws
   * and the timers that are left wait for its next call.
   */
  readonly onThrow?: (error: unknown) => void;
  /** Called when the earliest due time becomes another one, so that the clock can be asked for a wake. */
  readonly onNextDueChanged?: (due: Millis | undefined) => void;
}

interface EngineTimer extends HeapTimer {
  readonly fire: () => void;
}

/**
 * The engine's own rxjs scheduler. Time stands still until `runDue` moves it: timers due at or before T fire before the
 * event at T, by due time and then by creation, each seeing its own due time as `now()`. A throw ends its own timer only.
 *
 * Delays are whole milliseconds, rounded up. While timers fire a delay is at least 1 ms, as with the system's timers, so
 * that `interval(0)` cannot hold one instant for ever. An infinite delay never fires.
 */
export class EngineScheduler implements SchedulerLike {
  private readonly heap = new TimerHeap<EngineTimer>();
  private readonly options: SchedulerOptions;
  /** Engine time, as `now` says it. */
  time: Millis;
  private created = 0;
  private running = false;
  private announced: Millis | undefined = undefined;
  /** No timer is due before. */
  private due: Millis = Number.POSITIVE_INFINITY;
  /** The time to which `goBack` returns. */
  private present: Millis | undefined = undefined;

  constructor(options: SchedulerOptions = {}) {
    this.options = options;
    this.time = options.start ?? 0;
  }

  now(): Millis {
    return this.time;
  }

  /** Number of timers that have not fired. */
  get pending(): number {
    return this.heap.size;
  }

  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T): Subscription {
    return new EngineAction<T>(this, work).schedule(state, delay);
  }

  /** Due time of the earliest timer, or undefined when none waits. */
  nextDue(): Millis | undefined {
    return this.heap.peek()?.due;
  }

  /**
   * Fires every timer due at or before the time asked for, also those that these set, then leaves the time there. Time never
   * goes back: an earlier one counts as now. Not to be called by a timer.
   */
  runDue(asked: Millis): void {
    if (this.running) invariant(false, 'runDue was called by a timer');
    const upTo = this.present === undefined ? asked : Math.min(asked, this.present - 1);
    if (this.due > upTo) {
      if (upTo > this.time) this.time = upTo;
      return;
    }
    this.running = true;
    try {
      for (let next = this.heap.peek(); next && next.due <= upTo; next = this.heap.peek()) {
        this.heap.pop();
        next.live = false;
        this.time = Math.max(this.time, next.due);
        this.fire(next);
      }
    } finally {
      this.running = false;
      this.due = this.nextDue() ?? Number.POSITIVE_INFINITY;
      this.time = Math.max(this.time, upTo);
      this.announce();
    }
  }

  /**
   * Takes time back to `from` while `past` runs, which moves it on with `runDue`, to just before the present at most; then it is
   * the present again. Timers that waited before are due now or later, so they stay; those that `past` has set and that have not
   * fired wait among them. Not to be called by a timer.
   */
  goBack(from: Millis, past: () => void): void {
    invariant(!this.running && this.present === undefined, 'goBack was called by a timer, or in the past');
    const present = this.time;
    this.present = present;
    this.time = Math.min(from, present);
    try {
      past();
    } finally {
      this.time = present;
      this.present = undefined;
      this.announce();
    }
  }

  /** For actions only: sets a timer. */
  set(fire: () => void, delay: number): EngineTimer | undefined {
    if (delay === Number.POSITIVE_INFINITY) return undefined;
    const least = this.running ? 1 : 0;
    const wait = delay > least ? Math.ceil(delay) : least;
    this.created += 1;
    const timer = { due: this.time + wait, order: this.created, live: true, fire };
    this.heap.push(timer);
    if (timer.due < this.due) this.due = timer.due;
    this.announce();
    return timer;
  }

  /** For actions only: takes a timer back. */
  clear(timer: EngineTimer): void {
    this.heap.cancel(timer);
    this.announce();
  }

  private fire(timer: EngineTimer): void {
    const { onThrow } = this.options;
    try {
      timer.fire();
    } catch (error) {
      if (!onThrow) throw error;
      onThrow(error);
    }
  }

  private announce(): void {
    if (this.running || this.present !== undefined || !this.options.onNextDueChanged) return;
    const due = this.nextDue();
    if (due === this.announced) return;
    this.announced = due;
    this.options.onNextDueChanged(due);
  }
}

/** One piece of scheduled work, which may schedule itself again: at most one timer of it waits at a time. */
class EngineAction<T> extends Subscription implements SchedulerAction<T> {
  private readonly scheduler: EngineScheduler;
  private readonly work: (this: SchedulerAction<T>, state?: T) => void;
  private timer: EngineTimer | undefined;
  private state: T | undefined;

  constructor(scheduler: EngineScheduler, work: (this: SchedulerAction<T>, state?: T) => void) {
    super();
    this.scheduler = scheduler;
    this.work = work;
  }

  schedule(state?: T, delay = 0): Subscription {
    if (this.closed) return this;
    this.state = state;
    this.withdraw();
    this.timer = this.scheduler.set(this.fire, delay);
    return this;
  }

  override unsubscribe(): void {
    if (this.closed) return;
    this.withdraw();
    super.unsubscribe();
  }

  private readonly fire = (): void => {
    this.timer = undefined;
    let done = false;
    try {
      this.work.call(this, this.state);
      done = true;
    } finally {
      if (!done) this.unsubscribe();
    }
  };

  private withdraw(): void {
    if (!this.timer) return;
    this.scheduler.clear(this.timer);
    this.timer = undefined;
  }
}
