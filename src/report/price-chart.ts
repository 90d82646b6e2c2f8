import { figureAt } from '#domain/figure-at.ts';
import type { Millis } from '#domain/names.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { STRETCHES } from './equity/course.ts';
import { keptMarks } from './equity/kept-marks.ts';
import { isOrdered, rowAt } from './equity/rates.ts';
import { type ChartPoint, ThinnedSeries } from './equity/thinned.ts';
import type { OrderHistory } from './order-history.ts';
import { rangesOf } from './price-ranges.ts';
import type { RefusedIntent, SignalCollector, SignalSeries } from './signal-collector.ts';

interface FillMark {
  readonly at: Millis;
  readonly side: 'buy' | 'sell';
  readonly price: number;
  readonly size: number;
  readonly order: string;
  readonly strategy: string;
}

/** What a chart of one lane shows: mid prices in quote currency, and fills marked on them. */
export interface PriceChart {
  readonly product: string;
  readonly lane: string;
  readonly quotes: number;
  /** Middle of both sides; NaN while there were no quotes for longer than usual. */
  readonly points: readonly ChartPoint[];
  readonly marks: readonly FillMark[];
  readonly marksLeftOut: number;
  /** What strategies named when they decided. */
  readonly signals: readonly SignalSeries[];
  /** Intents that became no order, at the price that they would have had; of one that was repeated the first and the last. */
  readonly refusals: readonly RefusedIntent[];
  /** Refusals without a mark: repetitions, and what a chart cannot show. */
  readonly refusalsLeftOut: number;
}

/** Fills that a chart marks; a zoom shows those apart that touch. */
const MAX_MARKS = 10_000;

/** Products that are drawn; the most traded. */
const MAX_CHARTS = 12;

/** The price of each traded product, of the lane that brought the most quotes, with its fills. */
export function priceCharts(input: {
  readonly orders: readonly OrderHistory[];
  readonly signals: SignalCollector;
  readonly columns: readonly QuoteColumns[];
  /** Lanes that were played, which go before others; undefined where all were. */
  readonly played?: ReadonlySet<string> | undefined;
  readonly from: Millis;
  readonly to: Millis;
}): readonly PriceChart[] {
  const { orders, signals: seen, columns, played, from, to } = input;
  const fills = new Map<string, FillMark[]>();
  for (const { order, fill, filledAt } of orders) {
    if (!fill || filledAt === null) continue;
    const mark = {
      at: filledAt,
      side: fill.side,
      price: Number(fill.price),
      size: Number(fill.size),
      order: order.id,
      strategy: order.strategy,
    };
    const marks = fills.get(order.product);
    if (marks) marks.push(mark);
    else fills.set(order.product, [mark]);
  }
  const byCount = [...fills].sort((a, b) => b[1].length - a[1].length).slice(0, MAX_CHARTS);
  return byCount.flatMap(([product, marks]): PriceChart[] => {
    const rank = ({ lane, length }: QuoteColumns): number => (played?.has(lane) === false ? 0 : length);
    const lanes = columns.filter((one) => one.product === product).sort((a, b) => rank(b) - rank(a) || b.length - a.length);
    const [lane] = lanes;
    if (!lane || lane.length === 0) return [];
    const thinned = middles(lane, { from, to });
    const shown = keptMarks(marks, { from, to }, { kindOf: ({ side }) => side, sizeOf: ({ size }) => size, most: MAX_MARKS });
    const { signals, refusals } = seen.of(product, { from, to });
    return [
      {
        ...{ product, lane: lane.lane, quotes: lane.length, points: thinned.brokenPoints(), signals, refusals },
        ...{ marks: shown, marksLeftOut: marks.length - shown.length, refusalsLeftOut: seen.refusalsOf(product) - refusals.length },
      },
    ];
  });
}

/** The middle of both sides over a time, from the quote that stands at its begin. */
function middles(lane: QuoteColumns, { from, to }: { readonly from: Millis; readonly to: Millis }): ThinnedSeries {
  const thinned = new ThinnedSeries(from, to, STRETCHES);
  const { at, buy, sell } = lane;
  const end = rowAt(lane, to) + 1;
  const middle = (row: number): number => (figureAt(buy.price, row) + figureAt(sell.price, row)) / 2;
  const areStretches = isOrdered(at) && rangesOf(buy.price).isWhole && rangesOf(sell.price).isWhole;
  for (let row = Math.max(0, rowAt(lane, from)); row < end; ) {
    const next = areStretches ? thinned.endOfStretch(at, [row, end]) : row + 1;
    let [low, high, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, middle(row)];
    for (; row < next; row++) {
      last = middle(row);
      if (last < low) low = last;
      if (last > high) high = last;
    }
    const time = at[next - 1] ?? from;
    if (areStretches) thinned.addAll(time, { low, high, last });
    else thinned.add(time, last);
  }
  return thinned;
}
