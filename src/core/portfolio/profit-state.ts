import type { Currency, ProductCode } from '#domain/names.ts';
import type { Book } from './books.ts';

/** Where a currency's profit stands until it is asked for again: an estimate in doubles, never booked. */
export interface ProfitState {
  readonly currency: Currency;
  /** Lost since the day began; negative where something was won. */
  readonly dayLoss: number;
  /** Below the peak, never negative. */
  readonly belowPeak: number;
  readonly peak: number;
}

/** Where a currency's profit stands, for people. */
export interface ProfitStatus {
  readonly currency: Currency;
  /** Since the first run; undefined while a position cannot be priced. */
  readonly present: number | undefined;
  /** Products in which a position cannot be priced: their first quotes are awaited. */
  readonly unpriced: readonly ProductCode[];
  /** Products that are held without a quote in this run: at their last recorded price, or at their entry price where nothing was recorded. */
  readonly laneless: readonly { readonly product: ProductCode; readonly at: 'recorded' | 'entry' }[];
  /** Present profit when the run was first measured; undefined before. */
  readonly atStart: number | undefined;
  /** From where the loss of the day counts. */
  readonly dayStart: number | undefined;
  /** Present profit when the day began (UTC), or at its first prices; whatever a person did since. */
  readonly dayBegan: number | undefined;
  /** From where the drawdown counts that a limit is held against. */
  readonly peak: number | undefined;
  /** The highest of all, whatever a person took note of since; minus infinity before the first measure. */
  readonly highest: number;
}

/** What limits of loss would be held against; undefined while a currency cannot be measured, which begins at its first measure. */
export function standingOf({ currency, present, dayStart, peak }: ProfitStatus): ProfitState | undefined {
  if (present === undefined) return undefined;
  const highest = Math.max(peak ?? present, present);
  return { currency, dayLoss: (dayStart ?? present) - present, belowPeak: highest - present, peak: highest };
}

/** The books of one product. */
export interface HeldProduct {
  readonly product: ProductCode;
  readonly books: readonly Pick<Book, 'cashFigure' | 'sizeFigure'>[];
  /** False where no price changes what they come to. */
  readonly isHeld: boolean;
  /** What all products come to where this one comes to `value`, which stands until the next one is told; undefined where it is the only one. */
  readonly total: ((value: number) => number) | undefined;
}

/** All that was traded, in one currency, with what it is measured from, in quote currency. */
export interface HeldInAll {
  readonly currency: Currency;
  readonly present: number;
  readonly dayStart: number;
  readonly peak: number;
  readonly products: readonly HeldProduct[];
}
