// Rows at once. One quote is defined in `risk-monitor.ts`; row by row this is held to it by `test/core/risk/quiet-rows.test.ts`.
import type { HeldInAll, HeldProduct } from '#core/portfolio/profit-state.ts';
import type { ProductBooks, ProfitTrack } from '#core/portfolio/profit-track.ts';
import type { LaneMark, Marks } from '#core/portfolio/valuation.ts';
import { firstAt } from '#domain/first-where.ts';
import type { QuoteColumns, RowRange } from '#domain/quote-columns.ts';
import type { QuoteTape } from '#domain/quote-tape.ts';
import type { PriceRing, RecentPrices } from './collar.ts';
import type { LossLimits, MeasuredRows } from './loss-limits.ts';
import type { TradingState } from './trading-state.ts';

/** What a lane has, kept between its quotes. */
interface LaneMemory {
  mark?: LaneMark | undefined;
  readonly prices?: PriceRing | undefined;
  line?: ProductBooks | undefined;
}

interface QuietRowsOptions {
  readonly profit: ProfitTrack;
  readonly marks: Marks;
  readonly prices: RecentPrices;
  readonly lossLimits: LossLimits;
  readonly measured: MeasuredRows;
  readonly state: Pick<TradingState, 'reducing' | 'stops'>;
}

/** Quotes that move the profit of products in one currency, with no limit reached and no row of the journal due. */
export class QuietRows {
  private readonly options: QuietRowsOptions;
  /** What profit comes to at each place of the tape up to which `lookAhead` came, where a product is held. */
  private values = new Float64Array(0);
  /** What `lookAhead` found to be held, for `pass`; undefined where no quote of the tape changes what is measured. */
  private looked: TapePass | undefined;

  constructor(options: QuietRowsOptions) {
    this.options = options;
  }

  /** The first place before `end` at which a quote does more; `end` where none does. `of` is what each lane of the tape has. */
  lookAhead(of: readonly LaneMemory[], tape: QuoteTape, end: number): number {
    const { profit, marks, state } = this.options;
    this.looked = undefined;
    const changesAt = Math.min(profit.dayEnds, state.stops.reducing?.until ?? Number.POSITIVE_INFINITY);
    let to = end;
    for (const [lane, { columns, from }] of tape.lanes.entries()) {
      const rows = tape.rows(lane, to);
      if (rows[1] === from) continue;
      const kept = of[lane];
      if (kept?.mark === undefined || kept.prices === undefined || !marks.hasOneLane(columns.product)) to = tape.placeOf(lane, from);
      else {
        const row = rowAt(columns, changesAt, rows);
        if (row < rows[1]) to = tape.placeOf(lane, row);
      }
    }
    if (profit.currencies === 0 || to === 0) return to;
    const held = profit.inAll();
    return held === undefined ? 0 : this.held(held, tape, to);
  }

  private held(held: HeldInAll, tape: QuoteTape, upTo: number): number {
    const { lossLimits, measured, state } = this.options;
    const { currency, dayStart, present } = held;
    const lanes = pricedBy(held, tape);
    if (lanes.every((lane) => lane === undefined)) return upTo;
    const end = firstTogether(lanes, tape, upTo);
    const isHeldTo = state.reducing === null ? lossLimits.ofOne(currency) : NO_LIMIT;
    if (isHeldTo === undefined || !measured.isSettled) return 0;
    const looked = { lanes, present, stillTo: end };
    this.looked = looked;
    const course: Course = { value: present, peak: held.peak, dueAt: measured.dueAt, isChanged: measured.isChanged };
    // What profit comes to stands still, and has tripped what it reaches.
    if (lanes.every((lane) => lane?.prices === undefined) && !course.isChanged) {
      looked.stillTo = 0;
      return end;
    }
    if (this.values.length < end) this.values = new Float64Array(2 * end);
    return tape.walk(end, (of, from, count, place) => {
      const lane = lanes[of];
      if (lane === undefined) return count;
      this.fill(lane, { from, count, place });
      let { value, peak, dueAt, isChanged } = course;
      for (let ahead = 0; ahead < count; ahead++) {
        if (lane.prices) value = this.values[place + ahead] ?? 0;
        if (value > peak) {
          peak = value;
          isChanged = true;
          looked.stillTo = Math.min(looked.stillTo, place + ahead);
        }
        if (isHeldTo(dayStart - value, peak - value, peak)) return ahead;
        const at = lane.at[from + ahead] ?? 0;
        if (at < dueAt) continue;
        if (isChanged) return ahead;
        dueAt = measured.after(at);
        looked.stillTo = Math.min(looked.stillTo, place + ahead);
      }
      Object.assign(course, { value, peak, dueAt, isChanged });
      return count;
    });
  }

