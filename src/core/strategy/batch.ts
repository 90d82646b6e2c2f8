import { invariant } from '#domain/errors.ts';
import type { Quote } from '#domain/quote.ts';
import { type QuoteColumns, quoteAt } from '#domain/quote-columns.ts';

/** The values of many rows at once; a row may have none. */
export abstract class Batch<T> {
  abstract get(row: number): T | undefined;
  abstract set(row: number, value: T | undefined): void;
  /** Makes place for so many rows; what they hold is of no meaning. */
  abstract reserve(rows: number): void;
}

/** Numbers; NaN where there is none. */
export class Doubles extends Batch<number> {
  values: Float64Array;

  constructor(values = new Float64Array(0)) {
    super();
    this.values = values;
  }

  get(row: number): number | undefined {
    const value = this.values[row];
    return value === undefined || Number.isNaN(value) ? undefined : value;
  }

  set(row: number, value: number | undefined): void {
    this.values[row] = value ?? Number.NaN;
  }

  reserve(rows: number): void {
    if (this.values.length < rows) this.values = new Float64Array(rows);
  }
}

/** One of a few words a row, by its number among them, counted from 1; 0 where there is none. */
export class WordBatch<T extends string> extends Batch<T> {
  codes = new Uint8Array(0);
  readonly words: readonly T[];

  constructor(words: readonly T[]) {
    super();
    this.words = words;
  }

  get(row: number): T | undefined {
    return this.words[(this.codes[row] ?? 0) - 1];
  }

  set(row: number, value: T | undefined): void {
    this.codes[row] = value === undefined ? 0 : this.words.indexOf(value) + 1;
  }

  reserve(rows: number): void {
    if (this.codes.length < rows) this.codes = new Uint8Array(rows);
  }
}

/** Values of any kind, as a list. */
export class ValueBatch<T> extends Batch<T> {
  readonly list: (T | undefined)[] = [];

  get(row: number): T | undefined {
    return this.list[row];
  }

  set(row: number, value: T | undefined): void {
    this.list[row] = value;
  }

  reserve(): void {}
}

/** Recorded quotes, from a row of their columns on: each came at the time in its row. */
export class QuoteRows extends Batch<Quote> {
  readonly columns: QuoteColumns;
  from: number;

  constructor(columns: QuoteColumns, from: number) {
    super();
    this.columns = columns;
    this.from = from;
  }

  get(row: number): Quote {
    return quoteAt(this.columns, this.from + row);
  }

  set(): void {
    invariant(false, 'recorded quotes are not written');
  }

  reserve(): void {}
}
