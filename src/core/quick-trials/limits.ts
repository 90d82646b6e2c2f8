import { RecentPrices } from '#core/risk/collar.ts';
import type { Limits, ValueCap } from '#core/risk/limits.ts';
import { figureAt } from '#domain/figure-at.ts';
import { feePctOf, percentOf, type Quote, slippagePctOf, spreadPctOf } from '#domain/quote.ts';
import { type QuoteColumns, quoteAt } from '#domain/quote-columns.ts';

/** What a trial's own figures say of what its limits looked at: each at least as bad as what they saw. */
interface TrialFigures {
  readonly quoteCcy: string;
  /** The most that one order, and what one strategy held, may have been worth, in quote currency. */
  readonly mostWorth: number;
  /** The same of all that was held together. */
  readonly mostTogether: number;
  /** The same of the orders of one day together. */
  readonly mostDayWorth: number;
  /** The deepest fall of the value from its peak in money. */
  readonly deepestFall: number;
  readonly capital: number;
  /** Most closes in a row that brought no profit. */
  readonly lossStreak: number;
  /** True where an order cost more than was certainly left. */
  readonly isShortOfMoney: boolean;
}

/** Doubles err by less than this share, where the engine reckons in decimals. */
export const DOUBT = 1e-9;

type Judge<Limit> = (limit: Limit, seen: TrialFigures) => boolean;

const isAbove = (figure: number, limit: number): boolean => figure > limit * (1 - DOUBT);

/** A limit on value may bind from its own currency's figure on; without one only a rate would tell. */
const aboveCap =
  (figureOf: (seen: TrialFigures) => number): Judge<ValueCap> =>
  (cap, seen) => {
    if (cap === null) return false;
    const limit = cap.get(seen.quoteCcy)?.toNumber();
    return limit === undefined || isAbove(figureOf(seen), limit);
  };

const most = aboveCap(({ mostWorth }) => mostWorth);
const together = aboveCap(({ mostTogether }) => mostTogether);
/** Played with each trial. */
const played: Judge<unknown> = () => false;
/** Held against each row, before any trial: `mayRefuse`. */
const byRow: Judge<unknown> = () => false;
/** No order of a screened trial is rejected, or of unknown outcome. */
const never: Judge<unknown> = () => false;
/** Begins to count with another limit. */
const withAnother: Judge<unknown> = () => false;

/** Whether a limit could have bound in a trial. One without a line here could wherever it is on, as those on how often orders come. */
const COULD_BIND: { readonly [Name in keyof Limits]?: Judge<Limits[Name]> } = {
  maxOrderValue: most,
  maxPositionValue: together,
  maxExitValue: most,
  maxStrategyValue: most,
  maxTotalValue: together,
  maxDayValue: aboveCap(({ mostDayWorth }) => mostDayWorth),
  maxDayLoss: aboveCap(({ deepestFall }) => deepestFall),
  maxDrawdownPct: (limit, { deepestFall, capital }) => limit !== null && isAbove(percentOf(deepestFall, capital), limit),
  reducingOrderSharePct: withAnother,
  maxSpreadPct: byRow,
  maxSlippagePct: byRow,
  maxFeePct: byRow,
  collarPct: byRow,
  reducingCollarPct: byRow,
  minTimeLeftMs: byRow,
  maxUnknown: never,
  maxRejectionStreak: never,
  maxLossStreak: played,
  maxLossStreakOfAll: (limit, { lossStreak }) => limit !== null && lossStreak >= limit,
  lossCooldown: played,
  spending: (limit, { isShortOfMoney }) => limit === 'funded' && isShortOfMoney,
};

/** The first limit that could have bound, by its name; undefined where none could. */
export function couldHaveBound(limits: Limits, seen: TrialFigures): keyof Limits | undefined {
  return Object.keys(limits).find((name): name is keyof Limits => name in limits && binds(name as keyof Limits, limits, seen));
}

const binds = <Name extends keyof Limits>(name: Name, limits: Limits, seen: TrialFigures): boolean =>
  COULD_BIND[name]?.(limits[name], seen) ?? limits[name] !== null;

/** Quotes that the collar's median is made from, and a few more. */
const AROUND = 24;
const SIDES = ['buy', 'sell'] as const;

const feeOf = (quote: Quote, side: 'buy' | 'sell'): number => feePctOf(quote[side], quote.feePercentage) ?? Number.NaN;

interface RowChecks {
  readonly quotes: QuoteColumns;
  readonly limits: Limits;
  readonly roundTripMs: number;
  readonly marginMs: number;
}

/** Settings for which an order on a row may be refused. */
export const DOUBTS = [
  'risk.minTimeLeftMs, or as its quote is over when it comes (backtest.latency)',
  'risk.maxSpreadPct',
  'risk.maxSlippagePct',
  'risk.maxFeePct',
  'risk.collarPct',
] as const;

/** Whether a check that looks at the quote may refuse an order on a row, or the quote may be over when it arrives: 0, or the place in DOUBTS counted from 1. */
export function mayRefuse({ quotes, limits, roundTripMs, marginMs }: RowChecks): (row: number, quote: Quote) => number {
  const { at, buy, sell } = quotes;
  const collar = Math.min(limits.collarPct ?? Number.POSITIVE_INFINITY, limits.reducingCollarPct ?? Number.POSITIVE_INFINITY);
  const { maxSpreadPct, maxSlippagePct, maxFeePct } = limits;
  // An opening needs the round trip of answers besides, as it was measured; without that limit none does.
  const forOpenings = limits.minTimeLeftMs === null ? 0 : limits.minTimeLeftMs + 2 * roundTripMs;
  const leastMs = Math.max(forOpenings, roundTripMs + marginMs) + 1;
  const over = (figure: number, limit: number | null): boolean => limit !== null && !(figure <= limit * (1 - DOUBT));
  const apart = (prices: Float64Array, row: number): number => {
    let [least, greatest] = [figureAt(prices, row), figureAt(prices, row)];
    for (let before = Math.max(0, row - AROUND); before < row; before++) {
      least = Math.min(least, figureAt(prices, before));
      greatest = Math.max(greatest, figureAt(prices, before));
    }
    return percentOf(greatest - least, least);
  };
  /** By the engine's own median, which is of a minute alone. */
  const isOffMedian = (row: number, quote: Quote): boolean => {
    const prices = new RecentPrices();
    const first = Math.max(0, row - AROUND);
    prices.pass(prices.add(quoteAt(quotes, first), figureAt(at, first)), quotes, [first + 1, row + 1]);
    return SIDES.some((side) => {
      const median = prices.median(quote, side, figureAt(at, row)) ?? Number.NaN;
      return over(percentOf(Math.abs(quote[side].price - median), median), collar);
    });
  };
  return (row, quote) => {
    if (quote.validUntil - figureAt(at, row) < leastMs) return 1;
    if (over(spreadPctOf(quote), maxSpreadPct)) return 2;
    if (over(Math.max(slippagePctOf(quote.buy), slippagePctOf(quote.sell)), maxSlippagePct)) return 3;
    if (over(Math.max(feeOf(quote, 'buy'), feeOf(quote, 'sell')), maxFeePct)) return 4;
    // Prices that are close to each other are close to their median.
    const areApart = Number.isFinite(collar) && over(Math.max(apart(buy.price, row), apart(sell.price, row)), collar);
    return areApart && isOffMedian(row, quote) ? 5 : 0;
  };
}
