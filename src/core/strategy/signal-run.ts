import type { Quote, QuoteSide } from '#domain/quote.ts';
import type { QuoteColumns, SideColumns } from '#domain/quote-columns.ts';
import { type Batch, QuoteRows } from './batch.ts';
import type { Kernel } from './kernel.ts';

/** Rows that are gone through at once: few after a quote that was not the next row, twice as many after each run that came about whole. */
const MIN_ROWS = 16;
const MAX_ROWS = 4_096;

/** What a kernel brings for recorded rows, found ahead of their turn: each row is gone through once, however often it is looked at. */
export class SignalRun<Out> {
  readonly out: Batch<Out>;
  /** The row that `out` begins with. */
  from = 0;
  private readonly kernel: Kernel<Quote, Out>;
  private columns: QuoteColumns | undefined;
  /** The row whose turn is next, and the row behind the last one that is known. */
  private at = 0;
  private to = 0;
  private rows = MIN_ROWS;

  constructor(kernel: Kernel<Quote, Out>) {
    this.kernel = kernel;
    this.out = kernel.room();
  }

  /** How far the rows from one on are known; the kernel goes on where none is. Throws what the kernel throws. */
  upTo(columns: QuoteColumns, from: number): number {
    if (this.columns !== columns || this.at !== from) this.comeBack();
    if (this.at < this.to) return this.to;
    this.rows = Math.min(2 * this.rows, MAX_ROWS);
    const to = Math.min(from + this.rows, columns.length);
    this.out.reserve(to - from);
    this.kernel.keep();
    this.columns = columns;
    this.from = from;
    this.at = from;
    this.to = to;
    try {
      this.span(to - from);
    } catch (error) {
      this.comeBack();
      throw error;
    }
    return to;
  }

  /** Rows before this one came about. */
  pass(to: number): void {
    this.at = to;
    this.kernel.settle(to - this.from);
  }

  /** True for the quote whose turn is next and whose signal is known; the kernel takes any other. */
  has(quote: Quote): boolean {
    const { at, columns } = this;
    if (at === this.to) return false;
    if (columns !== undefined && isRow(quote, columns, at)) return true;
    this.comeBack();
    return false;
  }

  /** What that quote brings. */
  next(): Out | undefined {
    this.pass(this.at + 1);
    return this.out.get(this.at - 1 - this.from);
  }

  /** The kernel goes back to where the rows came about. */
  private comeBack(): void {
    const passed = this.at - this.from;
    if (this.at < this.to) {
      this.kernel.undo();
      if (passed > 0) {
        this.span(passed);
        this.kernel.settle(passed);
      }
      this.rows = MIN_ROWS / 2;
    }
    this.to = this.at;
  }

  private span(rows: number): void {
    if (this.columns) this.kernel.span(new QuoteRows(this.columns, this.from), this.out, rows);
  }
}

/** False for the quote of another row, as where one was refused. */
function isRow({ buy, sell, validUntil, feePercentage }: Quote, columns: QuoteColumns, row: number): boolean {
  return (
    validUntil === columns.validUntil[row] &&
    isSide(buy, columns.buy, row) &&
    isSide(sell, columns.sell, row) &&
    feePercentage === columns.feePercentage[row]
  );
}

const isSide = ({ price, size, value }: QuoteSide, columns: SideColumns, row: number): boolean =>
  price === columns.price[row] && size === columns.size[row] && value === columns.value[row];
