import { Store } from './store.ts';

/** The order whose story is shown; null: none. */
export const orderShown = new Store<string | null>(null);

export const showStory = (order: string): void => orderShown.set(order);
