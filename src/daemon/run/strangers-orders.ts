import { Decimal, decimalOf, ZERO } from '#domain/decimal.ts';
import { messageOf } from '#domain/errors.ts';
import type { Notice } from '#ports/notice.ts';
import type { Timers } from '#ports/timers.ts';
import type { BooksNow } from './fee-check.ts';

/** Time between two looks at the balances, in milliseconds. An order of ours is settled well within it. */
const LOOK_MS = 15_000;

type Balances = ReadonlyMap<string, string>;

/**
 * Notices orders that nobody here sent, such as those of a copy elsewhere: while no order of ours is open or has changed anything, the
 * account gives one currency and takes another. Money in one currency alone is a deposit, a withdrawal or financing.
 */
export class StrangersOrders {
  private readonly options: { readonly balances: () => Promise<Balances>; readonly books: () => BooksNow; readonly notice: Notice };
  private readonly stop: () => void;
  private changes = -1;
  private last: Balances | null = null;
  private asking = false;
  private troubled = false;
  private over = false;

  constructor({ timers, ...options }: StrangersOrders['options'] & { readonly timers: Pick<Timers, 'every'> }) {
    this.options = options;
    this.stop = timers.every(LOOK_MS, () => void this.poll());
  }

  /** Idempotent. */
  close(): void {
    this.over = true;
    this.stop();
  }

  private async poll(): Promise<void> {
    const { balances, books, notice } = this.options;
    if (this.asking) return;
    if (!this.isQuiet()) {
      this.last = null;
      this.changes = books().changes;
      return;
    }
    this.asking = true;
    try {
      const now = await balances();
      if (this.over || !this.isQuiet()) return;
      if (this.last) this.tell(this.last, now);
      this.last = now;
      this.troubled = false;
    } catch (error) {
      if (!this.over && !this.troubled)
        notice('warn', `orders of others cannot be noticed while balances cannot be asked: ${messageOf(error)}`);
      this.troubled = true;
    } finally {
      this.asking = false;
    }
  }

  /** Nothing of ours is open, and nothing has changed the books since the look before. */
  private isQuiet(): boolean {
    const { hasOpen, changes } = this.options.books();
    return !hasOpen && changes === this.changes;
  }

  private tell(before: Balances, now: Balances): void {
    const moved = [...new Set([...before.keys(), ...now.keys()])]
      .map((currency) => ({ currency, by: decimalOf(now.get(currency) ?? 0).minus(before.get(currency) ?? 0) }))
      .filter(({ by }) => !by.isZero());
    if (Decimal.max(ZERO, ...moved.map(({ by }) => by)).isZero() || Decimal.min(ZERO, ...moved.map(({ by }) => by)).isZero()) return;
    const what = moved.map(({ currency, by }) => `${by.isPositive() ? '+' : ''}${by} ${currency}`).join(', ');
    this.options.notice(
      'error',
      `an order that was not sent from here moved the account (${what}): see that no copy of this bot runs; \`kairos halt\` stops this one`,
    );
  }
}
