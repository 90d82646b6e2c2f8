import type { ChartHistory, ChartSignal } from '#server/page/history-view.ts';

/** Of what a strategy names, one key. */
export const signalKey = (strategy: string, name: string): string => `${strategy} ${name}`;

/** How a chart calls a signal: where several strategies draw, be it only marks, its name says whose it is. */
export function signalNames({ signals, fills }: Pick<ChartHistory, 'signals' | 'fills'>): (signal: ChartSignal) => string {
  const isAlone = new Set([...signals, ...fills].map(({ strategy }) => strategy)).size === 1;
  return ({ strategy, name }) => (isAlone ? name : signalKey(strategy, name));
}
