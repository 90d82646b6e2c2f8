import { type Currency, isoTime, type Millis, type ProductCode, type StrategyId } from '#domain/names.ts';
import type { Baseline, PastProfit } from '#domain/past-risk.ts';
import { DAY_MS, dayOf, dayOfPrices } from '#domain/utc-day.ts';
import type { Book, Books } from './books.ts';
import { LanelessMarks } from './laneless-marks.ts';
import type { HeldInAll, HeldProduct, ProfitState, ProfitStatus } from './profit-state.ts';
import type { Marks } from './valuation.ts';

/** How long after the first quote of a run the other products' first quotes are awaited, in milliseconds. */
const AWAITED_MS = 10_000;
const NONE: ReadonlySet<ProductCode> = new Set();

/**
 * Profit of all books by quote currency: what was earned and spent, and open positions at their mark. Positions in a product without a
 * quote in this run count at its last recorded price, else at their entry price. While a first quote may still come with the others,
 * they make their currency unmeasured: a price of now beside one of before the start would make up a peak or a loss.
 */
export class ProfitTrack {
  /** To be restored before the books are. */
  readonly lanelessMarks = new LanelessMarks();
  private readonly books: Books;
  private readonly marks: Marks;
  /** Products whose first quotes are awaited, until when; without an end before the first quote of all. */
  private awaited: ReadonlySet<ProductCode>;
  private awaitedUntil: Millis | undefined;
  private readonly lines = new Map<ProductCode, ProductBooks>();
  private readonly totals = new Map<Currency, ProfitTotal>();
  private readonly baselines = new Map<Currency, Baseline>();
  private readonly atStart = new Map<Currency, number>();
  private readonly dayBegan = new Map<Currency, number>();
  /** The highest profits that a person took note of. */
  private readonly highest = new Map<Currency, number>();
  private readonly asked: ProfitState[] = [];
  private day = Number.NaN;
  /** The first instant behind the day that is measured; at once while none is. */
  dayEnds: Millis = Number.NEGATIVE_INFINITY;
  /** Until then `turn` has nothing to do. */
  turnsAt: Millis = Number.NEGATIVE_INFINITY;
  /** How many currencies have books with fills, measured or not. */
  currencies = 0;
  /** How many of them are measured. */
  measured = 0;
  /** Since when losses are measured, where a person took note of earlier ones. */
  resumedAt: Millis | undefined;
  /** Counts changes of baselines and of the day: while it stands, `past` says the same. */
  changes = 0;

  constructor(options: { readonly books: Books; readonly marks: Marks; readonly watched: ReadonlySet<ProductCode> }) {
    this.books = options.books;
    this.marks = options.marks;
    this.awaited = options.watched;
  }

  /** Takes over what an earlier run measured. Currencies in which it had fills and no measure begin at their first one. */
  restore(past: PastProfit | null): void {
    const known = new Map(Object.entries(past?.byCurrency ?? {}));
    for (const currency of this.totals.keys()) {
      const baseline = known.get(currency);
      if (!baseline) continue;
      const { dayStart, peak, dayBegan = dayStart, highest } = baseline;
      if (highest !== undefined) this.highest.set(currency, highest);
      this.baselines.set(currency, { dayStart, peak });
      if (dayBegan !== null) this.dayBegan.set(currency, dayBegan);
    }
    this.measured = this.baselines.size;
    if (past) this.beginDay(dayOf(Date.parse(past.day)));
    if (past?.resumedAt !== undefined) this.resumedAt = Date.parse(past.resumedAt);
    this.forget();
  }

  /** A fill has changed a book. Outside of a recovery a currency's first one starts its measure at zero. */
  booked(from: {
    readonly strategy: StrategyId;
    readonly product: ProductCode;
    readonly currency: Currency;
    readonly past: boolean;
  }): void {
    const { strategy, product, currency, past } = from;
    if (!past && !this.totals.has(currency)) {
      this.changes += 1;
      this.baselines.set(currency, { dayStart: 0, peak: 0 });
      this.measured = this.baselines.size;
      this.atStart.set(currency, 0);
      this.dayBegan.set(currency, 0);
    }
    const line = this.lines.get(product) ?? this.begun(product, currency);
    line.held.set(strategy, this.books.book(strategy, product));
    line.largest = 0;
    for (const { sizeFigure } of line.held.values()) line.largest = Math.max(line.largest, Math.abs(sizeFigure));
    this.price(line);
  }

