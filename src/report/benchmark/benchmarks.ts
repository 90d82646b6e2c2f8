import type { PriceColumns, QuoteColumns } from '#domain/quote-columns.ts';
import type { Equity } from '#report/equity/equity-value.ts';
import { Rates } from '#report/equity/rates.ts';
import { figure, type Section } from '#report/figures.ts';
import { type Metric, missing } from '#report/metrics/metric.ts';
import { relativeTo } from '#report/metrics/relative.ts';
import type { Annual } from '#report/metrics/returns.ts';
import type { OpenPosition, ReportedTrade } from '#report/trades.ts';
import { buyAndHold, type HoldInput } from './buy-and-hold.ts';
import { beaten, type CoinFlips, coinFlips, type TradedLike } from './coin-flip.ts';

/** The benchmarks of a run's result: holding, and luck. A text says why one is missing. */
interface Benchmarks {
  /** All capital in what was traded. */
  readonly held: Equity | string;
  /** The largest position of each product, held throughout. */
  readonly heldAtSize: Equity | string;
  readonly coins: CoinFlips | string;
  readonly section: Section;
}

/** Computes both on the same quotes, over the same time, with the same capital. */
export function benchmarks(of: {
  readonly equity: Equity | string;
  readonly products: readonly string[];
  /** The largest position of each product, in base currency. */
  readonly sizes: ReadonlyMap<string, number>;
  readonly trades: readonly ReportedTrade[];
  readonly open: readonly OpenPosition[];
  readonly columns: readonly QuoteColumns[];
  /** Lanes that were played by a model, which what is held is valued by as well. */
  readonly modelled: readonly PriceColumns[];
  readonly currency: string;
  readonly seed: string;
  readonly annual: Annual;
  readonly everyQuote: boolean;
  /** What a side of a product cost the run more because of its amounts, as a share of the price: both pay it too. */
  readonly worse: ReadonlyMap<string, number>;
}): Benchmarks {
  const { equity, products, sizes, trades, open, columns, currency, seed, annual, worse } = of;
  const over =
    typeof equity === 'string'
      ? undefined
      : { columns, currency, from: equity.from, to: equity.to, empty: equity.empty, partly: equity.partly, worse };
  const bought = (more: Pick<HoldInput, 'sizes' | 'capitalIn'>): Equity | string =>
    over && typeof equity !== 'string'
      ? buyAndHold({ ...over, ...more, products, modelled: of.modelled, capital: equity.capital, everyQuote: of.everyQuote })
      : String(equity);
  const held = bought({});
  const heldAtSize = typeof equity === 'string' ? equity : bought({ sizes, capitalIn: equity.capitalIn });
  const coins = over ? coinFlips({ ...over, traded: tradedLike(products, trades), seed }) : String(equity);
  const hold = (take: (known: Equity) => Metric): Metric => (typeof held === 'string' ? missing(held) : take(held));
  const atSize = (take: (known: Equity) => Metric): Metric => (typeof heldAtSize === 'string' ? missing(heldAtSize) : take(heldAtSize));
  const coin = (take: (known: CoinFlips) => Metric): Metric => (typeof coins === 'string' ? missing(coins) : take(coins));
  const rates = new Rates(columns);
  const rate = (amount: number, from: string): number => rates.worth(amount, { currency: from, into: currency, at: over?.to ?? 0 }) ?? 0;
  const days = (e: Equity) => relativeTo(typeof equity === 'string' ? [] : equity.days, e.days, annual);
  return {
    held,
    heldAtSize,
    coins,
    section: {
      title: 'Beside it, on the same quotes',
      figures: [
        figure(
          'holdSizeReturn',
          'largest position held throughout: total return',
          'share',
          atSize((e) => e.totalReturn),
        ),
        figure(
          'overHoldSize',
          'above the largest position held throughout',
          'share',
          atSize((e) => (typeof equity === 'string' ? missing(equity) : equity.totalReturn - e.totalReturn)),
        ),
        figure(
          'holdReturn',
          'buy and hold of all capital: total return',
          'share',
          hold((e) => e.totalReturn),
        ),
        figure(
          'holdDrawdown',
          'buy and hold of all capital: maximum equity drawdown',
          'share',
          hold((e) => e.falls[0]?.depth ?? 0),
        ),
        figure(
          'overHold',
          'above buy and hold of all capital',
          'share',
          hold((e) => (typeof equity === 'string' ? missing(equity) : equity.totalReturn - e.totalReturn)),
        ),
        figure(
          'betaToHold',
          'beta to buy and hold',
          'ratio',
          hold((e) => days(e).beta),
        ),
        figure(
          'alphaToHold',
          'alpha to buy and hold, a year',
          'share',
          hold((e) => days(e).alpha),
        ),
        figure(
          'trackingError',
          'tracking error to buy and hold, a year',
          'share',
          hold((e) => days(e).trackingError),
        ),
        figure(
          'informationRatio',
          'information ratio to buy and hold',
          'ratio',
          hold((e) => days(e).informationRatio),
        ),
        figure(
          'coinP5',
          'coin flips: profit, 5 %',
          'money',
          coin((c) => c.p5),
        ),
        figure(
          'coinP50',
          'coin flips: profit, median',
          'money',
          coin((c) => c.p50),
        ),
        figure(
          'coinP95',
          'coin flips: profit, 95 %',
          'money',
          coin((c) => c.p95),
        ),
        figure(
          'coinsBeaten',
          'coin flips with less profit',
          'share',
          coin((c) => beaten(c, profitLike(trades, open, rate))),
        ),
      ],
    },
  };
}

function tradedLike(products: readonly string[], trades: readonly ReportedTrade[]): readonly TradedLike[] {
  return products.map((product): TradedLike => {
    const own = trades.filter((trade) => trade.product === product);
    const size = own.length === 0 ? 0 : own.reduce((sum, trade) => sum + trade.size, 0) / own.length;
    return { product, trades: own.length, size, shorts: own.some(({ side }) => side === 'short') };
  });
}

/** The run's profit in the products of the coin flips: round trips, and open positions at the end. */
function profitLike(
  trades: readonly ReportedTrade[],
  open: readonly OpenPosition[],
  worth: (amount: number, currency: string) => number,
): number {
  const flipped = new Set(trades.map(({ product }) => product));
  const held = open.filter(({ product }) => flipped.has(product));
  const closed = trades.reduce((sum, { profit }) => sum + profit, 0);
  return held.reduce((sum, { unrealised, quoteCcy }) => sum + worth(unrealised ?? 0, quoteCcy), closed);
}
