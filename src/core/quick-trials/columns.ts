import { Batch, Doubles, QuoteRows } from '#core/strategy/batch.ts';
import { EQUAL_WITHIN, sideOf } from '#core/strategy/indicators.ts';
import type { Columns, Kernel, KernelColumn } from '#core/strategy/kernel.ts';
import { codeAt, figureAt } from '#domain/figure-at.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';

/** Rows of a block whose least and greatest number are kept. */
export const BLOCK = 32;

/** The least and the greatest number of each block, NaN where a row of it has none; and the largest of all, without its sign. */
interface Blocks {
  readonly least: Float64Array;
  readonly greatest: Float64Array;
  readonly largest: number;
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
    if ((count === 0 ? 0 : codeAt(this.codes, count - 1)) === code) return;
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
      if (codeAt(this.starts, middle) <= row) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? undefined : this.words[codeAt(this.codes, low - 1) - 1];
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
    // Further apart than what counts as equal, whichever rows are compared.
    const slack = 4 * EQUAL_WITHIN * Math.max(own.largest, other?.largest ?? Math.abs(level));
    /** The side on which the first stood in the row before, and the same where it stood there in two: one more brings the word that stands. */
    let [last, steady] = [0, 0];
    const take = (row: number, order: number): void => {
      runs.begin(row, Number.isNaN(order) ? 0 : code(order));
      steady = order === last ? order : 0;
      last = Number.isNaN(order) ? 0 : order;
    };
    for (let block = 0, row = 0; row < rows; block++) {
      const end = Math.min(rows, row + BLOCK);
      const high = other ? figureAt(other.greatest, block) : level;
      const low = other ? figureAt(other.least, block) : level;
      const side = figureAt(own.least, block) - high > slack ? 1 : low - figureAt(own.greatest, block) > slack ? -1 : 0;
      if (side === 0) {
        for (; row < end; row++) {
          if (steady !== 0) row = apartUntil(left, right, { row, end, side: steady, slack });
          if (row < end) take(row, sideOf(figureAt(left, row), typeof right === 'number' ? right : figureAt(right, row)));
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

/** The first row before an end at which one column is not that far on a side of the other. */
function apartUntil(
  left: Float64Array,
  right: Float64Array | number,
  { row, end, side, slack }: { readonly row: number; readonly end: number; readonly side: number; readonly slack: number },
): number {
  let at = row;
  if (typeof right === 'number') while (at < end && side * (figureAt(left, at) - right) > slack) at += 1;
  else while (at < end && side * (figureAt(left, at) - figureAt(right, at)) > slack) at += 1;
  return at;
}

function blocksOf(values: Float64Array, rows: number): Blocks {
  const count = Math.ceil(rows / BLOCK);
  const [least, greatest] = [new Float64Array(count), new Float64Array(count)];
  let largest = 0;
  for (let block = 0; block < count; block++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let row = block * BLOCK; row < Math.min(rows, (block + 1) * BLOCK); row++) {
      const x = figureAt(values, row);
      if (Math.abs(x) > largest) largest = Math.abs(x);
      // Once it is no number it stays none.
      low = x < low ? x : x >= low ? low : Number.NaN;
      high = x > high ? x : x <= high ? high : Number.NaN;
    }
    least[block] = low;
    greatest[block] = high;
  }
  return { least, greatest, largest };
}