  /** What profit comes to at the rows of a lane that stand at a place and behind it. */
  private fill({ books, prices, total }: PricedLane, { from, count, place }: Stretch): void {
    if (prices === undefined) return;
    const { values } = this;
    values.fill(0, place, place + count);
    for (const { cashFigure: cash, sizeFigure: size } of books) {
      const price = size < 0 ? prices.buy : prices.sell;
      // A book without a position has no price, and none times nothing would be no number.
      if (size === 0) for (let row = 0; row < count; row++) values[place + row] = (values[place + row] ?? 0) + cash;
      else for (let row = 0; row < count; row++) values[place + row] = (values[place + row] ?? 0) + cash + size * (price[from + row] ?? 0);
    }
    if (total !== undefined) for (let row = place; row < place + count; row++) values[row] = total(values[row] ?? 0);
  }

  /** Takes the quotes before a place that `lookAhead` let pass; the last of each lane is its latest. */
  pass(
    of: readonly LaneMemory[],
    tape: QuoteTape,
    { end, last }: { readonly end: number; readonly last: readonly (LaneMark | undefined)[] },
  ): void {
    const { profit, marks, prices } = this.options;
    for (let lane = 0; lane < tape.lanes.length; lane++) {
      const [kept, columns, latest] = [of[lane], tape.lanes[lane]?.columns, last[lane]];
      if (!kept || !columns || !latest) continue;
      kept.mark = marks.add(latest.quote, latest.at, kept.mark);
      if (kept.prices) prices.pass(kept.prices, columns, tape.rows(lane, end));
      kept.line ??= profit.line(columns.product);
    }
    const { looked } = this;
    this.looked = undefined;
    if (looked === undefined) return;
    const highest = end > looked.stillTo ? this.follow(looked, tape, end) : looked.present;
    profit.passed(
      tape.lanes.filter((_, lane) => last[lane] !== undefined).map(({ columns }) => columns.product),
      highest,
    );
  }

  /** Passes over the checks for changed measures; returns the most that profit comes to. */
  private follow({ lanes, present }: TapePass, tape: QuoteTape, end: number): number {
    const { measured } = this.options;
    const { values } = this;
    let highest = present;
    tape.walk(end, (of, from, count, place) => {
      const lane = lanes[of];
      if (lane === undefined) return count;
      for (let row = from; row < from + count; row++) measured.passed(lane.at[row] ?? 0);
      for (let one = place; lane.prices && one < place + count; one++) {
        const value = values[one] ?? 0;
        if (value > highest) highest = value;
      }
      return count;
    });
    return highest;
  }
}

/** How far the quotes of a tape were looked at. */
interface Course {
  value: number;
  peak: number;
  dueAt: number;
  isChanged: boolean;
}

/** What is held while a tape is passed. */
interface TapePass {
  readonly lanes: readonly (PricedLane | undefined)[];
  readonly present: number;
  /** The place up to which profit has no new peak, and no check for changed measures is due. */
  stillTo: number;
}

/** Rows of a lane from one on, and the place of the first of them. */
interface Stretch {
  readonly from: number;
  readonly count: number;
  readonly place: number;
}

/** A lane by whose quotes profit is measured. */
interface PricedLane extends Pick<HeldProduct, 'books' | 'total'> {
  readonly at: Float64Array;
  /** What closes positions; undefined where there are none. */
  readonly prices: { readonly buy: Float64Array; readonly sell: Float64Array } | undefined;
}

/** The lanes of a tape with a product that was traded; undefined for the others. */
function pricedBy({ products }: HeldInAll, { lanes }: QuoteTape): readonly (PricedLane | undefined)[] {
  return lanes.map(({ columns: { product: code, at, buy, sell } }) => {
    const product = products.find((one) => one.product === code);
    return product && { ...product, at, prices: product.isHeld ? { buy: buy.price, sell: sell.price } : undefined };
  });
}

/** The first place at which imports of several products that are held have quotes of one time, which count together; `end` where there is none. */
function firstTogether(lanes: readonly (PricedLane | undefined)[], tape: QuoteTape, end: number): number {
  const held = lanes.map((lane, of) => (tape.lanes[of]?.isImported === true && lane?.prices !== undefined ? lane.at : undefined));
  if (held.filter((times) => times !== undefined).length < 2) return end;
  let [time, first, isFound] = [Number.NaN, end, false];
  tape.walk(end, (of, from, count, place) => {
    const times = held[of];
    for (let ahead = 0; times !== undefined && ahead < count; ahead++) {
      isFound = times[from + ahead] === time;
      if (isFound) return ahead;
      [time, first] = [times[from + ahead] ?? Number.NaN, place + ahead];
    }
    return count;
  });
  // The others may have theirs behind the end.
  return isFound || held.some((times, of) => times?.[tape.rows(of, end)[1]] === time) ? first : end;
}

const NO_LIMIT = (): boolean => false;

/** The first row of a span that comes at or behind a time. */
function rowAt({ at }: QuoteColumns, time: number, [from, to]: RowRange): number {
  if (!((at[to - 1] ?? 0) >= time)) return to;
  return Math.min(to, Math.max(from, firstAt(at, time)));
}
