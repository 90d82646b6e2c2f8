/**
 * The halt latch: one shared cell that the last gate reads before every write, and that any thread may set. Only
 * `resume`, the act of a person, clears it.
 */
export class HaltLatch {
  readonly shared: SharedArrayBuffer;
  private readonly cell: Int32Array;
  private isForGood = false;

  constructor(shared: SharedArrayBuffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.cell = new Int32Array(shared);
  }

  get isSet(): boolean {
    return Atomics.load(this.cell, 0) === 1;
  }

  set(): void {
    Atomics.store(this.cell, 0, 1);
  }

  /** For a process that ends: nothing clears it any more. */
  setForGood(): void {
    this.isForGood = true;
    this.set();
  }

  clear(): void {
    if (!this.isForGood) Atomics.store(this.cell, 0, 0);
  }
}
