import { figureAt } from '#domain/figure-at.ts';
import type { Millis } from '#domain/names.ts';
import type { PriceColumns, RowRange } from '#domain/quote-columns.ts';
import { type PriceRanges, rangesOf } from '#report/price-ranges.ts';
import type { TimeSpan } from './empty-times.ts';
import { Falls, MoneyFall } from './falls.ts';
import { ThinnedSeries } from './thinned.ts';

/** Stretches of time in a chart. */
export const STRETCHES = 1_200;

/** Number of rows up to which they are taken one by one. */
const FEW = 8;

/** The value of books along a lane's quotes between bookings, `kept + (earned + size * price)`, and its growth. */
interface Line {
  readonly size: number;
  readonly earned: number;
  /** The contributed capital, flows included. */
  readonly kept: number;
  readonly capital: number;
  readonly flows: number;
  /** Growth up to the last flow, and the value right after it. */
  readonly growth: number;
  readonly base: number;
}

/** Prices of one side of a lane with the times of their quotes. */
interface LanePrices {
  readonly at: Float64Array;
  readonly prices: Float64Array;
  readonly ranges: PriceRanges;
}

const worthOf = ({ kept, earned, size }: Line, price: number): number => kept + (earned + size * price);
const growthOf = ({ growth, base }: Line, worth: number): number => (growth * worth) / base;

/** The course of a value: its drawdowns as shares and in money, and its charts. */
export class EquityCourse {
  readonly falls: Falls;
  readonly money: MoneyFall;
  private readonly capital: number;
  private readonly isInMoney: boolean;
  private readonly charts: Readonly<Record<'value' | 'fall' | 'paid', ThinnedSeries>>;

  /** `isInMoney`: its chart is of what there is, flows and revaluation included, instead of the growth of the initial capital. */
  constructor(
    begun: { readonly at: Millis; readonly capital: number },
    over: TimeSpan & { readonly empty?: readonly TimeSpan[] },
    isInMoney = false,
  ) {
    const { at, capital } = begun;
    this.capital = capital;
    this.isInMoney = isInMoney;
    this.falls = new Falls(1, at, over.empty);
    this.money = new MoneyFall(at);
    const empty = (): ThinnedSeries => new ThinnedSeries(over.from, over.to, STRETCHES);
    this.charts = { value: empty(), fall: empty(), paid: empty() };
    this.charts.value.add(at, capital);
    this.charts.fall.add(at, 0);
    this.pay(capital, at);
  }

  get chart() {
    return this.charts.value.points();
  }

  get fallChart() {
    return this.charts.fall.points();
  }

  get paidChart() {
    return this.charts.paid.points();
  }

  /** Capital and flows have come to so much. */
  pay(paid: number, at: Millis): void {
    this.charts.paid.add(at, paid);
  }

  /** The value has grown to `growth`, and with revaluation all is worth `whole`; `before`: when the one before was seen, which stood until then. */
  see(
    { growth, profit, whole }: { readonly growth: number; readonly profit: number; readonly whole: number },
    at: Millis,
    before: Millis,
  ): void {
    const fall = this.falls.see(growth, at, before);
    this.money.see(profit, at);
    this.charts.value.add(at, this.isInMoney ? whole : growth * this.capital);
    this.charts.fall.add(at, fall);
  }

  /**
   * As `see` at each of some rows, with the same doubles: what the value comes to rises or falls with the price alone, so that the
   * extremes of many rows say whether any of them brings a new peak or a deeper fall. False, with nothing seen, where the capital
   * is lost among them or their prices are none.
   */
  along(line: Line, { lane: columns, rows }: { readonly lane: PriceColumns; readonly rows: RowRange }, before: Millis): boolean {
    const prices = (line.size < 0 ? columns.buy : columns.sell).price;
    const ranges = rangesOf(prices);
    if (!ranges.isWhole) return false;
    ranges.between(...rows);
    const least = worthOf(line, line.size < 0 ? ranges.high : ranges.low);
    if (!(line.base > 0 && line.growth > 0 && least > 0)) return false;
    const lane: LanePrices = { at: columns.at, prices, ranges };
    const { value } = this.charts;
    const [from, to] = rows;
    for (let row = from; row < to; ) {
      const end = value.endOfStretch(lane.at, [row, to]);
      this.stretch(line, lane, [row, end], row === from ? before : (lane.at[row - 1] ?? before));
      row = end;
    }
    return true;
  }

  /** Rows of one stretch of the charts. */
  private stretch(line: Line, lane: LanePrices, [from, to]: RowRange, before: Millis): void {
    const { falls, money, charts } = this;
    const { ranges, at, prices } = lane;
    ranges.between(from, to);
    const isShort = line.size < 0;
    const [low, high] = [worthOf(line, isShort ? ranges.high : ranges.low), worthOf(line, isShort ? ranges.low : ranges.high)];
    const [lowest, highest] = [growthOf(line, low), growthOf(line, high)];
    const { capital, flows } = line;
    if (falls.goesOn(lowest, highest) && money.goesOn(low - capital - flows, high - capital - flows)) {
      const end = worthOf(line, figureAt(prices, to - 1));
      const last = growthOf(line, end);
      const time = at[to - 1] ?? before;
      const grown = { low: lowest * this.capital, high: highest * this.capital, last: last * this.capital };
      charts.value.addAll(time, this.isInMoney ? { low, high, last: end } : grown);
      charts.fall.addAll(time, { low: falls.depthOf(highest), high: falls.depthOf(lowest), last: falls.depthOf(last) });
    } else if (to - from <= FEW) {
      for (let row = from; row < to; row++) {
        const worth = worthOf(line, figureAt(prices, row));
        const time = at[row] ?? before;
        this.see(
          { growth: growthOf(line, worth), profit: worth - capital - flows, whole: worth },
          time,
          row === from ? before : (at[row - 1] ?? before),
        );
      }
    } else {
      const middle = (from + to) >> 1;
      this.stretch(line, lane, [from, middle], before);
      this.stretch(line, lane, [middle, to], at[middle - 1] ?? before);
    }
  }
}
