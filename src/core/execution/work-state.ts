import type { Decimal } from '#domain/decimal.ts';
import type { ExecutionContext } from './execution-context.ts';
import type { Leg, Work } from './plan.ts';

/** What a plan's book holds of a leg's product. */
export const heldBy = ({ plan }: Work, { product }: Leg, { books }: ExecutionContext): Decimal => books.book(plan.strategy, product).size;

/** True while an order that closes the position, on that side, is on its way. */
export const isClosingInFlight = ({ plan }: Work, { product, intent }: Leg, { books }: ExecutionContext): boolean =>
  books.openOf(plan.strategy, product).some(({ side, state }) => side === intent.side && state !== 'unknown');
