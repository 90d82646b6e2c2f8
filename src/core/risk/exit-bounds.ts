import type { Books } from '#core/portfolio/books.ts';
import { refusalWords } from '#domain/check-words.ts';
import { consentCommand } from '#domain/closing-wait.ts';
import { type Decimal, decimalOf } from '#domain/decimal.ts';
import type { Millis, OrderId, ProductCode, StrategyId } from '#domain/names.ts';
import { type Order, type OrderCore, worthOf } from '#domain/order.ts';
import { backOffMs } from '#domain/retry.ts';
import type { RiskApproval, RiskRefusal } from './risk.ts';

/** An exit that waits for a person, because it is worth more than `risk.maxExitValue`. */
interface WaitingExit {
  readonly strategy: StrategyId;
  readonly product: ProductCode;
  /** Worth in quote currency, decimal text. */
  readonly worth: string;
  readonly currency: string;
  /** Its worth, and what is allowed. */
  readonly why: string;
  /** What a person types to allow it. */
  readonly command: string;
}

interface Bounds {
  /** The worth, in quote currency, up to which a person lets exits of the position go that was opened then; null: nobody has said so. */
  allowed: { readonly worth: Decimal; readonly openedAt: Millis | undefined } | null;
  /** Exits rejected in a row, and until when the next one waits. */
  rejections: number;
  until: Millis;
  waiting: WaitingExit | null;
}

/**
 * What bounds exits, which no gate for openings stops: a worth that a person must allow, book by book, until the position is
 * closed, and a pause after each that the service rejected.
 */
export class ExitBounds {
  private readonly books: Books;
  private readonly bounds = new Map<string, Bounds>();
  private readonly exits = new Set<OrderId>();

  constructor(books: Books) {
    this.books = books;
  }

  /** A person lets exits of what a book holds go up to a worth in quote currency. A restart asks again. */
  allow(strategy: StrategyId, product: ProductCode, worth: string): void {
    const { openedAt } = this.books.book(strategy, product);
    const bounds = this.of(strategy, product);
    bounds.allowed = { worth: decimalOf(worth), openedAt };
    // Where that is too little, it begins to wait anew, and is told with the new figures.
    bounds.waiting = null;
  }

  allowed(strategy: StrategyId, product: ProductCode): Decimal | null {
    const allowed = this.bounds.get(keyOf(strategy, product))?.allowed;
    return allowed && allowed.openedAt === this.books.book(strategy, product).openedAt ? allowed.worth : null;
  }

  /** What is left of the pause after a rejected exit. */
  pauseLeftMs(strategy: StrategyId, product: ProductCode, now: Millis): Millis {
    return Math.max(0, (this.bounds.get(keyOf(strategy, product))?.until ?? 0) - now);
  }

  /** An exit was held against the checks. True where it begins to wait for a person. */
  assessed(order: OrderCore, result: Pick<RiskApproval | RiskRefusal, 'approved' | 'checks'> & { readonly reason?: string }): boolean {
    if (result.approved) this.exits.add(order.id);
    const { strategy, product, figures, quoteCcy } = order;
    const waits = result.reason === 'MAX_EXIT_VALUE';
    if (!waits && !this.bounds.has(keyOf(strategy, product))) return false;
    const bounds = this.of(strategy, product);
    const before = bounds.waiting;
    if (result.approved) bounds.waiting = null;
    if (waits) {
      const worth = worthOf(figures).toString();
      const command = consentCommand({ strategy, product, worth });
      bounds.waiting = { strategy, product, worth, currency: quoteCcy, why: refusalWords('MAX_EXIT_VALUE', result.checks), command };
    }
    return waits && before === null;
  }

  /** An order has a new state; fills are in the books. What is rejected after it was unknown makes no pause: it has waited. */
  settled(order: Order, now: Millis): void {
    const isExit = this.exits.delete(order.id);
    const bounds = this.bounds.size === 0 ? undefined : this.bounds.get(keyOf(order.strategy, order.product));
    if (order.state === 'accepted' && bounds) {
      bounds.rejections = 0;
      bounds.until = 0;
    }
    if (order.state !== 'rejected' || !isExit) return;
    const rejected = this.of(order.strategy, order.product);
    rejected.until = now + backOffMs('afterRejection', rejected.rejections);
    rejected.rejections += 1;
  }

  /** Exits that wait for a person. */
  waiting(): readonly WaitingExit[] {
    return [...this.bounds.values()].flatMap(({ waiting }) => waiting ?? []);
  }

  private of(strategy: StrategyId, product: ProductCode): Bounds {
    const key = keyOf(strategy, product);
    const known = this.bounds.get(key) ?? { allowed: null, rejections: 0, until: 0, waiting: null };
    this.bounds.set(key, known);
    return known;
  }
}

const keyOf = (strategy: StrategyId, product: ProductCode): string => `${strategy} ${product}`;
