import { type BacktestOutcome, netOf } from './outcome.ts';

/** The result of the same strategies at one latency. */
export interface CurvePoint {
  /** Latency of an order, and of its answer, in milliseconds. */
  readonly latencyMs: number;
  readonly outcome: BacktestOutcome;
  /** Headlines of the result at this latency. */
  readonly headlines: readonly string[];
}

/** Profit against latency. */
export interface LatencyCurve {
  readonly points: readonly CurvePoint[];
  /** The currency of the profits; undefined without trades. */
  readonly currency: string | undefined;
  /** Interpolated latency at which the profit is zero, or a text on why there is none. */
  readonly breakEvenMs: number | string;
}

/** Sorts the points by latency and finds the break-even latency. */
export function curveOf(points: readonly CurvePoint[]): LatencyCurve {
  const currency = points.flatMap(({ outcome }) => Object.keys(outcome.net))[0];
  const sorted = [...points].sort((a, b) => a.latencyMs - b.latencyMs);
  return { points: sorted, currency, breakEvenMs: breakEvenOf(sorted.map((one) => [one.latencyMs, netOf(one.outcome, currency)])) };
}

/** Headlines of a curve: common ones once, others with their latency. */
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

/** Where a line through the points first falls to zero. */
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
