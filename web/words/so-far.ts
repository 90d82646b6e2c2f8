import type { PastView, StrategyPastView } from '#server/page/past-view.ts';

/** What the journal tells of a strategy. Null is what is not read yet. */
export interface StrategySoFar {
  readonly closedToday: StrategyPastView['closedToday'] | null;
  /** Null while rows of the run are being read. */
  readonly run: Omit<StrategyPastView, 'id' | 'closedToday'> | null;
}

const NOTHING: StrategySoFar['run'] = { last: null, orders: 0, fills: 0, refusals: 0, costs: [] };

/** A strategy that is missing from what was read has done nothing in this run, and closed nothing today. */
export function soFarOf(id: string, past: PastView | null): StrategySoFar {
  if (past === null) return { closedToday: null, run: null };
  const found = past.strategies.find((one) => one.id === id);
  return { closedToday: found?.closedToday ?? [], run: past.whole ? (found ?? NOTHING) : null };
}
