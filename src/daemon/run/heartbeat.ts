const TURN = 0;
const INSIDE = 1;
const OTHER = 0;
const COMMIT = 1;
const FIRST_STRATEGY = 2;

/** What the main thread is doing, for the watchdog. */
export type Inside = { readonly in: 'strategy'; readonly strategy: string } | { readonly in: 'commit' } | { readonly in: 'other' };

/**
 * The main thread's state in shared memory for the watchdog: what it is doing, and a counter of changes and turns of the
 * loop. Publishing takes two stores.
 */
export class Heartbeat {
  readonly shared: SharedArrayBuffer;
  private readonly cells: Int32Array;
  private readonly places: ReadonlyMap<string, number>;
  private readonly strategies: readonly string[];

  constructor(strategies: readonly string[], shared = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.cells = new Int32Array(shared);
    this.strategies = strategies;
    this.places = new Map(strategies.map((id, index) => [id, FIRST_STRATEGY + index]));
  }

  /** Counts a turn of the loop. */
  tick(): void {
    Atomics.add(this.cells, TURN, 1);
  }

  /** Sets the strategy whose code runs from now on; null for none. */
  enterStrategy(id: string | null): void {
    this.enter(id === null ? OTHER : (this.places.get(id) ?? OTHER));
  }

  /** Runs a commit, and publishes it as one. */
  duringCommit<T>(commit: () => T): T {
    const before = Atomics.load(this.cells, INSIDE);
    this.enter(COMMIT);
    try {
      return commit();
    } finally {
      this.enter(before);
    }
  }

  /** For the watchdog: a counter that stops while the main thread is blocked. */
  get turn(): number {
    return Atomics.load(this.cells, TURN);
  }

  get inside(): Inside {
    const place = Atomics.load(this.cells, INSIDE);
    const strategy = this.strategies[place - FIRST_STRATEGY];
    if (strategy !== undefined) return { in: 'strategy', strategy };
    return { in: place === COMMIT ? 'commit' : 'other' };
  }

  private enter(place: number): void {
    Atomics.store(this.cells, INSIDE, place);
    Atomics.add(this.cells, TURN, 1);
  }
}
