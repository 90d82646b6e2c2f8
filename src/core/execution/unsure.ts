import type { Books } from '#core/portfolio/books.ts';
import type { CheckResult } from '#domain/check-result.ts';
import type { OrderCore } from '#domain/order.ts';

/** A strategy's position in a product. */
type BookName = Pick<OrderCore, 'strategy' | 'product'>;

/** What a book holds and what it may hold, whatever becomes of its open orders. */
export function heldText(books: Books, { strategy, product }: BookName): string {
  const { low, high } = books.interval(strategy, product);
  return `${books.book(strategy, product).size} is held, from ${low} to ${high} is possible`;
}

/** Why nothing more of a position can be closed: what may be held, and the order that a person can settle where there is one. */
export function unsureCheck(books: Books, of: BookName): CheckResult & { readonly check: 'POSITION_UNSURE' } {
  const unknown = books.openOf(of.strategy, of.product).find(({ state }) => state === 'unknown');
  return { check: 'POSITION_UNSURE', passed: false, figure: heldText(books, of), limit: unknown?.id ?? null };
}
