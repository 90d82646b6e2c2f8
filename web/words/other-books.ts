import type { PastView, StrategyPastView } from '#server/page/past-view.ts';
import type { StateView, StrategyView } from '#server/page/view.ts';

/** A book of no configured strategy. */
export interface OtherBook {
  readonly id: string;
  /** True for a strategy that is configured no more, false for the book of orders by hand. */
  readonly isGone: boolean;
  readonly held: StateView['otherBooks'];
  readonly closedToday: StrategyPastView['closedToday'];
}

const MANUAL_BOOK = 'manual';

/** The books beside those of the configured strategies that hold something or closed something today: the profit of today includes them. */
export function otherBooksOf(
  { strategies, otherBooks }: Pick<StateView, 'otherBooks'> & { readonly strategies: readonly Pick<StrategyView, 'id'>[] },
  past: Pick<PastView, 'strategies'> | null,
): readonly OtherBook[] {
  const configured = new Set(strategies.map(({ id }) => id));
  const closed = new Map(
    (past?.strategies ?? [])
      .filter(({ id, closedToday }) => !configured.has(id) && closedToday.length > 0)
      .map((one) => [one.id, one.closedToday]),
  );
  return [...new Set([...otherBooks.map(({ id }) => id), ...closed.keys()])].map((id) => ({
    id,
    isGone: id !== MANUAL_BOOK,
    held: otherBooks.filter((one) => one.id === id),
    closedToday: closed.get(id) ?? [],
  }));
}
