import type { FeeDifferences } from '#daemon/operations/fees-thread.ts';
import type { BookedEntry } from '#domain/decision.ts';
import { messageOf } from '#domain/errors.ts';
import type { Notice } from '#ports/notice.ts';
import type { Cancel, Timers } from '#ports/timers.ts';

/** Time after which an executed order is in the journal and in the service's balances, in milliseconds. */
const SETTLED_MS = 1500;

interface FeeCheckOptions {
  /** The account's balances at the service, by currency. */
  readonly balances: () => Promise<ReadonlyMap<string, string>>;
  /** The present books. While they change or an order is open, a comparison proves nothing. */
  readonly books: () => BooksNow;
  /** Compares the journal with the balances, without blocking the loop. */
  readonly compare: (balances: ReadonlyMap<string, string>, signal: AbortSignal) => Promise<FeeDifferences>;
  /** Posts a correction to the inbox, where it is recorded and journaled. */
  readonly book: (entries: readonly BookedEntry[], why: string) => void;
  readonly timers: Pick<Timers, 'after'>;
  readonly notice: Notice;
}

/** The state of the books in memory. */
export interface BooksNow {
  readonly hasOpen: boolean;
  /** Number of fills and changes of orders. */
  readonly changes: number;
}

/**
 * Checks fees for a service that reports balances but no fees in its answers. After an order, while nothing is in
 * flight, it compares the books with the account and books a correction for fees in another currency than booked. Books
 * that agree once are right.
 */
export class FeeCheck {
  private readonly options: FeeCheckOptions;
  private cancel: Cancel | undefined;
  private readonly closing = new AbortController();
  private over = false;
  private told = false;
  private unexplained = false;
  private troubled = false;

  constructor(options: FeeCheckOptions) {
    this.options = options;
  }

  /** Schedules a check after an executed order whose answer had no fee. */
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
        // A fill in between may be in only one of them.
        isKnown = books().changes === before.changes;
        if (isKnown) this.report(found);
        this.troubled = false;
      }
    } catch (error) {
      this.trouble(error);
      isKnown = true;
    }
    this.cancel = undefined;
    if (!isKnown) this.due();
  }

  /** Reports trouble once until it is over. The next order triggers another check. */
  private trouble(error: unknown): void {
    if (this.over || this.troubled) return;
    this.troubled = true;
    const what = `fees: the account could not be compared with the books: ${messageOf(error)}`;
    this.options.notice('warn', `${what}; it is tried again after the next order, or do so with \`kairos reconcile --check\``);
  }

  private report({ corrections, isFees }: FeeDifferences): void {
    const { book, notice } = this.options;
    if (corrections.length === 0) this.over = true;
    if (corrections.length === 0 || (!isFees && this.unexplained)) return;
    const what = corrections.map(({ book: of, amount, currency }) => `${of} ${amount} ${currency}`).join(', ');
    if (!isFees) {
      this.unexplained = true;
      return notice('error', `the account differs from the books, and fees do not explain it: ${what}; look with \`kairos reconcile\``);
    }
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
