import type { LedgerMovement } from '#report/record.ts';

/**
 * The opening balances of a run as one movement of money, at the first of them: a strategy's is booked at the first quote of
 * its product, which says the currency, and is no deposit that came later. `movements` in order of time, as is the result.
 */
export function openedTogether(movements: readonly LedgerMovement[]): readonly LedgerMovement[] {
  const openings = movements.filter(isOpening);
  const [first] = openings;
  if (!first || openings.every(({ at }) => at === first.at)) return movements;
  const others = movements.filter((movement) => !isOpening(movement));
  return [
    ...others.filter(({ at }) => at < first.at),
    ...openings.map((movement) => ({ ...movement, at: first.at })),
    ...others.filter(({ at }) => at >= first.at),
  ];
}

const isOpening = ({ kind }: LedgerMovement): boolean => kind === 'opening';
