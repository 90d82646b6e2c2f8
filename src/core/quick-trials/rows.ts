import { MarketData } from '#core/market/market.ts';
import { canBeOrdered } from '#core/portfolio/valuation.ts';
import type { Limits } from '#core/risk/limits.ts';
import { codeAt, figureAt } from '#domain/figure-at.ts';
import type { FreshnessOf } from '#domain/freshness.ts';
import type { Lane } from '#domain/lane.ts';
import type { Product } from '#domain/product.ts';
import { type QuoteColumns, quoteAt, type SideColumns } from '#domain/quote-columns.ts';
import { BLOCK } from './columns.ts';
import { DOUBTS, mayRefuse } from './limits.ts';
import { ScreenRefusal } from './screen-refusal.ts';

/** The prices at which a position is closed, in blocks. `sign` makes more the better: -1 for what a short position is bought back at. */
export interface ClosingPrices {
  readonly sign: 1 | -1;
  readonly prices: Float64Array;
  /** Of each block, with the sign: the least, the greatest, and the deepest fall within it. */
  readonly least: Float64Array;
  readonly greatest: Float64Array;
  readonly fall: Float64Array;
}

/** What an order on a row comes to. */
export const NO_ORDER = 0;
export const EXECUTED = 1;
/** Why the engine plays a trial with an order on a row, by what that comes to. */
export const WHY_NOT: readonly string[] = [
  'an order on a quote that takes none',
  '',
  ...DOUBTS.map((of) => `an order that may be refused for ${of}`),
  'an amount below the least of its product',
  'a quote of another size',
];
const OTHER_SIZE = WHY_NOT.length - 1;
const TOO_SMALL = OTHER_SIZE - 1;

/** What the rows of one recording are to every trial alike. */
export interface Rows {
  readonly quotes: QuoteColumns;
  readonly lane: Lane;
  readonly product: Product;
  /** Of each row: NO_ORDER where the lane takes none, EXECUTED, or the place in WHY_NOT of what may refuse it. */
  readonly orders: Uint8Array;
  /** Fee of each side in quote currency. */
  readonly fees: Readonly<Record<'buy' | 'sell', Float64Array>>;
  readonly ofLong: ClosingPrices;
  readonly ofShort: ClosingPrices;
  /** The highest price of a side, what one order is never worth more than by. */
  readonly highest: number;
}

interface RowsOf {
  readonly quotes: QuoteColumns;
  readonly lane: Lane;
  readonly product: Product;
  readonly freshnessOf: FreshnessOf;
  readonly limits: Limits;
  /** From a decision to the answer, in milliseconds, and what a quote must live beyond its order's arrival. */
  readonly roundTripMs: number;
  readonly marginMs: number;
}

/** Places of what an order needs of its row: its time, what it comes to, and of each side value and fee. */
export const RECORD = { width: 8, order: 1, buy: 2, sell: 4, fee: 1 } as const;

/** What orders need, row by row: they are far apart, and each column would be another place in memory. */
export function recordsOf({ quotes: { length, at, buy, sell }, orders, fees }: Rows): Float64Array {
  const records = new Float64Array(RECORD.width * length);
  for (let row = 0; row < length; row++) {
    const record = RECORD.width * row;
    records[record] = figureAt(at, row);
    records[record + RECORD.order] = codeAt(orders, row);
    records[record + RECORD.buy] = figureAt(buy.value, row);
    records[record + RECORD.buy + RECORD.fee] = figureAt(fees.buy, row);
    records[record + RECORD.sell] = figureAt(sell.value, row);
    records[record + RECORD.sell + RECORD.fee] = figureAt(fees.sell, row);
  }
  return records;
}

/** Plays each quote through the engine's own market, and holds each row against the checks of orders. Throws ScreenRefusal where the market refuses or sets aside. */
export function rowsOf({ quotes, lane, product, freshnessOf, limits, roundTripMs, marginMs }: RowsOf): Rows {
  const { length, at, epoch, buy, sell } = quotes;
  const market = new MarketData({ freshnessOf, jumpPct: limits.reducingCollarPct });
  market.open(lane);
  market.products([product]);
  market.change({ lane: lane.id, epoch: figureAt(epoch, 0), phase: 'acked' }, figureAt(at, 0));
  const orders = new Uint8Array(length);
  const refuses = mayRefuse({ quotes, limits, roundTripMs, marginMs });
  let highest = 0;
  for (let row = 0; row < length; row++) {
    const time = figureAt(at, row);
    if (row > 0 && time < figureAt(at, row - 1)) throw new ScreenRefusal('times of quotes that go back');
    if (epoch[row] !== epoch[0]) throw new ScreenRefusal('a recording of several subscriptions');
    const quote = quoteAt(quotes, row);
    const refused = market.accept(quote, time);
    if (refused !== null) throw new ScreenRefusal(`quotes that their lane refuses (${refused})`);
    const fault = market.untradable(lane.id, time);
    const [bought, sold] = [figureAt(buy.price, row), figureAt(sell.price, row)];
    highest = Math.max(highest, bought, sold);
    // An import has no ids; a backtest gives its quotes some.
    if (fault !== null && fault !== 'QUOTE_WITHOUT_ID') continue;
    if (!isLarge(lane, product, bought) || !isLarge(lane, product, sold)) orders[row] = TOO_SMALL;
    else if (!isOfLane(lane, buy, row) || !isOfLane(lane, sell, row)) orders[row] = OTHER_SIZE;
    else orders[row] = EXECUTED + refuses(row, quote);
  }
  return {
    quotes,
    lane,
    product,
    orders,
    fees: { buy: feesOf(buy, length), sell: feesOf(sell, length) },
    ofLong: closingPrices(sell.price, 1),
    ofShort: closingPrices(buy.price, -1),
    highest,
  };
}

function isLarge({ amount }: Lane, product: Product, price: number): boolean {
  return 'base' in amount && canBeOrdered(amount.base, product, { price });
}

const isOfLane = ({ amount }: Lane, { size }: SideColumns, row: number): boolean =>
  'base' in amount && amount.base.toNumber() === figureAt(size, row);

/** As the service tells them. One that it tells in base currency alone is for the engine to turn. */
function feesOf({ feeInQuoteCcy, feeInBaseCcy }: SideColumns, rows: number): Float64Array {
  for (let row = 0; row < rows; row++)
    if (feeInQuoteCcy[row] === 0 && feeInBaseCcy[row] !== 0) throw new ScreenRefusal('fees in base currency alone');
  return feeInQuoteCcy;
}

function closingPrices(prices: Float64Array, sign: 1 | -1): ClosingPrices {
  const count = Math.ceil(prices.length / BLOCK);
  const [least, greatest, fall] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  for (let block = 0; block < count; block++) {
    let [low, high, deepest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
    for (let row = block * BLOCK; row < Math.min(prices.length, (block + 1) * BLOCK); row++) {
      const price = sign * figureAt(prices, row);
      if (price > high) high = price;
      if (price < low) low = price;
      if (high - price > deepest) deepest = high - price;
    }
    least[block] = low;
    greatest[block] = high;
    fall[block] = deepest;
  }
  return { sign, prices, least, greatest, fall };
}
