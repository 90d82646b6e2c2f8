/** Whether the process is to end, in shared memory: its watchdog cuts an end that hangs. */
export class Ending {
  readonly shared: SharedArrayBuffer;
  private readonly cell: Int32Array;

  constructor(shared: SharedArrayBuffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.cell = new Int32Array(shared);
  }

  /** The process is to be gone soon. */
  begin(): void {
    Atomics.store(this.cell, 0, 1);
  }

  get hasBegun(): boolean {
    return Atomics.load(this.cell, 0) === 1;
  }
}
