import type { Settings } from '#config/settings.ts';
import { MANUAL_BOOK } from '#core/execution/plan.ts';

/** A book's position in a product, in base currency. */
export interface BookPosition {
  readonly book: string;
  readonly product: string;
  readonly size: string;
}

/** Positions of strategies that the configuration no longer runs, or no longer in this product. The manual book is not among them. */
export function orphansAmong(held: readonly BookPosition[], strategies: Settings['strategies']): readonly BookPosition[] {
  const run = strategies.filter(({ enabled }) => enabled);
  const traded = new Set(
    run.flatMap(({ id, product, inputs }) => [product, ...Object.values(inputs).map((input) => input.product)].map((of) => `${id} ${of}`)),
  );
  return held.filter(({ book, product, size }) => book !== MANUAL_BOOK && Number(size) !== 0 && !traded.has(`${book} ${product}`));
}

/** The fault of such a position, and its remedy. `place`: where the strategy is missing, if there may be doubt. */
export const orphanFault = ({ book, product, size }: BookPosition, place?: string): { readonly what: string; readonly mend: string } => ({
  what: `${book} holds ${size} of ${product} and is not configured any more${place === undefined ? '' : ` in ${place}`}: no strategy and no exit watches that position`,
  mend: `\`kairos close ${book}\` closes it while a daemon runs; an entry with this id and product takes it over`,
});

/** One line on a position without a configured strategy: what it is, and what to do. */
export function orphanText(held: BookPosition, place?: string): string {
  const { what, mend } = orphanFault(held, place);
  return `${what}; ${mend}`;
}
