import { closing, closingSide, NEVER, type QuoteMark } from '#core/portfolio/valuation.ts';
import { invariant } from '#domain/errors.ts';
import { codeAt, figureAt } from '#domain/figure-at.ts';
import type { Millis } from '#domain/names.ts';
import { BLOCK } from './columns.ts';
import type { ClosingPrices, Rows } from './rows.ts';
import type { LaneStream } from './stream.ts';

/** A day as it ends, and the place behind the last quote that is of it. */
export interface DayEnd {
  readonly at: Millis;
  readonly whole: boolean;
  readonly end: number;
}

interface CourseOf {
  readonly stream: LaneStream;
  /** Lanes of the strategies whose positions it follows, by their numbers. */
  readonly traded: readonly number[];
  readonly capital: number;
  readonly days: readonly DayEnd[];
  /** As a report sees it; else as the engine does, which sees imported quotes of one time together, as bars that end then. */
  readonly isReported: boolean;
}

/** What is held in a product: by the lane of the largest position all of them are valued. */
class Line {
  readonly lanes: readonly number[];
  /** The newest quotes of several lanes. */
  readonly marks: readonly RowMark[];
  /** Strategies that trade it, by their places. */
  private readonly traders: readonly number[];
  long = 0;
  short = 0;
  largest = 0;
  worth = 0;

  constructor(lanes: readonly number[], { stream, traded }: Pick<CourseOf, 'stream' | 'traded'>) {
    this.lanes = lanes;
    this.marks = lanes.length === 1 ? [] : lanes.flatMap((lane) => stream.lanes[lane] ?? []).map((rows) => new RowMark(rows));
    this.traders = [...traded.keys()].filter((trader) => lanes.includes(traded[trader] ?? -1));
  }

  hold(sizes: readonly number[]): void {
    [this.long, this.short, this.largest] = [0, 0, 0];
    for (const trader of this.traders) {
      const size = sizes[trader] ?? 0;
      if (size > 0) this.long += size;
      else this.short += size;
      this.largest = Math.max(this.largest, Math.abs(size));
    }
  }
}

/** The value along the quotes, at closing prices, of what is held and of what was earned less spent: its deepest falls, and what it is as each day ends. */
export class Course {
  private readonly of: CourseOf;
  private readonly lines: readonly Line[];
  /** The product of each lane. */
  private readonly lineOf: readonly Line[];
  /** What each strategy holds. */
  private readonly sizes: number[];
  private readonly ends: number[] = [];
  private base: number;
  private place = 0;
  /** Of each lane the row behind its newest, once something is held. */
  private readonly next: number[];
  private peak: number;
  /** The deepest fall in money, and as a share of the peak before it. */
  fall = 0;
  fallShare = 0;
  least: number;

  constructor(of: CourseOf) {
    const { stream, traded, capital } = of;
    this.of = of;
    this.base = capital;
    this.peak = capital;
    this.least = capital;
    this.sizes = traded.map(() => 0);
    this.next = stream.lanes.map(() => 0);
    const products = Map.groupBy(stream.lanes.keys(), (lane) => stream.lanes[lane]?.product.code);
    this.lines = [...products.values()].map((lanes) => new Line(lanes, of));
    this.lineOf = stream.lanes.flatMap((_, lane) => this.lines.find(({ lanes }) => lanes.includes(lane)) ?? []);
  }

  /** Goes to before a place at a time, while what is held stays. */
  to(end: number, at: Millis): void {
    const { days, stream } = this.of;
    // What is executed at midnight is of the day that begins; with a bar that ends then it is of the day that ends.
    const late = stream.areBars ? 0 : 1;
    for (let day = days[this.ends.length]; day && day.end <= end && day.at < at + late; day = days[this.ends.length]) {
      this.go(day.end);
      this.ends.push(this.worth);
    }
    this.go(end);
  }

  /** A strategy has executed an order: it holds so much, and all have so much more money. */
  filled(trader: number, size: number, money: number): void {
    this.sizes[trader] = size;
    this.base += money;
    this.lineOfTrader(trader).hold(this.sizes);
    this.mark();
  }

  /** What all is worth by the newest quotes. */
  get worth(): number {
    let worth = this.base;
    for (const line of this.lines) worth += line.worth;
    return worth;
  }

  /** The price at which a strategy's position would be closed now. */
  closingPrice(trader: number): number {
    const line = this.lineOfTrader(trader);
    return this.priceOf(line, (this.sizes[trader] ?? 0) < 0 ? -line.largest : line.largest);
  }

  private lineOfTrader(trader: number): Line {
    return this.lineOfLane(this.of.traded[trader] ?? -1);
  }

  private lineOfLane(lane: number): Line {
    const line = this.lineOf[lane];
    invariant(line !== undefined, 'a lane beyond its stream');
    return line;
  }

  /** Values as days ended; the last one as all ended. */
  get endsOfDays(): readonly number[] {
    const { days } = this.of;
    return days.map((_, day) => (day === days.length - 1 ? this.worth : (this.ends[day] ?? this.worth)));
  }

  /** Sees the value as it is now. */
  see(): void {
    const value = this.worth;
    if (value < this.least) this.least = value;
    if (value > this.peak) this.peak = value;
    const fall = this.peak - value;
    if (fall > this.fall) this.fall = fall;
    if (fall > this.fallShare * this.peak) this.fallShare = fall / this.peak;
  }

