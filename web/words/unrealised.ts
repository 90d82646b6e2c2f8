import type { HoldingView } from '#server/page/past-view.ts';
import type { StrategyView } from '#server/page/view.ts';

/**
 * Unrealised profit of a position at its mark, after the fees of its entries, in quote currency, as `kairos status` shows
 * it. Null without a mark, or while the journal's last fill has not arrived.
 */
export function unrealisedOf(
  { id, product, position, mark }: Pick<StrategyView, 'id' | 'product' | 'position' | 'mark'>,
  holdings: readonly HoldingView[],
): number | null {
  if (Number(position) === 0) return 0;
  const held = holdings.find((one) => one.book === id && one.product === product && one.size === position);
  return held && mark !== null ? Number(held.size) * mark - held.cost : null;
}
