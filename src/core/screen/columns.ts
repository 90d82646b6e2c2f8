import { Batch, Doubles, QuoteRows } from '#core/strategy/batch.ts';
import { EQUAL_WITHIN, sideOf } from '#core/strategy/indicators.ts';
import type { Columns, Kernel, KernelColumn } from '#core/strategy/kernel.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';

/** Rows of a block whose least and greatest number are kept. */
export const BLOCK = 32;

/** The least and the greatest number of each block; NaN where a row of it has none. */
interface Blocks {
  readonly least: Float64Array;
  readonly greatest: Float64Array;
}

/** Words of rows as runs: where each begins, and the number of its word, counted from 1; 0 for none. */
export class Runs<Word extends string> extends Batch<Word> {
  readonly words: readonly Word[];
  starts = new Int32Array(256);
  codes = new Uint8Array(256);
  count = 0;

  constructor(words: readonly Word[]) {
    super();
    this.words = words;
  }

  /** From a row on it is this word. */
  begin(row: number, code: number): void {
    const { count } = this;
    if ((count === 0 ? 0 : this.codes[count - 1]) === code) return;
    if (count === this.starts.length) {
      const [starts, codes] = [new Int32Array(2 * count), new Uint8Array(2 * count)];
      starts.set(this.starts);
      codes.set(this.codes);
      [this.starts, this.codes] = [starts, codes];
    }
    this.starts[count] = row;
    this.codes[count] = code;
    this.count += 1;
  }

  get(row: number): Word | undefined {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.starts[middle] ?? 0) <= row) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? undefined : this.words[(this.codes[low - 1] ?? 0) - 1];
  }

  set(row: number, value: Word | undefined): void {
    this.begin(row, value === undefined ? 0 : this.words.indexOf(value) + 1);
  }

  reserve(): void {}
}

/** The columns of one recording. Whoever asks for the same by key gets the same. */
export class RecordingColumns implements Columns {
  readonly rows: number;
  readonly columns: QuoteColumns;
  /** What kernels begin with. */
  readonly quotes: KernelColumn<ReturnType<QuoteRows['get']>>;
  private readonly known = new Map<string, Batch<unknown>>();
  private readonly blocks = new WeakMap<Float64Array, Blocks>();
  private readonly present = new WeakMap<Batch<unknown>, readonly number[]>();

  constructor(quotes: QuoteColumns) {
    this.rows = quotes.length;
    this.columns = quotes;
    this.quotes = { key: 'quotes', batch: new QuoteRows(quotes, 0) };
  }

  of<In, Out>(kernel: Kernel<In, Out>, input: KernelColumn<In>): KernelColumn<Out> {
    const key = input.key === undefined || kernel.key === undefined ? undefined : `${input.key} | ${kernel.key}`;
    const known = key === undefined ? undefined : this.known.get(key);
    // A key names the operator, whose kernels bring one type.
    if (key !== undefined && known !== undefined) return { key, batch: known as Batch<Out> };
    const batch = kernel.room();
    batch.reserve(this.rows);
    kernel.span(input.batch, batch, this.rows);
    if (key !== undefined) this.known.set(key, batch);
    return { key, batch };
  }

  compared<Word extends string>(
    first: KernelColumn<number>,
    second: KernelColumn<number> | number,
    told: { readonly words: readonly Word[]; code(order: number): number },
  ): KernelColumn<Word> {
    const runs = new Runs(told.words);
    const [left, right] = [first.batch, typeof second === 'number' ? second : second.batch];
    if (left instanceof Doubles && (typeof right === 'number' || right instanceof Doubles))
      this.stretches(left.values, typeof right === 'number' ? right : right.values, runs, told.code);
    else
      for (let row = 0; row < this.rows; row++) {
        const order = sideOf(left.get(row) ?? Number.NaN, (typeof right === 'number' ? right : right.get(row)) ?? Number.NaN);
        runs.begin(row, Number.isNaN(order) ? 0 : told.code(order));
      }
    return { key: undefined, batch: runs };
  }

  /** Blocks that lie on one side of each other are passed over; the rows of others are compared one by one, as the operator does. */
  private stretches(left: Float64Array, right: Float64Array | number, runs: Runs<string>, code: (order: number) => number): void {
    const { rows } = this;
    const own = this.blocksOf(left);
    const other = typeof right === 'number' ? undefined : this.blocksOf(right);
    const level = typeof right === 'number' ? right : Number.NaN;
    /** The side on which the first stood in the row before, and the same where it stood there in two: one more brings the word that stands. */
    let [last, steady] = [0, 0];
    const take = (row: number, order: number): void => {
      runs.begin(row, Number.isNaN(order) ? 0 : code(order));
      steady = order === last ? order : 0;
      last = Number.isNaN(order) ? 0 : order;
    };
    for (let block = 0, row = 0; row < rows; block++) {
      const end = Math.min(rows, row + BLOCK);
      const [least, greatest] = [own.least[block] ?? Number.NaN, own.greatest[block] ?? Number.NaN];
      const [low, high] = other ? [other.least[block] ?? Number.NaN, other.greatest[block] ?? Number.NaN] : [level, level];
      // Further apart than what counts as equal, whichever rows are compared.
      const slack = 4 * EQUAL_WITHIN * Math.max(Math.abs(least), Math.abs(greatest), Math.abs(low), Math.abs(high));
      const side = least - high > slack ? 1 : low - greatest > slack ? -1 : 0;
      if (side === 0) {
        for (; row < end; row++) {
          const a = left[row] ?? Number.NaN;
          const b = typeof right === 'number' ? level : (right[row] ?? Number.NaN);
          if (steady === 0 || !(steady * (a - b) > slack)) take(row, sideOf(a, b));
        }
      }
      for (; row < end && steady !== side; row++) take(row, side);
      row = end;
    }
  }

  /** The rows in which a column has something. */
  rowsOf(batch: Batch<unknown>): readonly number[] {
    const known = this.present.get(batch);
    if (known) return known;
    const rows: number[] = [];
    for (let row = 0; row < this.rows; row++) if (batch.get(row) !== undefined) rows.push(row);
    this.present.set(batch, rows);
    return rows;
  }

  private blocksOf(values: Float64Array): Blocks {
    const known = this.blocks.get(values) ?? blocksOf(values, this.rows);
    this.blocks.set(values, known);
    return known;
  }
}

function blocksOf(values: Float64Array, rows: number): Blocks {
  const count = Math.ceil(rows / BLOCK);
  const [least, greatest] = [new Float64Array(count), new Float64Array(count)];
  for (let block = 0; block < count; block++) {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let row = block * BLOCK; row < Math.min(rows, (block + 1) * BLOCK); row++) {
      const x = values[row] ?? Number.NaN;
      // Once it is no number it stays none.
      low = x < low ? x : x >= low ? low : Number.NaN;
      high = x > high ? x : x <= high ? high : Number.NaN;
    }
    least[block] = low;
    greatest[block] = high;
  }
  return { least, greatest };
}
