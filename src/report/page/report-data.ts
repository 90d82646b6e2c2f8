import type { ChartPoint } from '#report/equity/thinned.ts';
import { profitHistogram } from '#report/profit-histogram.ts';
import type { RunReport } from '#report/report.ts';
import type { PageData, PriceData, RunData, Series, TradeData } from './page-data.ts';
import { searchData } from './search-page.ts';

/** Trades that the page's table holds; the newest. */
export const MAX_TRADES = 5_000;

/** Everything that the page's script draws, with as many digits as can be seen. */
export const pageData = (report: RunReport): PageData => ({
  currency: report.currency,
  run: runData(report),
  search: searchData(report.search),
});

function runData({ run, equity, heldAtSize, prices, trades, latencies }: RunReport): RunData {
  return {
    from: run.startedAt,
    to: run.endedAt,
    equity:
      typeof equity === 'string'
        ? null
        : {
            growth: series(equity.chart, ({ last }) => last),
            falls: series(equity.fallChart, ({ high }) => high),
            held: typeof heldAtSize === 'string' ? null : series(heldAtSize.chart, ({ last }) => last),
          },
    histogram: profitHistogram(trades.map(({ profit }) => profit)),
    prices: prices.map(priceData),
    latencies: latencies.map(({ latencyMs, netProfit }) => [latencyMs, digits(netProfit)]),
    trades: trades.slice(-MAX_TRADES).map(tradeData),
    currencies: Object.fromEntries(trades.map(({ product, currency }) => [product, currency])),
  };
}

function priceData({ product, lane, points, signals, refusals, refusalsLeftOut, marks }: RunReport['prices'][number]): PriceData {
  return {
    ...{ product, lane, refusalsLeftOut },
    last: series(points, ({ last }) => last),
    low: points.map(({ low }) => known(low)),
    high: points.map(({ high }) => known(high)),
    signals: signals.map((one) => ({
      strategy: one.strategy,
      name: one.name,
      points: one.points.map(([at, value]) => [at, digits(value)]),
    })),
    refusals: refusals.map(({ at, side, price, reason, strategy }) => [at, side === 'buy' ? 1 : 0, price, reason, strategy]),
    marks: marks.map(({ at, side, price, size, order, strategy }) => [at, side === 'buy' ? 1 : 0, price, size, order, strategy]),
  };
}

const tradeData = (trade: RunReport['trades'][number]): TradeData => [
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
];

/** Points at equal distances: the first time, the distance, and a value of each. */
function series(points: readonly ChartPoint[], value: (point: ChartPoint) => number): Series {
  const [first, last] = [points[0], points.at(-1)];
  return {
    t0: first?.at ?? 0,
    stepMs: first && last && points.length > 1 ? (last.at - first.at) / (points.length - 1) : 0,
    values: points.map((point) => known(value(point))),
  };
}

/** Nine digits: more than a screen has points. */
const digits = (value: number): number => Number(value.toPrecision(9));
const known = (value: number): number | null => (Number.isNaN(value) ? null : digits(value));
