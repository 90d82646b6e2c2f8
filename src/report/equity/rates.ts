import { figureAt } from '#domain/figure-at.ts';
import { firstWhere } from '#domain/first-where.ts';
import type { Millis } from '#domain/names.ts';
import { oncePer } from '#domain/once-per.ts';
import type { PriceColumns } from '#domain/quote-columns.ts';
import { worthOf } from './holdings.ts';
import { RecordedMarks } from './marks.ts';

/** Place of the last row at a time or before; -1 where there is none. */
export const rowAt = (columns: Pick<PriceColumns, 'at' | 'length'>, at: Millis): number =>
  firstWhere(0, columns.length, (row) => figureAt(columns.at, row) > at) - 1;

/** True where times never fall; those of runs that overlap do. */
export const isOrdered = oncePer((times: Float64Array): boolean => {
  for (let row = 1; row < times.length; row++) if (!(figureAt(times, row) >= figureAt(times, row - 1))) return false;
  return true;
});

/** Money of one currency. */
interface Amount {
  readonly amount: number;
  readonly currency: string;
}

/** Values of amounts at the quotes of an instant, in any order of instants. */
export class RateTable {
  private readonly columns: readonly PriceColumns[];
  private readonly marks: RecordedMarks;
  private markedAt: Millis = Number.NaN;

  constructor(columns: readonly PriceColumns[]) {
    this.columns = columns;
    this.marks = new RecordedMarks(columns);
  }

  /** Undefined if no quote converts it. */
  worth(amount: number, of: { readonly currency: string; readonly into: string; readonly at: Millis }): number | undefined {
    if (of.currency === of.into) return amount;
    this.markAt(of.at);
    return this.marks.worth(amount, of.currency, of.into);
  }

  /** Amounts together: those of a currency are added up, and their sum is converted. Undefined if no quote converts one of them by then. */
  worthTogether(amounts: readonly Amount[], { into, at }: { readonly into: string; readonly at: Millis }): number | undefined {
    const sums = new Map<string, number>();
    for (const { amount, currency } of amounts) sums.set(currency, (sums.get(currency) ?? 0) + amount);
    this.markAt(at);
    const worth = worthOf(sums, this.marks, into);
    return typeof worth === 'string' ? undefined : worth;
  }

  /** Price at which a size of a product could be closed at an instant. */
  price(product: string, size: number, at: Millis): number | undefined {
    this.markAt(at);
    return this.marks.closingPrice(product, size);
  }

  private markAt(at: Millis): void {
    if (at === this.markedAt) return;
    this.markedAt = at;
    for (const [lane, columns] of this.columns.entries()) this.marks.see(lane, rowAt(columns, at));
  }
}
