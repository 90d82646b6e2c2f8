import type { Settings } from '#config/settings.ts';
import { MANUAL_BOOK } from '#core/execution/plan.ts';
import { NOT_ENABLED_MEND } from '#domain/not-enabled.ts';

/** A book's position in a product, in base currency. */
export interface BookPosition {
  readonly book: string;
  readonly product: string;
  readonly size: string;
}

/** A position that no strategy watches. */
export interface Orphan extends BookPosition {
  /** True where the configuration has its strategy in this product, and does not enable it: its exits go on. */
  readonly isLeftOut: boolean;
}

/** Positions of strategies that the configuration no longer runs, or no longer in this product. The manual book is not among them. */
export function orphansAmong(held: readonly BookPosition[], strategies: Settings['strategies']): readonly Orphan[] {
  const isEnabled = new Map(
    strategies.flatMap(({ id, product, inputs, enabled }) =>
      [product, ...Object.values(inputs).map((input) => input.product)].map((of) => [`${id} ${of}`, enabled] as const),
    ),
  );
  return held.flatMap((one) => {
    const { book, product, size } = one;
    const enabled = isEnabled.get(`${book} ${product}`);
    return book === MANUAL_BOOK || Number(size) === 0 || enabled ? [] : [{ ...one, isLeftOut: enabled === false }];
  });
}

/** The fault of such a position, and its remedy. `place`: where the strategy is missing, if there may be doubt. */
export function orphanFault({ book, product, size, isLeftOut }: Orphan, place?: string): { readonly what: string; readonly mend: string } {
  const is = isLeftOut ? 'is not enabled' : 'is not configured any more';
  const watched = isLeftOut
    ? 'nothing watches that position but its exits, if it has any'
    : 'no strategy and no exit watches that position';
  const takesOver = isLeftOut ? `to run it, ${NOT_ENABLED_MEND}` : 'an entry with this id and product takes it over';
  return {
    what: `${book} holds ${size} of ${product} and ${is}${place === undefined ? '' : ` in ${place}`}: ${watched}`,
    mend: `\`kairos close ${book}\` closes it while a daemon runs; ${takesOver}`,
  };
}

/** One line on a position without a configured strategy: what it is, and what to do. */
export function orphanText(held: Orphan, place?: string): string {
  const { what, mend } = orphanFault(held, place);
  return `${what}; ${mend}`;
}