  private go(end: number): void {
    const { stream } = this.of;
    const from = this.place;
    this.place = end;
    if (end === from) return;
    let [held, lines] = [this.lines[0], 0];
    for (const line of this.lines) {
      if (line.largest === 0) continue;
      held = line;
      lines += 1;
    }
    if (lines === 0 || !held) return;
    const { lanes, long, short } = held;
    const [lane = 0] = lanes;
    const rows = stream.lanes[lane];
    if (lines > 1 || lanes.length > 1 || !rows || (long > 0 && short < 0)) return this.walk(from, end);
    this.along(long > 0 ? rows.ofLong : rows.ofShort, [stream.rowsBefore(lane, from), stream.rowsBefore(lane, end)], long - short);
    this.mark();
  }

  /** Values all by the quotes before the place. */
  private mark(): void {
    const { stream } = this.of;
    for (let lane = 0; lane < this.next.length; lane++) this.next[lane] = stream.rowsBefore(lane, this.place);
    for (const line of this.lines) {
      for (let n = 0; n < line.marks.length; n++) line.marks[n]?.see((this.next[line.lanes[n] ?? 0] ?? 0) - 1);
      line.worth = this.worthOf(line);
    }
  }

  private worthOf(line: Line): number {
    const { long, short, largest } = line;
    return (long === 0 ? 0 : long * this.priceOf(line, largest)) + (short === 0 ? 0 : short * this.priceOf(line, -largest));
  }

  /** The price at which a size would be closed, by the engine's own rule where a product has several lanes. */
  private priceOf({ lanes: [lane = 0], marks }: Line, size: number): number {
    if (marks.length > 0) {
      const mark = closing(marks, size);
      invariant(mark !== undefined, 'a position without a quote');
      return closingSide(mark.quote, size).price;
    }
    const quotes = this.of.stream.lanes[lane]?.quotes;
    invariant(quotes !== undefined, 'a product without a lane');
    return figureAt(closingSide(quotes, size).price, (this.next[lane] ?? 0) - 1);
  }

  /** Sees the value at each place. */
  private walk(from: number, end: number): void {
    const { stream, isReported } = this.of;
    const { lanes, areBars, areImported } = stream;
    const order = isReported ? stream.reported : stream.played;
    const areTogether = areBars || (areImported && !isReported);
    const next = [...this.next];
    for (let place = from; place < end; place++) {
      const lane = order.length === 0 ? 0 : codeAt(order, place);
      const row = next[lane] ?? 0;
      next[lane] = row + 1;
      this.show(lane, row);
      for (let other = 0; areTogether && other < lanes.length; other++) {
        const ahead = next[other] ?? 0;
        if (other !== lane && lanes[other]?.quotes.at[ahead] === lanes[lane]?.quotes.at[row]) this.show(other, ahead);
      }
      this.see();
    }
  }

  /** A row is its lane's newest. */
  private show(lane: number, row: number): void {
    const line = this.lineOfLane(lane);
    this.next[lane] = row + 1;
    line.marks[line.lanes.indexOf(lane)]?.see(row);
    if (line.largest > 0) line.worth = this.worthOf(line);
  }

  /** Sees the value at each row of one lane; of a whole block only its least and its greatest, where no fall within it counts. */
  private along(of: ClosingPrices, [from, end]: readonly [number, number], size: number): void {
    const { prices } = of;
    const { base } = this;
    const signed = of.sign * size;
    let { peak, fall, fallShare, least } = this;
    for (let row = from; row < end; ) {
      let next = row + 1;
      let low = Number.NaN;
      let high = Number.NaN;
      if (row % BLOCK === 0 && row + BLOCK <= end) {
        const block = row / BLOCK;
        const within = size * figureAt(of.fall, block);
        high = base + size * figureAt(of.greatest, block);
        // A peak within the block is above the one before: no fall from it is deeper than these are.
        if (high <= peak || (within <= fall && within <= fallShare * peak)) {
          low = base + size * figureAt(of.least, block);
          next = row + BLOCK;
        }
      }
      if (next === row + 1) low = high = base + signed * figureAt(prices, row);
      if (low < least) least = low;
      if (low > peak) peak = low;
      else {
        const fell = peak - low;
        if (fell > fall) fall = fell;
        if (fell > fallShare * peak) fallShare = fell / peak;
      }
      if (high > peak) peak = high;
      row = next;
    }
    this.peak = peak;
    this.fall = fall;
    this.fallShare = fallShare;
    this.least = least;
  }
}

/** The newest quote of a lane. */
class RowMark implements QuoteMark {
  private readonly quotes: Rows['quotes'];
  readonly quote: QuoteMark['quote'];
  private readonly buy = { price: Number.NaN, size: Number.NaN };
  private readonly sell = { price: Number.NaN, size: Number.NaN };
  at = NEVER;

  constructor({ quotes }: Rows) {
    const { product, baseCcy, quoteCcy } = quotes;
    this.quotes = quotes;
    this.quote = { product, baseCcy, quoteCcy, buy: this.buy, sell: this.sell };
  }

  /** Takes a newer row; below zero it has none yet. */
  see(row: number): void {
    if (row < 0) return;
    const { at, buy, sell } = this.quotes;
    this.at = figureAt(at, row);
    this.buy.price = figureAt(buy.price, row);
    this.buy.size = figureAt(buy.size, row);
    this.sell.price = figureAt(sell.price, row);
    this.sell.size = figureAt(sell.size, row);
  }
}
