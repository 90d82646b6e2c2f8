import type { Notified } from '#domain/notification.ts';
import type { Cancel, Timers } from '#ports/timers.ts';

interface BatchesOptions {
  /** Hands a batch to whoever keeps it, who says later by `settled` what became of it. */
  readonly send: (batch: readonly Notified[]) => void;
  readonly timers: Pick<Timers, 'after' | 'monotonicMs'>;
}

/** Small, and with a pause between them: an order that is due meanwhile waits for one of them at most. */
const MAX_AT_ONCE = 10;
const EVERY_MS = 10;
/** More that wait are not taken: the service comes again (I21). */
const MAX_WAITING = 1_000;

interface Waiting {
  readonly notified: Notified;
  readonly done: (kept: boolean) => void;
}

/** Notifications on their way to the journal: in order, a few at a time, one batch after the other. */
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

  /** True once it is on the disk; false where it was not taken or could not be put there. */
  keep(notified: Notified): Promise<boolean> {
    if (this.closed || this.waiting.length >= MAX_WAITING) return Promise.resolve(false);
    return new Promise((done) => {
      this.waiting.push({ notified, done });
      this.ask();
    });
  }

  /** What became of the batch that is under way. */
  settled(kept: boolean): void {
    const over = this.underWay;
    this.underWay = [];
    for (const { done } of over) done(kept);
    this.ask();
  }

  /** Nothing more is sent; what waits is not kept as far as is known. Idempotent. */
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
