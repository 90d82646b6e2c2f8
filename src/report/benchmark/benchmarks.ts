import type { PriceColumns, QuoteColumns } from '#domain/quote-columns.ts';
import type { Equity } from '#report/equity/equity-value.ts';
import { RateTable } from '#report/equity/rates.ts';
import { type Figure, figuresOf, type Section } from '#report/figures.ts';
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
  /** As much as the largest position of each product, bought and held: of a run that was short the opposite. */
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
  const rates = new RateTable(columns);
  const rate = (amount: number, from: string): number => rates.worth(amount, { currency: from, into: currency, at: over?.to ?? 0 }) ?? 0;
  const figures = [
    ...beside(equity, { held, heldAtSize, annual }),
    ...figuresOf(coins, [
      ['coinP5', 'random entries: profit, 5 %', 'money', (c) => c.p5],
      ['coinP50', 'random entries: profit, median', 'money', (c) => c.p50],
      ['coinP95', 'random entries: profit, 95 %', 'money', (c) => c.p95],
      ['coinsBeaten', 'random entries with less profit', 'share', (c) => beaten(c, profitLike(trades, open, rate))],
    ]),
  ];
  return { held, heldAtSize, coins, section: { title: 'Beside it, on the same quotes', figures } };
}

/** The run beside what holding would have come to. */
function beside(
  equity: Equity | string,
  { held, heldAtSize, annual }: Pick<Benchmarks, 'held' | 'heldAtSize'> & { readonly annual: Annual },
): readonly Figure[] {
  const above = (e: Equity): Metric => (typeof equity === 'string' ? missing(equity) : equity.totalReturn - e.totalReturn);
  const days = (e: Equity) => relativeTo(typeof equity === 'string' ? [] : equity.days, e.days, annual);
  return [
    ...figuresOf(heldAtSize, [
      ['holdSizeReturn', 'buying and holding as much as the largest position: total return', 'share', (e) => e.totalReturn],
      ['overHoldSize', 'above buying and holding as much as the largest position', 'share', above],
    ]),
    ...figuresOf(held, [
      ['holdReturn', 'buy and hold of all capital: total return', 'share', (e) => e.totalReturn],
      ['holdDrawdown', 'buy and hold of all capital: maximum equity drawdown', 'share', (e) => e.falls[0]?.depth ?? 0],
      ['overHold', 'above buy and hold of all capital', 'share', above],
      ['betaToHold', 'beta to buy and hold', 'ratio', (e) => days(e).beta],
      ['alphaToHold', 'alpha to buy and hold, a year', 'share', (e) => days(e).alpha],
      ['trackingError', 'tracking error to buy and hold, a year', 'share', (e) => days(e).trackingError],
      ['informationRatio', 'information ratio to buy and hold', 'ratio', (e) => days(e).informationRatio],
    ]),
  ];
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
