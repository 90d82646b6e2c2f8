import type { OperatorFunction } from 'rxjs';
import { type Batch, Doubles, WordBatch } from '#core/strategy/batch.ts';
import { type Indicator, sideOf } from '#core/strategy/indicators.ts';
import { type Columns, Kernel, type KernelColumn, stepped } from '#core/strategy/kernel.ts';

/** The direction of a crossing. */
export type Cross = 'up' | 'down';

/**
 * Emits when the first indicator comes to stand on the other side of the second: `up` from below to above, `down` the other
 * way. Touching is not crossing, and the order that they begin with is none. A level may stand for the second.
 */
export function crossing<In = number>(first: Indicator<In, number>, second: Indicator<In, number> | number): OperatorFunction<In, Cross> {
  return stepped(() => new Crossing(first, second));
}

/** The side of the second indicator on which the first stands. */
export type Standing = 'above' | 'below';

/**
 * Emits at every value on which side of the second indicator the first stands, once both are warm and have differed. Where they are
 * equal the last word stands. A level may stand for the second.
 */
export function above<In = number>(first: Indicator<In, number>, second: Indicator<In, number> | number): OperatorFunction<In, Standing> {
  return stepped(() => new Above(first, second));
}

/** One of two words of how two indicators stand to each other. `last` is what they stood like before. */
abstract class Comparison<In, Word extends string> extends Kernel<In, Word> {
  protected abstract readonly words: readonly [up: Word, down: Word];
  protected last = 0;
  private kept = 0;
  private readonly a: Kernel<In, number>;
  /** Undefined where it is a level. */
  private readonly b: Kernel<In, number> | undefined;
  private readonly level: number;
  private readonly left: Batch<number>;
  private readonly right: Batch<number>;

  constructor(first: Indicator<In, number>, second: Indicator<In, number> | number) {
    super();
    this.a = first.kernel();
    this.b = typeof second === 'number' ? undefined : second.kernel();
    this.level = typeof second === 'number' ? second : Number.NaN;
    this.left = this.a.room();
    this.right = this.b?.room() ?? new Doubles();
  }

  /** The number of the word that an order brings, counted from 1, or 0 for none: 1 is up, -1 down, 0 equal. */
  protected abstract code(order: number): number;

  next(x: In): Word | undefined {
    const left = this.a.next(x);
    const right = this.b === undefined ? this.level : this.b.next(x);
    if (left === undefined || right === undefined) return undefined;
    const order = sideOf(left, right);
    return Number.isNaN(order) ? undefined : this.words[this.code(order) - 1];
  }

  override span(input: Batch<In>, out: Batch<Word>, n: number): void {
    const { a, b, left, right } = this;
    left.reserve(n);
    a.span(input, left, n);
    right.reserve(n);
    if (b) b.span(input, right, n);
    else for (let row = 0; row < n; row++) right.set(row, this.level);
    if (left instanceof Doubles && right instanceof Doubles && out instanceof WordBatch)
      this.over(left.values, right.values, { out: out.codes, n });
    else for (let row = 0; row < n; row++) out.set(row, this.words[this.codeAt(left.get(row), right.get(row)) - 1]);
  }

  /** The words of `n` rows of both, by their number; 0 where there is none. */
  over(left: Float64Array, right: Float64Array, { out, n }: { readonly out: Uint8Array; readonly n: number }): void {
    for (let row = 0; row < n; row++) {
      const order = sideOf(left[row] ?? Number.NaN, right[row] ?? Number.NaN);
      out[row] = Number.isNaN(order) ? 0 : this.code(order);
    }
  }

  override column(input: KernelColumn<In>, columns: Columns): KernelColumn<Word> {
    const first = this.a.column(input, columns);
    const second = this.b === undefined ? this.level : this.b.column(input, columns);
    return columns.compared(first, second, { words: this.words, code: (order) => this.code(order) });
  }

  private codeAt(left: number | undefined, right: number | undefined): number {
    const order = sideOf(left ?? Number.NaN, right ?? Number.NaN);
    return Number.isNaN(order) ? 0 : this.code(order);
  }

  override room(): Batch<Word> {
    return new WordBatch(this.words);
  }

  override get oneByOne(): string | undefined {
    return this.a.oneByOne ?? this.b?.oneByOne;
  }

  keep(): void {
    this.a.keep();
    this.b?.keep();
    this.kept = this.last;
  }

  undo(): void {
    this.a.undo();
    this.b?.undo();
    this.last = this.kept;
  }

  override settle(rows: number): void {
    this.a.settle(rows);
    this.b?.settle(rows);
  }
}

class Crossing<In> extends Comparison<In, Cross> {
  protected readonly words = ['up', 'down'] as const;

  protected code(order: number): number {
    if (order === 0) return 0;
    const crossed = this.last !== 0 && order !== this.last;
    this.last = order;
    if (!crossed) return 0;
    return order > 0 ? 1 : 2;
  }
}

class Above<In> extends Comparison<In, Standing> {
  protected readonly words = ['above', 'below'] as const;

  protected code(order: number): number {
    if (order !== 0) this.last = order;
    if (this.last === 0) return 0;
    return this.last > 0 ? 1 : 2;
  }
}