  /** The books of a product, once there is one with a fill: for who asks at each quote. */
  line(product: ProductCode): ProductBooks | undefined {
    return this.lines.size === 0 ? undefined : this.lines.get(product);
  }

  /** A product has new prices. Returns where its currency stands now; undefined where there is nothing to measure. */
  quoted(product: ProductCode, line = this.lines.get(product)): ProfitState | undefined {
    if (!line) return undefined;
    if (line.largest > 0) this.price(line);
    return this.standing(line.total);
  }

  /** Begins a new day at the present profit, or at its first prices; the peak stays. Returns true where the day has changed; it never goes back. */
  turn(now: Millis): boolean {
    this.awaitedUntil ??= now + AWAITED_MS;
    if (this.awaited !== NONE && now >= this.awaitedUntil) {
      this.awaited = NONE;
      for (const line of this.lines.values()) this.price(line);
    }
    this.turnsAt = this.awaited === NONE ? this.dayEnds : Math.min(this.dayEnds, this.awaitedUntil);
    if (now < this.dayEnds) return false;
    const first = Number.isNaN(this.day);
    this.beginDay(dayOfPrices(now));
    this.forget();
    if (first) return false;
    this.dayBegan.clear();
    for (const [currency, { peak }] of this.baselines) {
      const present = presentOf(this.totals.get(currency));
      this.baselines.set(currency, { dayStart: present ?? null, peak });
      if (present !== undefined) this.dayBegan.set(currency, present);
    }
    return true;
  }

  /** Measures loss and drawdown from here on: a person has taken note of what was lost. */
  begin(at: Millis): void {
    this.forget();
    for (const [currency, { peak }] of this.baselines) {
      this.resumedAt = at;
      this.highest.set(currency, Math.max(peak, this.highest.get(currency) ?? peak));
      const present = presentOf(this.totals.get(currency));
      if (present !== undefined) this.baselines.set(currency, { dayStart: present, peak: present });
      else this.baselines.delete(currency);
    }
    this.measured = this.baselines.size;
  }

  /** Where every currency stands that can be measured; the same list is filled anew when it is asked for again. */
  standings(): readonly ProfitState[] {
    const standings = this.asked;
    standings.length = 0;
    for (const total of this.totals.values()) {
      const standing = this.standing(total);
      if (standing) standings.push(standing);
    }
    return standings;
  }

  /** Where every currency stands, measured or not. Changes nothing, so that anybody may look at any time. */
  seen(): readonly ProfitStatus[] {
    return [...this.totals].map(([currency, total]) => {
      const present = presentOf(total);
      const lines = [...this.lines.values()].filter((line) => line.total === total && line.value === undefined);
      const baseline = this.baselines.get(currency);
      return {
        currency,
        present,
        unpriced: lines.map(({ product }) => product),
        laneless: this.laneless(total),
        atStart: this.atStart.get(currency),
        dayStart: baseline?.dayStart ?? undefined,
        dayBegan: this.dayBegan.get(currency),
        peak: baseline?.peak,
        highest: Math.max(baseline?.peak ?? Number.NEGATIVE_INFINITY, this.highest.get(currency) ?? Number.NEGATIVE_INFINITY),
      };
    });
  }

  /**
   * The price at which positions of a product count: one quote marks all, longs at its sell side and shorts at its buy side, that of
   * the smallest lane that covers the largest of them, else of the largest lane. Undefined before the first quote.
   */
  mark(product: ProductCode, size: number): number | undefined {
    const largest = Math.max(Math.abs(size), this.lines.get(product)?.largest ?? 0);
    return this.marks.closingPrice(product, size < 0 ? -largest : largest);
  }

