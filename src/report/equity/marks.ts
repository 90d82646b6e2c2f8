import { NEVER, type QuoteMark, Valuation } from '#core/portfolio/valuation.ts';
import { figureAt } from '#domain/figure-at.ts';
import type { Millis } from '#domain/names.ts';
import type { PriceColumns } from '#domain/quote-columns.ts';
import type { LaneUpdate } from './quote-walk.ts';

/** The newest row of a lane as a quote; the first row where none has come. */
export class RowMark implements QuoteMark {
  readonly columns: PriceColumns;
  at = NEVER;
  private readonly buy = { price: Number.NaN, size: Number.NaN };
  private readonly sell = { price: Number.NaN, size: Number.NaN };
  readonly quote: QuoteMark['quote'];

  constructor(columns: PriceColumns) {
    this.columns = columns;
    const { product, baseCcy, quoteCcy } = columns;
    this.quote = { product, baseCcy, quoteCcy, buy: this.buy, sell: this.sell };
    this.see(-1);
  }

  /** Takes a newer row; below zero it has none yet. */
  see(row: number, at: Millis = row < 0 ? NEVER : (this.columns.at[row] ?? NEVER)): void {
    const { buy, sell } = this.columns;
    const place = Math.max(0, row);
    this.buy.price = figureAt(buy.price, place);
    this.buy.size = figureAt(buy.size, place);
    this.sell.price = figureAt(sell.price, place);
    this.sell.size = figureAt(sell.size, place);
    this.at = at;
  }
}

/** Values at the newest recorded quotes. Before the first one of a product its price is that of this one, so that what was traded until then has a value. */
export class RecordedMarks extends Valuation<RowMark> {
  private readonly lanes: readonly RowMark[];

  constructor(columns: readonly PriceColumns[]) {
    super();
    this.lanes = columns.map((one) => new RowMark(one));
    for (const mark of this.lanes) this.enter(mark);
  }

  /** Takes a lane's newer quote. */
  see(lane: number, row: number, at?: Millis): void {
    this.lanes[lane]?.see(row, at);
  }

  /**
   * Takes what came at one instant, which is one price of all that is held, and calls `onPrice` with it: before that at each range of a bar with
   * the last prices of the others.
   */
  seeAll(brought: readonly LaneUpdate[], at: Millis, onPrice: () => void): void {
    for (const { lane, rows } of brought) this.see(lane, rows[1] - 1, at);
    for (const { lane, rows } of brought) {
      for (let row = rows[0]; row < rows[1] - 1; row++) {
        this.see(lane, row, at);
        onPrice();
        this.see(lane, rows[1] - 1, at);
      }
    }
    onPrice();
  }

  /** Lanes, by their places, that had no quote after an instant. */
  silentSince(from: Millis): readonly number[] {
    return this.lanes.flatMap(({ at }, lane) => (at <= from ? lane : []));
  }

  protected override before(lanes: readonly RowMark[]): RowMark | undefined {
    return firstOf(lanes);
  }

  /** The value of an amount in another currency; undefined if no quote converts it. */
  worth(amount: number, currency: string, into: string): number | undefined {
    if (currency === into || amount === 0) return amount;
    const way = this.way(currency, into);
    const rate = way && this.rateAlong(way, amount);
    return rate !== undefined && Number.isFinite(rate) ? amount * rate : undefined;
  }

  /** True if recorded lanes convert one currency into the other. */
  leads(currency: string, into: string): boolean {
    return currency === into || this.way(currency, into) !== undefined;
  }

  /** Time of the first quotes that convert one currency into the other; undefined where none do, or no quote is needed. */
  convertsFrom(currency: string, into: string): Millis | undefined {
    const way = currency === into ? [] : (this.way(currency, into) ?? []);
    const firsts = way.map(({ by }) => firstOf(this.lanesOf(by.product))?.columns.at[0] ?? Number.POSITIVE_INFINITY);
    const from = Math.max(...firsts);
    return Number.isFinite(from) ? from : undefined;
  }
}

/** The lane with the first quote of all. */
function firstOf(marks: readonly RowMark[]): RowMark | undefined {
  let first: RowMark | undefined;
  const at = ({ columns }: RowMark): Millis => columns.at[0] ?? Number.POSITIVE_INFINITY;
  for (const mark of marks) if (mark.columns.length > 0 && (!first || at(mark) < at(first))) first = mark;
  return first;
}
