import { goTo } from './parts-open.ts';
import { Store } from './store.ts';

/** What the large chart shows: a product (null for the first) and a selected round trip. */
interface MarketChoice {
  readonly product: string | null;
  readonly trade: { readonly openedAt: number; readonly closedAt: number } | null;
}

export const marketStore = new Store<MarketChoice>({ product: null, trade: null });

/** Shows a round trip on the chart of its product. */
export function showTrade(product: string, { openedAt, closedAt }: { readonly openedAt: number; readonly closedAt: number }): void {
  marketStore.set({ product, trade: { openedAt, closedAt } });
  goTo('chart');
}
