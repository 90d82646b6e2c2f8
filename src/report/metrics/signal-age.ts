import { durationText } from '#domain/duration-text.ts';
import { figureAt } from '#domain/figure-at.ts';
import type { Millis } from '#domain/names.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { seeded } from '#domain/seeded.ts';
import { rowAt } from '#report/equity/rates.ts';
import type { OrderHistory } from '#report/order-history.ts';
import { type Band, ENOUGH_VALUES } from './bootstrap.ts';
import { type Metric, missing } from './metric.ts';
import { quantile, sorted } from './returns.ts';

/** What the age of signals from outside costs. Edges are moves of the price in the direction of their orders, in basis points. */
export interface SignalAge {
  /** Signals that led to an order, each once. */
  readonly count: number;
  readonly ageP50: Metric;
  /** From the arrival of a signal to a minute later. */
  readonly edge: Metric;
  /** The part of it that was gone when the strategy decided. */
  readonly gone: Metric;
  /** After how many milliseconds half of it is gone, and its range when signals are drawn again and again. */
  readonly halfLife: Metric;
  readonly band: Band | undefined;
}

/** How long a signal is followed, in milliseconds. */
const HORIZON_MS = 60_000;
/** Ages at which the edge is looked at: a tenth of a second to half of the horizon, each a sixth above the last. */
const AGES: readonly Millis[] = [0, ...Array.from({ length: 38 }, (_, n) => 100 * (7 / 6) ** n)];
const DRAWS = 500;

/** The edge of one signal that is left at each of `AGES`, and what was gone at its decision. */
interface EdgeByAge {
  readonly left: readonly number[];
  readonly gone: number;
}

/** Undefined where no signal from outside led to an order. */
export function signalAge(orders: readonly OrderHistory[], columns: readonly QuoteColumns[], seed: string): SignalAge | undefined {
  const first = new Map(
    orders
      .flatMap((order) => (order.signal === null ? [] : [{ ...order, signal: order.signal }]))
      .toReversed()
      .map((order) => [order.signal.name, order] as const),
  );
  if (first.size === 0) return undefined;
  const acted = [...first.values()];
  const lanes = new Map(columns.flatMap((one) => (one.barMs === undefined ? [[String(one.lane), one] as const] : [])));
  const followed = acted.flatMap((order) => followedIn(lanes.get(order.order.lane), order) ?? []);
  const base = { count: acted.length, ageP50: quantile(sorted(acted.map(({ signal }) => signal.ageMs)), 0.5) };
  if (followed.length < ENOUGH_VALUES) {
    const why = missing(`fewer than ${ENOUGH_VALUES} signals have quotes of the minute after them`);
    return { ...base, edge: why, gone: why, halfLife: why, band: undefined };
  }
  const curve = curveOf(followed);
  const halfLife = halfLifeOf(curve);
  const random = seeded(`${seed}/signals`);
  const drawn = Array.from({ length: DRAWS }, () =>
    halfLifeOf(curveOf(followed.map((_, __, all) => all[Math.floor(random.next() * all.length)] ?? EMPTY))),
  );
  const known = sorted(drawn.map((one) => one ?? Number.POSITIVE_INFINITY));
  const [p5, p50, p95] = [0.05, 0.5, 0.95].map((share) => quantile(known, share));
  return {
    ...base,
    edge: curve[0] ?? 0,
    gone: mean(followed.map(({ gone }) => gone)),
    halfLife: halfLife ?? missing('the price did not move in the direction of the signals'),
    band: halfLife === undefined || p5 === undefined || p50 === undefined || p95 === undefined ? undefined : { p5, p50, p95 },
  };
}

const EMPTY: EdgeByAge = { left: [], gone: 0 };

/** The range in words. */
export function bandText({ p5, p95 }: Band): string {
  return `${durationText(p5)} to ${Number.isFinite(p95) ? durationText(p95) : 'never'} in nine of ten draws`;
}

function followedIn(lane: QuoteColumns | undefined, { order, signal }: OrderHistory): EdgeByAge | undefined {
  if (!lane || signal === null) return undefined;
  const arrived = order.intentAt - signal.ageMs;
  const end = arrived + HORIZON_MS;
  const first = rowAt(lane, arrived);
  if (first < 0 || (lane.at[lane.length - 1] ?? 0) < end) return undefined;
  const midAt = (at: Millis): number => {
    const row = rowAt(lane, at);
    return (figureAt(lane.buy.price, row) + figureAt(lane.sell.price, row)) / 2;
  };
  const start = midAt(arrived);
  const bps = (from: number, to: number): number => (((order.side === 'buy' ? 1 : -1) * (to - from)) / start) * 1e4;
  const last = midAt(end);
  return { left: AGES.map((age) => bps(midAt(arrived + age), last)), gone: bps(start, midAt(order.intentAt)) };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const curveOf = (followed: readonly EdgeByAge[]): readonly number[] => AGES.map((_, n) => mean(followed.map(({ left }) => left[n] ?? 0)));

/** Between the two ages at which half is left; undefined where there is no edge, or more than half stays. */
function halfLifeOf(curve: readonly number[]): Millis | undefined {
  const half = (curve[0] ?? 0) / 2;
  const after = curve.findIndex((left) => left <= half);
  const [before, here] = [curve[after - 1] ?? 0, curve[after] ?? 0];
  const [from, to] = [AGES[after - 1] ?? 0, AGES[after] ?? 0];
  return half <= 0 || after < 1 ? undefined : from + ((to - from) * (before - half)) / (before - here);
}
