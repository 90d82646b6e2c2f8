import type { HoldingView } from '#server/page/past-view.ts';
import type { StrategyView } from '#server/page/view.ts';

/**
 * What a position would bring at its mark over what it cost with the fees of its entries, in quote currency: as `kairos status` has it.
 * Null without a mark, and for the moment until the journal has told its last fill.
 */
export function unrealisedOf(
  { id, product, position, mark }: Pick<StrategyView, 'id' | 'product' | 'position' | 'mark'>,
  holdings: readonly HoldingView[],
): number | null {
  if (Number(position) === 0) return 0;
  const held = holdings.find((one) => one.book === id && one.product === product && one.size === position);
  return held && mark !== null ? Number(held.size) * mark - held.cost : null;
}
