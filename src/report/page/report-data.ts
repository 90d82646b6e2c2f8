import type { ChartPoint } from '#report/equity/thinned.ts';
import { profitHistogram } from '#report/profit-histogram.ts';
import type { RunReport } from '#report/report.ts';
import { searchData } from './search-page.ts';

/** Trades that the page's table holds; the newest. */
export const MAX_TRADES = 5_000;

/** Everything that the page's script draws, with as many digits as can be seen. */
export function pageData(report: RunReport): unknown {
  const { equity, heldAtSize, coinFlips, prices, trades, latencies, currency } = report;
  const known = typeof equity === 'string' ? undefined : equity;
  return {
    search: searchData(report.search),
    currency,
    from: report.run.startedAt,
    to: report.run.endedAt,
    equity: known && series(known.chart),
    falls: known && series(known.fallChart),
    hold: typeof heldAtSize === 'string' ? null : series(heldAtSize.chart),
    coins:
      known && typeof coinFlips !== 'string'
        ? [coinFlips.p5, coinFlips.p50, coinFlips.p95].map((profit) => digits(known.capital + profit))
        : null,
    capital: known && digits(known.capital),
    histogram: profitHistogram(trades.map(({ profit }) => profit)),
    prices: prices.map((price) => ({
      product: price.product,
      points: series(price.points),
      signals: price.signals.map(({ strategy, name, points }) => ({
        strategy,
        name,
        points: points.map(([at, value]) => [at, digits(value)]),
      })),
      refusals: price.refusals.map(({ at, side, price: wanted, reason, strategy }) => [
        at,
        side === 'buy' ? 1 : 0,
        wanted,
        reason,
        strategy,
      ]),
      refusalsLeftOut: price.refusalsLeftOut,
      marks: price.marks.map(({ at, side, price: paid, size, order, strategy }) => [
        at,
        side === 'buy' ? 1 : 0,
        paid,
        size,
        order,
        strategy,
      ]),
    })),
    latencies: latencies.map(({ latencyMs, netProfit }) => [latencyMs, digits(netProfit)]),
    trades: trades
      .slice(-MAX_TRADES)
      .map((trade) => [
        trade.closedAt,
        trade.strategy,
        trade.product,
        trade.side,
        digits(trade.size),
        trade.entryPrice,
        trade.exitPrice,
        trade.closedAt - trade.openedAt,
        digits(trade.fees),
        digits(trade.profit),
        trade.return === null ? null : digits(trade.return),
        trade.exitReason,
        `${trade.entryOrder} ${trade.exitOrder}`,
      ]),
  };
}

/** Points at equal distances: the first time, the distance, and three values of each. */
function series(points: readonly ChartPoint[]): unknown {
  const [first, second] = points;
  const value = (take: (point: ChartPoint) => number): readonly number[] => points.map((point) => digits(take(point)));
  const last = points.at(-1);
  const step = first && last && second ? (last.at - first.at) / (points.length - 1) : 0;
  return {
    t0: first?.at ?? 0,
    dt: step,
    low: value(({ low }) => low),
    high: value(({ high }) => high),
    last: value((point) => point.last),
  };
}

/** Nine digits: more than a screen has points. */
const digits = (value: number): number => Number(value.toPrecision(9));
