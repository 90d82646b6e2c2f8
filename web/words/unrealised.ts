import type { HoldingView } from '#server/page/past-view.ts';
import type { BookView, StrategyView } from '#server/page/view.ts';

type Position = Pick<StrategyView, 'id' | 'product' | 'position' | 'mark'>;

const holdingOf = ({ id, product, position }: Position, holdings: readonly HoldingView[]): HoldingView | undefined =>
  holdings.find((one) => one.book === id && one.product === product && one.size === position);

/**
 * Unrealised profit of a position at its mark, after the fees of its entries, in quote currency, as `kairos status` shows
 * it. Null without a mark, or while the journal's last fill has not arrived.
 */
export function unrealisedOf(of: Position, holdings: readonly HoldingView[]): number | null {
  if (Number(of.position) === 0) return 0;
  const held = holdingOf(of, holdings);
  return held && of.mark !== null ? Number(held.size) * of.mark - held.cost : null;
}

/** A strategy with the entry prices of its open lots, first in first out as reports count, and what these lots are up or down by. */
export function inLots<Of extends Pick<StrategyView, 'id' | 'legs' | keyof BookView>>(strategy: Of, holdings: readonly HoldingView[]): Of {
  const counted = <Book extends BookView>(book: Book): Book => {
    const of = { ...book, id: strategy.id };
    return { ...book, average: holdingOf(of, holdings)?.average ?? book.average, unrealised: unrealisedOf(of, holdings) };
  };
  return { ...counted(strategy), legs: strategy.legs.map(counted) };
}
