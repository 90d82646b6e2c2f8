import type { Settings } from '#config/settings.ts';
import { MANUAL_BOOK } from '#core/execution/plan.ts';

/** What a book holds of a product, in base currency. */
export interface HeldBy {
  readonly book: string;
  readonly product: string;
  readonly size: string;
}

/** Positions of strategies that the configuration does not run, or not in this product any more. What people hold by hand is theirs. */
export function orphansAmong(held: readonly HeldBy[], strategies: Settings['strategies']): readonly HeldBy[] {
  const run = strategies.filter(({ enabled }) => enabled);
  const traded = new Set(
    run.flatMap(({ id, product, inputs }) => [product, ...Object.values(inputs).map((input) => input.product)].map((of) => `${id} ${of}`)),
  );
  return held.filter(({ book, product, size }) => book !== MANUAL_BOOK && Number(size) !== 0 && !traded.has(`${book} ${product}`));
}

/** What is wrong with such a position, and what ends it. */
export const orphanFault = ({ book, product, size }: HeldBy): { readonly what: string; readonly mend: string } => ({
  what: `${book} holds ${size} of ${product} and is not configured any more: no strategy and no exit watches that position`,
  mend: `\`kairos close ${book}\` closes it while a daemon runs; an entry with this id and product takes it over`,
});

/** One line on a position that belongs to no configured strategy: what it is, and what to do. */
export function orphanText(held: HeldBy): string {
  const { what, mend } = orphanFault(held);
  return `${what}; ${mend}`;
}
