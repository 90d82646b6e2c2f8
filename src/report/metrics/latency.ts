import type { Millis } from '#domain/names.ts';
import type { OrderHistory } from '#report/order-history.ts';
import type { OrderQuote } from '#report/order-quotes.ts';
import { type Metric, missing } from './metric.ts';
import { quantile, sorted } from './returns.ts';

/** Percentiles of times in milliseconds. */
export interface Percentiles {
  readonly count: number;
  readonly p50: Metric;
  readonly p95: Metric;
  readonly p99: Metric;
}

/** Age and time left of quotes when orders were sent, and the times of answers. Milliseconds. */
export interface Latency {
  readonly ageAtSend: Percentiles;
  /** Short times are the bad ones here: p95 is what 95 % of the orders had at least. */
  readonly leftAtSend: Percentiles;
  readonly roundTrip: Percentiles;
}

/** The profit of a run at another latency. */
export interface LatencyPoint {
  readonly latencyMs: Millis;
  readonly netProfit: number;
  readonly trades: number;
}

/** The break-even latency, between the two points at which profit changes sign; points sorted by latency. */
export function breakEvenLatency(points: readonly LatencyPoint[]): Metric {
  const [first] = points;
  if (!first) return missing('no net profit at other latencies is known');
  if (first.netProfit <= 0) return missing(`there is no profit at ${first.latencyMs} ms`);
  for (const [n, { latencyMs, netProfit }] of points.entries()) {
    const before = points[n - 1];
    if (!before || netProfit > 0) continue;
    return before.latencyMs + ((latencyMs - before.latencyMs) * before.netProfit) / (before.netProfit - netProfit);
  }
  return missing(`there is still a profit at ${points.at(-1)?.latencyMs ?? 0} ms`);
}

/** Latency over all orders, with the recorded quotes that they used. */
export function latencyOf(orders: readonly OrderHistory[], quotes: ReadonlyMap<string, OrderQuote>): Latency {
  const ages = orders.flatMap(({ order, sentAt }) => {
    const quote = quotes.get(order.id);
    const arrived = quote?.columns.at[quote.row];
    return sentAt === null || arrived === undefined ? [] : [sentAt - arrived];
  });
  const known = (values: readonly (number | null)[]): readonly number[] => values.flatMap((value) => (value === null ? [] : [value]));
  const left = known(orders.map(({ timeLeftMs }) => timeLeftMs));
  const trips = known(orders.map(({ roundTripMs }) => roundTripMs));
  return {
    ageAtSend: percentiles(ages, left.length > 0 ? 'the quotes of the orders were not recorded' : 'no order was sent'),
    leftAtSend: percentiles(left, 'no order was sent', true),
    roundTrip: percentiles(trips, 'no order was answered'),
  };
}

function percentiles(values: readonly number[], whyNot: string, fromTop = false): Percentiles {
  const inOrder = sorted(values);
  const at = (share: number): Metric => (inOrder.length === 0 ? missing(whyNot) : quantile(inOrder, fromTop ? 1 - share : share));
  return { count: values.length, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
