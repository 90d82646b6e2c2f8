import type { ChartHistory } from '#server/page/history-view.ts';
import { exact } from '../words/numbers.ts';
import type { Ink } from './look.ts';
import type { SignalLine } from './market-chart.ts';
import { signalKey, signalNames } from './signal-names.ts';

const SIGNAL_INKS: readonly Ink[] = ['second', 'third', 'fourth', 'muted'];
/** A signal further from the price than this share of it would flatten the prices. */
const NEAR = 0.2;

/** The signals near the price, each with its own colour; `below`: of the others as many as have room in panes of their own. */
export function signalsOf(history: ChartHistory | null, below = 0): readonly SignalLine[] {
  const last = history?.bars.at(-1)?.close ?? 0;
  const isNear = ({ points }: ChartHistory['signals'][number]): boolean => Math.abs((points.at(-1)?.value ?? 0) - last) <= last * NEAR;
  const all = history?.signals ?? [];
  const near = all.filter(isNear).slice(0, SIGNAL_INKS.length);
  const far = all.filter((one) => !isNear(one)).slice(0, below);
  const nameOf = signalNames({ signals: all, fills: history?.fills ?? [] });
  return [...near, ...far].map((signal, n) => ({
    name: nameOf(signal),
    of: signalKey(signal.strategy, signal.name),
    isWhole: signal.isWhole,
    ink: SIGNAL_INKS[n % SIGNAL_INKS.length] ?? 'muted',
    pane: Math.max(0, n - near.length + 1),
    points: signal.points,
  }));
}

/** What the chart shows, as text for screen readers. */
export function saysOf({ product, bars, fills, trades, refusals }: ChartHistory, price: number | null): string {
  const low = Math.min(...bars.map((bar) => bar.low));
  const high = Math.max(...bars.map((bar) => bar.high));
  const range = bars.length === 0 ? 'no prices' : `from ${exact(low)} to ${exact(high)}`;
  return `Prices of ${product}: now ${price === null ? 'none' : exact(price)}, ${range}. ${fills.length} fills, ${trades.length} round trips, ${refusals.length} refusals.`;
}
