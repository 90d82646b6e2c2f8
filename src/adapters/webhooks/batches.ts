import type { Notified } from '#domain/notification.ts';
import type { Cancel, Timers } from '#ports/timers.ts';

interface BatchesOptions {
  /** Hands over a batch to be kept; its result comes later by `settled`. */
  readonly send: (batch: readonly Notified[]) => void;
  readonly timers: Pick<Timers, 'after' | 'monotonicMs'>;
}

/** Size of a batch: small, so that an order waits for one batch at most. */
const MAX_AT_ONCE = 10;
const EVERY_MS = 10;
/** Maximum number that waits; beyond it the service has to send again (I21). */
const MAX_WAITING = 1_000;

interface Waiting {
  readonly notified: Notified;
  readonly done: (kept: boolean) => void;
}

/** A queue of notifications for the journal: in order, in small batches, one at a time. */
export class Batches {
  private readonly options: BatchesOptions;
  private readonly waiting: Waiting[] = [];
  private underWay: readonly Waiting[] = [];
  private sentMs = Number.NEGATIVE_INFINITY;
  private cancel: Cancel | undefined;
  private closed = false;

  constructor(options: BatchesOptions) {
    this.options = options;
  }

  /** Resolves to true once it is on the disk; false if it was refused or could not be written. */
  keep(notified: Notified): Promise<boolean> {
    if (this.closed || this.waiting.length >= MAX_WAITING) return Promise.resolve(false);
    return new Promise((done) => {
      this.waiting.push({ notified, done });
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

  /** Stops sending; waiting notifications resolve to false. Idempotent. */
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
      this.options.send(this.underWay.map(({ notified }) => notified));
    });
  }
}
