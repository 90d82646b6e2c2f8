const TURN = 0;
const INSIDE = 1;
const OTHER = 0;
const COMMIT = 1;
const FIRST_STRATEGY = 2;

/** What the main thread is in, as the watchdog reads it. */
export type Inside = { readonly in: 'strategy'; readonly strategy: string } | { readonly in: 'commit' } | { readonly in: 'other' };

/**
 * What the main thread publishes in shared memory for the watchdog: what it is in, and a count that moves with every change
 * and every turn of the loop. Publishing costs two stores.
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

  /** The loop has come round. */
  tick(): void {
    Atomics.add(this.cells, TURN, 1);
  }

  /** From now on the code of this strategy runs, or none's. */
  enterStrategy(id: string | null): void {
    this.enter(id === null ? OTHER : (this.places.get(id) ?? OTHER));
  }

  /** Runs a commit, and publishes that it is one. */
  duringCommit<T>(commit: () => T): T {
    const before = Atomics.load(this.cells, INSIDE);
    this.enter(COMMIT);
    try {
      return commit();
    } finally {
      this.enter(before);
    }
  }

  /** For the watchdog: a count that stands still while the main thread does. */
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
