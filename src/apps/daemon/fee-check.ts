import type { FeesTaken } from '#apps/operations/account-balances.ts';
import type { BookedEntry } from '#domain/decision.ts';
import { messageOf } from '#domain/errors.ts';
import type { Notice } from '#ports/notice.ts';
import type { Cancel, Timers } from '#ports/timers.ts';

/** An order that was executed is in the journal, and in the service's balances, after so long. */
const SETTLED_MS = 1500;

interface FeeCheckOptions {
  /** What the account holds, by currency, as the service says. */
  readonly balances: () => Promise<ReadonlyMap<string, string>>;
  /** Holds the books against it. */
  readonly compare: (balances: ReadonlyMap<string, string>) => FeesTaken;
  /** Takes a correction into the inbox, so that it is recorded and journaled. */
  readonly book: (entries: readonly BookedEntry[], why: string) => void;
  readonly timers: Pick<Timers, 'after'>;
  readonly notice: Notice;
}

/**
 * Where the service tells balances and its answers tell no fee: after an order the books are held against the account while nothing
 * is on its way, and what fees took in another currency than booked is booked as a correction. Books that agree once are right.
 */
export class FeeCheck {
  private readonly options: FeeCheckOptions;
  private cancel: Cancel | undefined;
  private over = false;
  private told = false;

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
  }

  private async check(): Promise<void> {
    const { balances, compare, notice } = this.options;
    let again = false;
    try {
      const before = compare(new Map());
      const found = compare(await balances());
      if (this.over) return;
      // What was executed while the service was asked may be in the one and not in the other.
      again = before.open > 0 || found.open > 0 || before.fills !== found.fills;
      if (!again) this.take(found);
    } catch (error) {
      this.over = true;
      notice('warn', `fees: the account could not be held against the books: ${messageOf(error)}; do so with \`kairos reconcile --check\``);
    }
    this.cancel = undefined;
    if (again) this.due();
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
