import { type BacktestOutcome, netOf } from './outcome.ts';

/** What came of the same strategies at one latency. */
interface CurvePoint {
  /** Milliseconds until an order arrives, and its answer as long again. */
  readonly latencyMs: number;
  readonly outcome: BacktestOutcome;
}

/** Profit against latency. */
export interface LatencyCurve {
  readonly points: readonly CurvePoint[];
  /** The currency of the profits; undefined where nothing was traded. */
  readonly currency: string | undefined;
  /** Latency at which nothing is left of the profit, interpolated; or in words why there is none. */
  readonly breakEvenMs: number | string;
}

/** Orders the points by latency and finds the latency at which the profit is gone. */
export function curveOf(points: readonly CurvePoint[]): LatencyCurve {
  const currency = points.flatMap(({ outcome }) => Object.keys(outcome.net))[0];
  const sorted = [...points].sort((a, b) => a.latencyMs - b.latencyMs);
  return { points: sorted, currency, breakEvenMs: breakEvenOf(sorted.map((one) => [one.latencyMs, netOf(one.outcome, currency)])) };
}

/** Net profit of a point in the curve's currency. */
export function netAt(curve: LatencyCurve | undefined, { outcome }: CurvePoint): number {
  return netOf(outcome, curve?.currency);
}

/** Where a line through the points falls to zero first. */
export function breakEvenOf(points: readonly (readonly [latencyMs: number, profit: number])[]): number | string {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return 'n/a: nothing was measured';
  if (first[1] <= 0) return `n/a: there is no profit at ${first[0]} ms`;
  let [latencyBefore, profitBefore] = first;
  for (const [latency, profit] of points) {
    if (profit <= 0) return latencyBefore + ((latency - latencyBefore) * profitBefore) / (profitBefore - profit);
    latencyBefore = latency;
    profitBefore = profit;
  }
  return `n/a: there is still a profit at ${last[0]} ms`;
}