  /** What all products have, where all profit is in one currency and is measured; undefined otherwise. */
  inAll(): HeldInAll | undefined {
    const [total, ...others] = this.totals.values();
    if (total === undefined || others.length > 0) return undefined;
    const { currency, baseline } = total;
    const present = presentOf(total);
    if (present === undefined || baseline === undefined || present > baseline.peak) return undefined;
    const sum = this.lines.size > 1 ? total.sum.copy() : undefined;
    const products = [...this.lines.values()].map(({ product, place, held, largest }): HeldProduct => {
      const total =
        sum &&
        ((value: number): number => {
          sum.set(place, value);
          return sum.total;
        });
      return { product, books: [...held.values()], isHeld: largest > 0, total };
    });
    return { currency, present, dayStart: baseline.dayStart, peak: baseline.peak, products };
  }

  /** Prices of products have brought profit to `highest` meanwhile; the latest are marked. */
  passed(codes: Iterable<ProductCode>, highest = Number.NEGATIVE_INFINITY): void {
    for (const total of this.totals.values())
      if (total.baseline && highest > total.baseline.peak) total.baseline = this.baselineAt(total, highest);
    for (const code of codes) {
      const line = this.lines.get(code);
      if (line && line.largest > 0) this.price(line);
    }
    this.standings();
  }

  /** True where the day's loss of a currency is measured from within the day: a person took note of what was lost before. */
  isResumed(currency: Currency): boolean {
    const began = this.dayBegan.get(currency);
    return began !== undefined && began !== this.baselines.get(currency)?.dayStart;
  }

  past(): PastProfit {
    const byCurrency = [...this.baselines].map(([currency, baseline]): [string, Baseline] => {
      const dayBegan = this.isResumed(currency) ? this.dayBegan.get(currency) : undefined;
      const highest = this.highest.get(currency) ?? baseline.peak;
      return [currency, { ...baseline, ...(dayBegan !== undefined && { dayBegan }), ...(highest > baseline.peak && { highest }) }];
    });
    return {
      day: isoTime(this.day * DAY_MS).slice(0, 10),
      byCurrency: Object.fromEntries(byCurrency),
      ...(this.resumedAt !== undefined && { resumedAt: isoTime(this.resumedAt) }),
    };
  }

  private beginDay(day: number): void {
    this.day = day;
    this.dayEnds = (day + 1) * DAY_MS + 1;
    this.turnsAt = Number.NEGATIVE_INFINITY;
  }

  /** What is measured from is another one: it is looked for anew. */
  private forget(): void {
    this.changes += 1;
    for (const total of this.totals.values()) total.baseline = undefined;
  }

  private begun(product: ProductCode, currency: Currency): ProductBooks {
    let total = this.totals.get(currency);
    if (!total) {
      total = { currency, sum: new SumTree(), unpriced: 0, dayLoss: 0, belowPeak: 0, peak: 0, baseline: undefined };
      this.totals.set(currency, total);
      this.currencies += 1;
    }
    total.unpriced += 1;
    const line: ProductBooks = { total, place: total.sum.add(), product, held: new Map(), largest: 0, value: undefined };
    this.lines.set(product, line);
    return line;
  }

  private standing(total: ProfitTotal): ProfitState | undefined {
    if (total.unpriced > 0) return undefined;
    const present = total.sum.total;
    if (total.baseline === undefined || present > total.baseline.peak) total.baseline = this.baselineAt(total, present);
    const { dayStart, peak } = total.baseline;
    total.dayLoss = dayStart - present;
    total.peak = Math.max(peak, present);
    total.belowPeak = total.peak - present;
    return total;
  }

  /** What a currency is measured from, once it stands at `present`. An entry price raises no peak. */
  private baselineAt(total: ProfitTotal, present: number): DayBaseline {
    const { currency } = total;
    this.changes += 1;
    if (!this.atStart.has(currency)) this.atStart.set(currency, present);
    if (!this.dayBegan.has(currency)) this.dayBegan.set(currency, present);
    const before = this.baselines.get(currency);
    const isRaised = before === undefined || (present > before.peak && this.laneless(total).every(({ at }) => at === 'recorded'));
    const baseline = { dayStart: before?.dayStart ?? present, peak: isRaised ? present : before.peak };
    this.baselines.set(currency, baseline);
    this.measured = this.baselines.size;
    return baseline;
  }

