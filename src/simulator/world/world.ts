import { type HeapTimer, TimerHeap } from '#domain/timer-heap.ts';
import type { Cancel } from '#ports/timers.ts';

/** More works than that within so short a time are a circle. */
const MAX_AT_AN_INSTANT = 50_000;
const MOVES_MS = 0.001;

interface Work extends HeapTimer {
  readonly run: () => void;
}

/** The real end of a turn of the loop: by then every promise that could go on has gone on. */
const { setImmediate: endOfTurn } = globalThis;
const turnOver = (): Promise<void> => new Promise((resolve) => void endOfTurn(resolve));

/** One of two clocks by which something is due: the world's own, and that of a machine in it. */
export interface Agenda {
  /** When its next work is due, in world time; undefined for none. */
  readonly nextDue: number | undefined;
  /** Does that work. */
  runNext(): void;
}

/**
 * Simulated time in one thread. Works are due at instants and are done one after the other; between two of them all promises go on
 * as far as they can, and nothing waits for anything real. So one seed is one history.
 */
export class World {
  /** Milliseconds since the world began. */
  now = 0;
  /** Told after each work, once all has settled: where invariants are looked at. */
  onStep: () => void = () => {};
  /** Told what a work threw, and what no promise caught. */
  onThrow: (error: unknown) => void = (error) => {
    throw error;
  };
  private readonly heap = new TimerHeap<Work>();
  private readonly agendas: Agenda[] = [];
  private readonly soon: (() => void)[] = [];
  private created = 0;
  private stirred = false;
  private held = 0;
  private atThisInstant = 0;

  /** Works of another clock are done among the world's own. */
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

  /** Runs at the end of the present work, after the network was read: `setImmediate` of this world. */
  atEndOfTurn(run: () => void): void {
    this.soon.push(run);
  }

  /** Something may have been promised: promises go on before the next work. */
  stir(): void {
    this.stirred = true;
  }

  /** Time stands until this is done: real work beside the thread, such as a copy of a file, takes no time of the world. */
  async hold<Result>(work: Promise<Result>): Promise<Result> {
    this.held += 1;
    try {
      return await work;
    } finally {
      this.held -= 1;
    }
  }

  /** Lets time go by up to `until`, or until `over` says that it is enough. */
  async run(until: number, over: () => boolean = () => false): Promise<void> {
    this.stirred = true;
    await this.settle();
    while (!over()) {
      const agenda = this.earliest();
      const due = agenda?.nextDue ?? Number.POSITIVE_INFINITY;
      if (due > until || agenda === undefined) break;
      this.moveTo(due);
      this.guarded(() => agenda.runNext());
      await this.settle();
      this.guarded(this.onStep);
    }
    if (!over()) this.now = Math.max(this.now, until);
  }

  /** Works that are due on the world's own clock. */
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

  /** Time moves; a world in which it does not is stuck in a circle. */
  private moveTo(due: number): void {
    this.atThisInstant = due > this.now + MOVES_MS ? 0 : this.atThisInstant + 1;
    if (this.atThisInstant > MAX_AT_AN_INSTANT)
      throw new Error(`time stands still at ${this.now} ms: ${MAX_AT_AN_INSTANT} works in a row are due at once`);
    this.now = Math.max(this.now, due);
  }

  private earliest(): Agenda | undefined {
    let first: Agenda | undefined = this.nextDue === undefined ? undefined : this;
    for (const agenda of this.agendas) {
      if (agenda.nextDue !== undefined && agenda.nextDue < (first?.nextDue ?? Number.POSITIVE_INFINITY)) first = agenda;
    }
    return first;
  }

  private async settle(): Promise<void> {
    while (this.soon.length > 0 || this.stirred || this.held > 0) {
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
