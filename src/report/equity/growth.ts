import type { Millis } from '#domain/names.ts';
import { type Holdings, worthOf } from './holdings.ts';
import type { RecordedMarks } from './marks.ts';

/**
 * How often what was held at first has multiplied, time-weighted: chained at each flow. Where capital is in other currencies than the report's,
 * what is held is compared with what was there at the last flow, both at present rates, so that a rate alone is no growth.
 */
export class Growth {
  /** Up to the last flow. */
  before = 1;
  /** The value right after it. */
  base = 0;
  /** When all was lost. */
  ruinedAt: Millis | null = null;
  private readonly holdings: Holdings;
  private readonly marks: RecordedMarks;
  private readonly currency: string;
  /** What was held then by currency; undefined where no rate moves it. */
  private heldThen: ReadonlyMap<string, number> | undefined;

  constructor({ holdings, marks, currency }: { readonly holdings: Holdings; readonly marks: RecordedMarks; readonly currency: string }) {
    this.holdings = holdings;
    this.marks = marks;
    this.currency = currency;
  }

  /** Since the begin, when everything is worth `worth`; nothing grows after the capital was gone. */
  at(worth: number, at: Millis): number {
    const { value, base } = this.measured(worth);
    // Withdrawing all capital is no loss.
    if (base <= 0) return this.before;
    if (this.ruinedAt === null && value <= 0) this.ruinedAt = at;
    return this.ruinedAt === null ? (this.before * value) / base : 0;
  }

  /** Goes on from what is held now, which is worth `base`. */
  goOn(before: number, base: number): void {
    this.before = before;
    this.base = base;
    this.heldThen = this.holdings.isCapitalOnlyIn(this.currency) ? undefined : this.holdings.sumsHeld(this.marks);
  }

  private measured(worth: number): { readonly value: number; readonly base: number } {
    const { heldThen, holdings, marks, currency } = this;
    if (!heldThen) return { value: worth, base: this.base };
    const [value, base] = [holdings.value(marks, currency), worthOf(heldThen, marks, currency)];
    return typeof value === 'string' || typeof base === 'string' ? { value: worth, base: this.base } : { value, base };
  }
}
