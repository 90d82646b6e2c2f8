import type { Cancel, Timers } from '#ports/timers.ts';

interface BatchesOptions<Item> {
  /** Hands over a batch to be kept; its result comes later by `settled`. */
  readonly send: (batch: readonly Item[]) => void;
  readonly timers: Pick<Timers, 'after' | 'monotonicMs'>;
}

/** Size of a batch: small, so that an order waits for one batch at most. */
const MAX_AT_ONCE = 10;
const EVERY_MS = 10;
/** Maximum number that waits; beyond it the service has to send again (I21). */
const MAX_WAITING = 1_000;

interface Waiting<Item> {
  readonly item: Item;
  readonly done: (kept: boolean) => void;
}

/** A queue for the journal: in order, in small batches, one at a time. */
export class Batches<Item> {
  private readonly options: BatchesOptions<Item>;
  private readonly waiting: Waiting<Item>[] = [];
  private underWay: readonly Waiting<Item>[] = [];
  private sentMs = Number.NEGATIVE_INFINITY;
  private cancel: Cancel | undefined;
  private closed = false;

  constructor(options: BatchesOptions<Item>) {
    this.options = options;
  }

  /** Resolves to true once it is on the disk; false if it was refused or could not be written. */
  keep(item: Item): Promise<boolean> {
    if (this.closed || this.waiting.length >= MAX_WAITING) return Promise.resolve(false);
    return new Promise((done) => {
      this.waiting.push({ item, done });
      this.ask();
    });
  }

  /** Reports the result of the present batch. */
  settled(kept: boolean): void {
    const over = this.underWay;
    this.underWay = [];
    for (const { done } of over) done(kept);
    this.ask();
  }

  /** Stops sending; what waits resolves to false. Idempotent. */
  close(): void {
    this.closed = true;
    this.cancel?.();
    for (const { done } of [...this.underWay, ...this.waiting.splice(0)]) done(false);
    this.underWay = [];
  }

  private ask(): void {
    if (this.closed || this.cancel || this.underWay.length > 0 || this.waiting.length === 0) return;
    const { timers } = this.options;
    this.cancel = timers.after(Math.max(0, this.sentMs + EVERY_MS - timers.monotonicMs()), () => {
      this.cancel = undefined;
      this.sentMs = timers.monotonicMs();
      this.underWay = this.waiting.splice(0, MAX_AT_ONCE);
      this.options.send(this.underWay.map(({ item }) => item));
    });
  }
}
