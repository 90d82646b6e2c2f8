import { type HeapTimer, TimerHeap } from '#domain/heap.ts';
import type { Cancel } from '#ports/timers.ts';

/** Number of tasks in one instant beyond which the world is in a loop. */
const MAX_AT_AN_INSTANT = 50_000;
const MOVES_MS = 0.001;

interface Work extends HeapTimer {
  readonly run: () => void;
}

/** The real `setImmediate`. Between two of its callbacks all ready promises run, also within one turn of the real loop. */
const { setImmediate: endOfTurn } = globalThis;
/** Number of turns that are asked for at once: a turn of the real loop for each would cost as much as what happens in it. */
const TURNS_AT_ONCE = 64;
let turnsAhead = 0;
let goOn: (() => void) | null = null;

function turn(): void {
  turnsAhead -= 1;
  const run = goOn;
  goOn = null;
  run?.();
}

/** Resolves once all ready promises have run. One waits at a time. */
function turnOver(): Promise<void> {
  return new Promise((resolve) => {
    goOn = resolve;
    if (turnsAhead > 0) return;
    turnsAhead = TURNS_AT_ONCE;
    for (let left = TURNS_AT_ONCE; left > 0; left--) endOfTurn(turn);
  });
}

/** A list of due tasks: the world's own, or that of a machine in it. */
export interface Agenda {
  /** When its next task is due, in world time; undefined for none. */
  readonly nextDue: number | undefined;
  /** Runs that task. */
  runNext(): void;
}

/**
 * Simulated time in one thread. Tasks are due at instants and run one after the other. Between two tasks all ready
 * promises run, and nothing waits for real time. One seed gives one history.
 */
export class World {
  /** Unix milliseconds at which it begins. */
  readonly startsAt: number;
  /** Milliseconds since the world began. */
  now = 0;
  /** Called after each task that may have changed something, once all promises have settled; invariants are checked here. */
  onStep: () => void = () => {};
  /** Called with errors of tasks and unhandled rejections. */
  onThrow: (error: unknown) => void = (error) => {
    throw error;
  };
  private readonly heap = new TimerHeap<Work>();
  private readonly agendas: Agenda[] = [];
  private readonly soon: (() => void)[] = [];
  private created = 0;

  constructor(startsAt: number) {
    this.startsAt = startsAt;
  }
  private stirred = false;
  private held = 0;
  private atThisInstant = 0;

  /** Adds another list of tasks. */
  add(agenda: Agenda): void {
    this.agendas.push(agenda);
  }

  at(due: number, run: () => void): Cancel {
    this.created += 1;
    const work = { due: Math.max(due, this.now), order: this.created, live: true, run };
    this.heap.push(work);
    return () => this.heap.cancel(work);
  }

  after(delayMs: number, run: () => void): Cancel {
    return this.at(this.now + delayMs, run);
  }

  /** Runs at the end of the present task, after network input: `setImmediate` of this world. */
  atEndOfTurn(run: () => void): void {
    this.soon.push(run);
  }

  /** Lets promises run before the next task. */
  stir(): void {
    this.stirred = true;
  }

  /** Stops world time until a promise settles: real work outside the thread, such as a file copy, takes no world time. */
  async hold<Result>(work: Promise<Result>): Promise<Result> {
    this.held += 1;
    try {
      return await work;
    } finally {
      this.held -= 1;
    }
  }

  /** Runs up to `until`, or until `over` returns true. */
  async run(until: number, over: () => boolean = () => false): Promise<void> {
    this.stirred = true;
    await this.settle();
    while (!over()) {
      const agenda = this.earliest();
      const due = agenda?.nextDue ?? Number.POSITIVE_INFINITY;
      if (due > until || agenda === undefined) break;
      this.moveTo(due);
      this.runOne(agenda);
      // A tick that only measures lag changes nothing that could be checked.
      if (this.isSettled) continue;
      await this.settle();
      this.guarded(this.onStep);
    }
    if (!over()) this.now = Math.max(this.now, until);
  }

  /** The next task on the world's own clock. */
  get nextDue(): number | undefined {
    return this.heap.peek()?.due;
  }

  runNext(): void {
    const work = this.heap.pop();
    if (!work) return;
    work.live = false;
    this.stirred = true;
    work.run();
  }

  /** Moves time; throws if it does not advance. */
  private moveTo(due: number): void {
    this.atThisInstant = due > this.now + MOVES_MS ? 0 : this.atThisInstant + 1;
    if (this.atThisInstant > MAX_AT_AN_INSTANT)
      throw new Error(`time stands still at ${this.now} ms: ${MAX_AT_AN_INSTANT} tasks in a row are due at once`);
    this.now = Math.max(this.now, due);
  }

  private earliest(): Agenda | undefined {
    let due = this.nextDue ?? Number.POSITIVE_INFINITY;
    let first: Agenda | undefined = due === Number.POSITIVE_INFINITY ? undefined : this;
    for (const agenda of this.agendas) {
      const next = agenda.nextDue ?? Number.POSITIVE_INFINITY;
      if (next >= due) continue;
      due = next;
      first = agenda;
    }
    return first;
  }

  private runOne(agenda: Agenda): void {
    try {
      agenda.runNext();
    } catch (error) {
      this.onThrow(error);
    }
  }

  private get isSettled(): boolean {
    return !this.stirred && this.soon.length === 0 && this.held === 0;
  }

  private async settle(): Promise<void> {
    while (!this.isSettled) {
      for (const run of this.soon.splice(0)) {
        this.stirred = true;
        this.guarded(run);
      }
      if (!this.stirred && this.held === 0) return;
      this.stirred = false;
      await turnOver();
    }
  }

  private guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.onThrow(error);
    }
  }
}