  /** What the books of a product have earned and would bring; undefined where that cannot be said. */
  private price(line: ProductBooks): void {
    const { product, held, largest, total } = line;
    let value: number | undefined = 0;
    for (const book of held.values()) {
      const { cashFigure, sizeFigure: size } = book;
      value += cashFigure;
      if (size === 0) continue;
      const mark = this.marks.closingPrice(product, size < 0 ? -largest : largest);
      const price = mark ?? (this.awaited.has(product) ? undefined : this.lanelessMarks.price(product, book));
      if (price === undefined) {
        value = undefined;
        break;
      }
      value += size * price;
    }
    if (value === line.value) return;
    if (line.value === undefined) total.unpriced -= 1;
    if (value === undefined) total.unpriced += 1;
    else total.sum.set(line.place, value);
    line.value = value;
  }

  private laneless(total: ProfitTotal): ProfitStatus['laneless'] {
    const isPriced = (product: ProductCode) => this.awaited.has(product) || this.marks.closingPrice(product, 1) !== undefined;
    const held = [...this.lines.values()].filter((line) => line.total === total && line.largest > 0 && !isPriced(line.product));
    return held.map(({ product }) => ({ product, at: this.lanelessMarks.basis(product) }));
  }
}

/** Undefined while a part of it cannot be priced. */
const presentOf = (total: ProfitTotal | undefined): number | undefined =>
  total === undefined || total.unpriced > 0 ? undefined : total.sum.total;

/** A baseline whose day has had its prices. */
type DayBaseline = Baseline & { readonly dayStart: number };

/** The products of one currency: each quote changes one value, and what they come to is not added up anew. */
interface ProfitTotal extends ProfitState {
  readonly sum: SumTree;
  /** Products in which a position cannot be priced. */
  unpriced: number;
  dayLoss: number;
  belowPeak: number;
  peak: number;
  /** What it is measured from, while that stands: known again once it is asked for. */
  baseline: DayBaseline | undefined;
}

/**
 * A sum of doubles of which one changes at a time: O(log n) a change, and no error that gathers, since each sum is made
 * of the present values alone. What it says does not depend on how it came there, as a sum kept by differences would.
 */
export class SumTree {
  /** The values in the upper half; below them, at each place, the sum of the two places at twice its number. */
  private nodes = new Float64Array(2);
  private used = 0;
  /** What all values come to. */
  total = 0;

  /** The same values, to be changed by themselves. */
  copy(): SumTree {
    const copy = new SumTree();
    copy.nodes = this.nodes.slice();
    copy.used = this.used;
    copy.total = this.total;
    return copy;
  }

  /** Makes a place for one more value, zero at first, and returns its number. */
  add(): number {
    const places = this.nodes.length / 2;
    if (this.used === places) {
      const values = this.nodes.slice(places);
      this.nodes = new Float64Array(4 * places);
      this.used = 0;
      for (const value of values) this.set(this.add(), value);
    }
    this.used += 1;
    return this.used - 1;
  }

  set(place: number, value: number): void {
    const { nodes } = this;
    let at = nodes.length / 2 + place;
    nodes[at] = value;
    for (at >>= 1; at >= 1; at >>= 1) nodes[at] = (nodes[2 * at] ?? 0) + (nodes[2 * at + 1] ?? 0);
    this.total = nodes[1] ?? 0;
  }
}

/** The books of one product. */
export interface ProductBooks {
  readonly total: ProfitTotal;
  readonly place: number;
  readonly held: Map<StrategyId, Book>;
  readonly product: ProductCode;
  /** The largest position among them, long or short; 0: no price changes what they come to. */
  largest: number;
  /** In quote currency; undefined while a position in it cannot be priced. */
  value: number | undefined;
}
