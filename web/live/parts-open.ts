import { Store } from './store.ts';

/** Parts behind tabs, of which one is open. */
export const TABS = ['orders', 'limits', 'lanes', 'schedule', 'remote', 'notifications', 'runs'] as const;

export type Tab = (typeof TABS)[number];

/** The tab that a person chose; null: the page chooses. */
export const tabStore = new Store<Tab | null>(null);

/** Shows a part of the page, and opens its tab if it has one. The menu that led to it is shut. */
export function goTo(id: string): void {
  document.querySelector<HTMLElement>(':popover-open')?.hidePopover();
  const tab = TABS.find((one) => one === id);
  if (tab !== undefined) tabStore.set(tab);
  // The panel is drawn in the next frame.
  requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById(id)?.focus()));
}
