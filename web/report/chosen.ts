import { Store } from '../live/store.ts';
import type { TradeMarks } from './series.ts';

/** The trade that the charts of prices show; null for none. */
export const shownTrade = new Store<TradeMarks | null>(null);

/** The order whose trade the table shows; a new one each time it is asked for. */
export const shownOrder = new Store<{ readonly order: string } | null>(null);
