import { figureAt } from '#domain/figure-at.ts';
import type { Millis } from '#domain/names.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { seeded } from '#domain/seeded.ts';
import { afterTraded, type PartialCoverage, type TimeSpan, tradedMs } from '#report/equity/empty-times.ts';
import { RateTable, rowAt } from '#report/equity/rates.ts';
import { quantile, sorted } from '#report/metrics/returns.ts';
import { noRate } from '#report/no-rate.ts';
import { feeShare } from './buy-and-hold.ts';

/** How often and how large the run traded a product, for the coin flips. */
export interface TradedLike {
  readonly product: string;
  readonly trades: number;
  /** Average size of a round trip, in base currency. */
  readonly size: number;
  /** True if the run went short: tails then sells short instead of being flat. */
  readonly shorts: boolean;
}

interface CoinInput {
  readonly traded: readonly TradedLike[];
  readonly columns: readonly QuoteColumns[];
  readonly currency: string;
  readonly from: Millis;
  readonly to: Millis;
  /** Times of it in which nothing is flipped. */
  readonly empty?: readonly TimeSpan[];
  /** Products that are flipped in a part of it alone, where they have quotes. */
  readonly partly?: readonly PartialCoverage[];
  /** What a side of a product costs more than its quote, as a share of the price; nothing without it. */
  readonly worse?: ReadonlyMap<string, number>;
  /** Names the sequence; each of the coins adds its number. */
  readonly seed: string;
}

/** What random entries of the same number and size would have earned, over many seeds. */
export interface CoinFlips {
  readonly seeds: number;
  readonly flips: number;
  /** Net profit in money. */
  readonly p5: number;
  readonly p50: number;
  readonly p95: number;
  /** Profit of each coin, sorted. */
  readonly profits: readonly number[];
}

const SEEDS = 200;

/** Maximum number of flips of all coins; beyond it fewer coins are flipped. */
const MAX_FLIPS = 4_000_000;

/** A product's flips with their prices looked up once, since every coin flips at the same times. */
interface Table {
  readonly size: number;
  readonly shorts: boolean;
  readonly buy: Float64Array;
  readonly sell: Float64Array;
  readonly fee: number;
  /** What one unit of quote currency is worth at the end. */
  readonly rate: number;
  readonly lastBuy: number;
  readonly lastSell: number;
}

/**
 * The results of coin flips on the same quotes. At equal distances of traded time each coin decides to hold the run's average size or not
 * (or to be short, if the run was), so often that on average it trades as often as the run. It buys at the buy side and
 * sells at the sell side, each `worse` and with its fee, on the first quote after the flip; open positions at the end count as the
 * run's do. Returns a text if there is no result.
 */
export function coinFlips({ traded, columns, currency, from, to, empty = [], partly = [], seed, worse }: CoinInput): CoinFlips | string {
  const tables: Table[] = [];
  const rates = new RateTable(columns);
  for (const one of traded) {
    if (one.trades === 0) continue;
    const lane = laneFor(columns, one);
    if (!lane || lane.length === 0) return `no quote of ${one.product} was recorded`;
    const rate = rates.worth(1, { currency: lane.quoteCcy, into: currency, at: to });
    if (rate === undefined) return noRate(lane.quoteCcy, currency);
    const own = partly.find(({ product }) => product === one.product) ?? { from, to };
    tables.push(tableOf(one, { lane, own, empty, to, rate, fee: feeShare(columns, one.product, to), worse: worse?.get(one.product) ?? 0 }));
  }
  if (tables.length === 0) return 'there was no round trip to compare with';
  const flips = tables.reduce((sum, { buy }) => sum + buy.length, 0);
  const seeds = Math.max(20, Math.min(SEEDS, Math.floor(MAX_FLIPS / flips)));
  const profits = Array.from({ length: seeds }, (_, n) => {
    const coin = seeded(`${seed} coin ${n}`);
    return tables.reduce((sum, table) => sum + profitOf(table, coin), 0);
  });
  const inOrder = sorted(profits);
  return {
    seeds,
    flips,
    p5: quantile(inOrder, 0.05),
    p50: quantile(inOrder, 0.5),
    p95: quantile(inOrder, 0.95),
    profits: inOrder,
  };
}

/** Share of the coins with a lower profit. */
export function beaten({ profits }: CoinFlips, profit: number): number {
  return profits.filter((one) => one < profit).length / profits.length;
}

function laneFor(columns: readonly QuoteColumns[], { product, size }: TradedLike): QuoteColumns | undefined {
  const lanes = columns.filter((one) => one.product === product && one.length > 0);
  // Lanes that stood the whole time before those that were lent for a moment; of them the one for that size.
  const longest = lanes.reduce((most, one) => Math.max(most, one.length), 0);
  const standing = lanes.filter(({ length }) => length >= longest / 2);
  const sizeOf = (lane: QuoteColumns): number => lane.buy.size[lane.length - 1] ?? 0;
  const bySize = standing.sort((a, b) => sizeOf(a) - sizeOf(b));
  return bySize.find((lane) => sizeOf(lane) >= size) ?? bySize.at(-1);
}

function tableOf(
  { trades, size, shorts }: TradedLike,
  at: Pick<Table, 'rate' | 'fee'> & {
    readonly lane: QuoteColumns;
    /** When it is flipped, but for empty times. */
    readonly own: TimeSpan;
    readonly empty: readonly TimeSpan[];
    readonly to: Millis;
    readonly worse: number;
  },
): Table {
  const { lane, own, empty, to, rate, fee, worse } = at;
  const length = tradedMs(own, empty);
  // A coin changes its mind every second time; a long trade begins with every second change, a short one with the others.
  const flips = trades * (shorts ? 2 : 4);
  const buy = new Float64Array(flips);
  const sell = new Float64Array(flips);
  for (let n = 0; n < flips; n += 1) {
    const row = Math.min(lane.length - 1, rowAt(lane, afterTraded((length * n) / flips, own.from, empty) - 1) + 1);
    buy[n] = figureAt(lane.buy.price, row) * (1 + worse);
    sell[n] = figureAt(lane.sell.price, row) * (1 - worse);
  }
  const end = Math.max(0, rowAt(lane, to));
  const lastBuy = figureAt(lane.buy.price, end) * (1 + worse);
  const lastSell = figureAt(lane.sell.price, end) * (1 - worse);
  return { size, shorts, buy, sell, fee, rate, lastBuy, lastSell };
}

function profitOf({ size, shorts, buy, sell, fee, rate, lastBuy, lastSell }: Table, coin: { next(): number }): number {
  let [held, cash] = [0, 0];
  for (let n = 0; n < buy.length; n += 1) {
    const wanted = coin.next() < 0.5 ? size : shorts ? -size : 0;
    if (wanted === held) continue;
    const change = wanted - held;
    const price = (change > 0 ? buy[n] : sell[n]) ?? Number.NaN;
    cash -= change * price + Math.abs(change) * price * fee;
    held = wanted;
  }
  return (cash + held * (held < 0 ? lastBuy : lastSell)) * rate;
}
