import { type Currency, isoTime, type Millis, type ProductCode, type StrategyId } from '../domain/names.ts';
import { type Baseline, dayOf, type PastProfit } from '../domain/past-risk.ts';
import type { Book } from './book.ts';
import type { Books } from './books.ts';
import type { Marks } from './marks.ts';

/** Where a currency's profit stands: an estimate in doubles, never booked. */
export interface Standing {
  readonly currency: Currency;
  /** Lost since the day began; negative where something was won. */
  readonly dayLoss: number;
  /** Below the peak, never negative. */
  readonly belowPeak: number;
  readonly peak: number;
}

interface Held {
  readonly book: Book;
  cash: number;
  size: number;
}

interface Line {
  readonly currency: Currency;
  readonly held: Map<StrategyId, Held>;
  /** Undefined while a position in it cannot be priced. */
  value: number | undefined;
}

/**
 * Profit of all books at executable prices, by quote currency: what was earned and spent, and open positions at the
 * closing side of the latest quotes. Positions in a product whose first quote is still awaited make their currency
 * unmeasured, so that no peak and no loss is made up; those in products that nobody watches count at their entry price.
 */
export class ProfitTrack {
  private readonly books: Books;
  private readonly marks: Marks;
  private readonly watched: ReadonlySet<ProductCode>;
  private readonly lines = new Map<ProductCode, Line>();
  private readonly baselines = new Map<Currency, Baseline>();
  private day = Number.NaN;

  constructor(options: { readonly books: Books; readonly marks: Marks; readonly watched: ReadonlySet<ProductCode> }) {
    this.books = options.books;
    this.marks = options.marks;
    this.watched = options.watched;
  }

  /** Takes over what an earlier run measured. Currencies in which it had fills and no measure begin at their first one. */
  restore(past: PastProfit | null): void {
    const known = new Map(Object.entries(past?.byCurrency ?? {}));
    for (const { currency } of this.lines.values()) {
      const baseline = known.get(currency);
      if (baseline) this.baselines.set(currency, baseline);
    }
    if (past) this.day = dayOf(Date.parse(past.day));
  }

  /** A fill has changed a book. Outside of a recovery a currency's first one starts its measure at zero. */
  booked(from: {
    readonly strategy: StrategyId;
    readonly product: ProductCode;
    readonly currency: Currency;
    readonly past: boolean;
  }): void {
    const { strategy, product, currency, past } = from;
    let line = this.lines.get(product);
    if (!past && !this.baselines.has(currency) && ![...this.lines.values()].some((other) => other.currency === currency)) {
      this.baselines.set(currency, { dayStart: 0, peak: 0 });
    }
    if (!line) {
      line = { currency, held: new Map(), value: undefined };
      this.lines.set(product, line);
    }
    const book = this.books.book(strategy, product);
    line.held.set(strategy, { book, cash: book.cash.toNumber(), size: book.size.toNumber() });
    this.price(product, line);
  }

  /** A product has new prices. Returns where its currency stands now; undefined where there is nothing to measure. */
  quoted(product: ProductCode): Standing | undefined {
    const line = this.lines.get(product);
    if (!line) return undefined;
    this.price(product, line);
    return this.standing(line.currency);
  }

  /** Begins a new day at the present profit. Returns true where the day has changed; it never goes back. */
  turn(now: Millis): boolean {
    const day = dayOf(now);
    if (day <= this.day) return false;
    const first = Number.isNaN(this.day);
    this.day = day;
    if (first) return false;
    this.rebase((baseline, present) => ({ dayStart: present, peak: baseline.peak }));
    return true;
  }

  /** Measures loss and drawdown from here on: a person has taken note of what was lost. */
  begin(): void {
    this.rebase((_, present) => ({ dayStart: present, peak: present }));
  }

  /** Where every currency stands that can be measured. */
  standings(): readonly Standing[] {
    const currencies = new Set([...this.lines.values()].map(({ currency }) => currency));
    return [...currencies].flatMap((currency) => this.standing(currency) ?? []);
  }

  /** How many currencies are measured. */
  get measured(): number {
    return this.baselines.size;
  }

  past(): PastProfit {
    return { day: isoTime(this.day * 86_400_000).slice(0, 10), byCurrency: Object.fromEntries(this.baselines) };
  }

  private rebase(change: (baseline: Baseline, present: number) => Baseline): void {
    for (const [currency, baseline] of this.baselines) {
      const present = this.present(currency);
      if (present !== undefined) this.baselines.set(currency, change(baseline, present));
      else this.baselines.delete(currency);
    }
  }

  private standing(currency: Currency): Standing | undefined {
    const present = this.present(currency);
    if (present === undefined) return undefined;
    const before = this.baselines.get(currency) ?? { dayStart: present, peak: present };
    const peak = Math.max(before.peak, present);
    if (peak !== before.peak || !this.baselines.has(currency)) this.baselines.set(currency, { dayStart: before.dayStart, peak });
    return { currency, dayLoss: before.dayStart - present, belowPeak: peak - present, peak };
  }

  private present(currency: Currency): number | undefined {
    let sum = 0;
    for (const line of this.lines.values()) {
      if (line.currency !== currency) continue;
      if (line.value === undefined) return undefined;
      sum += line.value;
    }
    return sum;
  }

  private price(product: ProductCode, line: Line): void {
    let value = 0;
    for (const { book, cash, size } of line.held.values()) {
      value += cash;
      if (size === 0) continue;
      const price = this.marks.closingPrice(product, size) ?? (this.watched.has(product) ? undefined : book.average.toNumber());
      if (price === undefined) {
        line.value = undefined;
        return;
      }
      value += size * price;
    }
    line.value = value;
  }
}
