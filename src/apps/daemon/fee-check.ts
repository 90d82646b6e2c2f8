import type { FeesTaken } from '#apps/operations/fees-thread.ts';
import type { BookedEntry } from '#domain/decision.ts';
import { messageOf } from '#domain/errors.ts';
import type { Notice } from '#ports/notice.ts';
import type { Cancel, Timers } from '#ports/timers.ts';

/** An order that was executed is in the journal, and in the service's balances, after so long. */
const SETTLED_MS = 1500;

interface FeeCheckOptions {
  /** What the account holds, by currency, as the service says. */
  readonly balances: () => Promise<ReadonlyMap<string, string>>;
  /** What stands in the books: while it changes, or an order is open, nothing is known. */
  readonly books: () => BooksNow;
  /** Holds the journal against the balances, beside the daemon's loop. */
  readonly compare: (balances: ReadonlyMap<string, string>, signal: AbortSignal) => Promise<FeesTaken>;
  /** Takes a correction into the inbox, so that it is recorded and journaled. */
  readonly book: (entries: readonly BookedEntry[], why: string) => void;
  readonly timers: Pick<Timers, 'after'>;
  readonly notice: Notice;
}

/** As the engine has them in memory. */
export interface BooksNow {
  readonly hasOpen: boolean;
  /** Counts fills and changes of orders. */
  readonly changes: number;
}

/**
 * Where the service tells balances and its answers tell no fee: after an order the books are held against the account while nothing
 * is on its way, and what fees took in another currency than booked is booked as a correction. Books that agree once are right.
 */
export class FeeCheck {
  private readonly options: FeeCheckOptions;
  private cancel: Cancel | undefined;
  private readonly closing = new AbortController();
  private over = false;
  private told = false;
  private troubled = false;

  constructor(options: FeeCheckOptions) {
    this.options = options;
  }

  /** An order was executed, and its answer told no fee. */
  due(): void {
    if (!this.over) this.cancel ??= this.options.timers.after(SETTLED_MS, () => void this.check());
  }

  /** Idempotent. */
  close(): void {
    this.over = true;
    this.cancel?.();
    this.closing.abort();
  }

  private async check(): Promise<void> {
    const { balances, books, compare } = this.options;
    const before = books();
    let isKnown = !before.hasOpen;
    try {
      if (isKnown) {
        const found = await compare(await balances(), this.closing.signal);
        if (this.over) return;
        // What was executed meanwhile may be in the one and not in the other.
        isKnown = books().changes === before.changes;
        if (isKnown) this.take(found);
        this.troubled = false;
      }
    } catch (error) {
      this.trouble(error);
      isKnown = true;
    }
    this.cancel = undefined;
    if (!isKnown) this.due();
  }

  /** Told once, until it goes well again: the next order has it tried anew. */
  private trouble(error: unknown): void {
    if (this.over || this.troubled) return;
    this.troubled = true;
    const what = `fees: the account could not be held against the books: ${messageOf(error)}`;
    this.options.notice('warn', `${what}; it is tried again after the next order, or do so with \`kairos reconcile --check\``);
  }

  private take({ corrections, isFees }: FeesTaken): void {
    const { book, notice } = this.options;
    if (corrections.length === 0 || !isFees) this.over = true;
    if (corrections.length === 0) return;
    const what = corrections.map(({ book: of, amount, currency }) => `${of} ${amount} ${currency}`).join(', ');
    if (!isFees)
      return notice('error', `the account has not what the books say, and fees do not explain it: ${what}; look with \`kairos reconcile\``);
    book(corrections, 'fees were taken in another currency than service.feeIn says');
    if (this.told) return;
    this.told = true;
    const mend = 'set service.feeIn to base or received for the next start';
    notice(
      'warn',
      `fees are taken in another currency than service.feeIn says: ${mend}; until then each is booked as a correction (${what})`,
    );
  }
}
