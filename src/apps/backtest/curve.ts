import { type BacktestOutcome, netOf } from './outcome.ts';

/** What came of the same strategies at one latency. */
interface CurvePoint {
  /** Milliseconds until an order arrives, and its answer as long again. */
  readonly latencyMs: number;
  readonly outcome: BacktestOutcome;
  /** What must be read first of the result at this latency. */
  readonly headlines: readonly string[];
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

/** Headlines of a curve: those of every latency as they are, the others with the latency that they are of. */
export function curveHeadlines({ points }: LatencyCurve): readonly string[] {
  const isCommon = (text: string): boolean => points.every(({ headlines }) => headlines.includes(text));
  const common = (points[0]?.headlines ?? []).filter(isCommon);
  const own = points.flatMap(({ latencyMs, headlines }) =>
    headlines.filter((text) => !isCommon(text)).map((text) => `at ${latencyMs} ms: ${text}`),
  );
  return [...common, ...own];
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
