import { breakEvenLatency, type LatencyPoint } from '#report/metrics/latency.ts';
import { isKnown } from '#report/metrics/metric.ts';
import { reportCurrency, runEquity } from '#report/valued.ts';
import type { BacktestRun } from './backtest.ts';
import { recordOfBacktest } from './backtest-record.ts';
import type { BacktestOutcome } from './outcome.ts';
import { namesOf } from './played-lanes.ts';
import type { BacktestSession } from './session.ts';

/** The result of the same strategies at one latency. */
export interface CurvePoint {
  /** Latency of an order, and of its answer, in milliseconds. */
  readonly latencyMs: number;
  readonly outcome: BacktestOutcome;
  /** In the currency of the curve; or why it cannot be said. */
  readonly netProfit: number | string;
  /** Headlines of the result at this latency. */
  readonly headlines: readonly string[];
}

/** Profit against latency. */
export interface LatencyCurve {
  readonly points: readonly CurvePoint[];
  /** The currency of the profits. */
  readonly currency: string;
  /** Interpolated latency at which the profit is zero, or a text on why there is none. */
  readonly breakEvenMs: number | string;
}

/** The currency of a run's report. */
export const currencyOf = (session: BacktestSession, run: BacktestRun): string =>
  reportCurrency(recordOfBacktest(session.config, run), session.columns).currency;

/** The net profit of a run in a currency, by the rules of its report; or why it cannot be said. */
export function netProfitOf(session: BacktestSession, run: BacktestRun, currency: string): number | string {
  const { columns, modelled, traded } = session;
  const equity = runEquity(recordOfBacktest(session.config, run), columns, { currency, played: namesOf(traded), modelled });
  return typeof equity === 'string' ? equity : equity.netProfit;
}

/** Sorts the points by latency and finds the break-even latency. */
export function curveOf(points: readonly CurvePoint[], currency: string): LatencyCurve {
  const sorted = [...points].sort((a, b) => a.latencyMs - b.latencyMs);
  const [unknown] = sorted.map(({ netProfit }) => netProfit).filter((one) => typeof one === 'string');
  const found = breakEvenLatency(latenciesIn(sorted));
  return { points: sorted, currency, breakEvenMs: isKnown(found) ? found : `n/a: ${unknown ?? found.why}` };
}

/** What a report says of points: nothing where one of them has no net profit. */
export function latenciesIn(points: readonly CurvePoint[]): readonly LatencyPoint[] {
  const known = points.flatMap(({ latencyMs, netProfit, outcome }): LatencyPoint[] => {
    const trades = outcome.profit.reduce((sum, row) => sum + (row.group === 'total' ? row.trades : 0), 0);
    return typeof netProfit === 'string' ? [] : [{ latencyMs, netProfit, trades }];
  });
  return known.length < points.length ? [] : known;
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
