import { defer, type OperatorFunction, tap } from 'rxjs';
import { type Ambient, ambient } from './ambient.ts';
import { type Batch, Doubles, WordBatch } from './batch.ts';
import { Around, type Columns, Kernel, type KernelColumn, OwnStep, StepStream, stepped } from './kernel.ts';

/** Takes one value after another and returns the indicator's, or undefined while it has none to give. */
export type Step<In = number, Out = number> = (value: In) => Out | undefined;

/**
 * An indicator: an rxjs operator that emits once it is warm, one value per value in; and `start()`, a fresh run of it, so
 * that `crossing` and `above` compare two on the same value without a zip.
 */
export interface Indicator<In = number, Out = number> extends OperatorFunction<In, Out> {
  start(): Step<In, Out>;
  /** As `start`, in the form that also takes many values at once. */
  kernel(): Kernel<In, Out>;
}

/** Makes an indicator from what begins a run of it; `key` says what it computes, for those who share what it brings. */
export function indicatorOf<In, Out>(begin: () => Kernel<In, Out>, key?: string): Indicator<In, Out> {
  const kernel = (): Kernel<In, Out> => {
    const run = begin();
    // All strategies share it.
    Object.freeze(Object.getPrototypeOf(run));
    if (key !== undefined) run.key = key;
    return run;
  };
  const start = (): Step<In, Out> => {
    const run = kernel();
    return (value) => run.next(value);
  };
  return Object.assign(stepped(kernel), { start, kernel });
}

/** An indicator of one's own, from what begins a run of it. A backtest gives it one value at a time; `operator` makes one that is faster there. */
export function indicator<In = number, Out = number>(start: () => Step<In, Out>): Indicator<In, Out> {
  return indicatorOf(() => new OwnStep(start()));
}

/** One figure of an indicator that has several, to compare it: `crossing(select(macd(), (m) => m.histogram), 0)`. */
export function select<In, Out, Picked>(of: Indicator<In, Out>, pick: (value: Out) => Picked): Indicator<In, Picked> {
  return indicatorOf(() => new SelectedKernel(of.kernel(), pick));
}

class SelectedKernel<In, Of, Picked> extends Around<In, Of, Picked> {
  private readonly pick: (value: Of) => Picked;
  private readonly whole: Batch<Of>;

  constructor(of: Kernel<In, Of>, pick: (value: Of) => Picked) {
    super(of);
    this.pick = pick;
    this.whole = of.room();
  }

  next(value: In): Picked | undefined {
    const out = this.of.next(value);
    return out === undefined ? undefined : this.pick(out);
  }

  override span(input: Batch<In>, out: Batch<Picked>, n: number): void {
    this.whole.reserve(n);
    this.of.span(input, this.whole, n);
    for (let row = 0; row < n; row++) {
      const value = this.whole.get(row);
      out.set(row, value === undefined ? undefined : this.pick(value));
    }
  }
}

/**
 * Names what a stream emits, for journal, chart and `why`: `pipe(mid(), observe('mid'))`. Around an indicator it does the
 * same where the indicator is compared: `above(observe('fast', sma(20)), sma(60))`.
 */
export function observe<T>(name: string): OperatorFunction<T, T>;
export function observe<In, Out>(name: string, of: Indicator<In, Out>): Indicator<In, Out>;
export function observe<In, Out>(name: string, of?: Indicator<In, Out>): OperatorFunction<unknown, unknown> | Indicator<In, Out> {
  if (of === undefined) return observed(name);
  return indicatorOf(() => {
    const owner = ambient(`observe('${name}')`);
    return new NamedKernel(of.kernel(), { name, owner });
  });
}

/** A kernel whose values are told by name. */
class NamedKernel<In, Out> extends Around<In, Out, Out> {
  private readonly name: string;
  private readonly owner: Ambient;
  /** What the last span brought, and the rows of it of which the last value is told. */
  private out: Batch<Out> | undefined;
  private told = 0;

  constructor(of: Kernel<In, Out>, { name, owner }: { readonly name: string; readonly owner: Ambient }) {
    super(of);
    this.name = name;
    this.owner = owner;
  }

  next(value: In): Out | undefined {
    const out = this.of.next(value);
    if (out !== undefined) this.owner.observed.set(this.name, out);
    return out;
  }

  override span(input: Batch<In>, out: Batch<Out>, n: number): void {
    this.of.span(input, out, n);
    this.out = out;
    this.told = 0;
  }

  override column(input: KernelColumn<In>, columns: Columns): KernelColumn<Out> {
    return this.of.column(input, columns);
  }

  override settle(rows: number): void {
    super.settle(rows);
    const { out, told } = this;
    if (out === undefined) return;
    this.told = rows;
    for (let row = rows - 1; row >= told; row--) {
      const value = out.get(row);
      if (value !== undefined) return this.owner.observed.set(this.name, value);
    }
  }

  override room(): Batch<Out> {
    return this.of.room();
  }
}

function observed(name: string): OperatorFunction<unknown, unknown> {
  const what = `observe('${name}')`;
  return (source) => {
    if (source instanceof StepStream) return source.within((of) => new NamedKernel(of, { name, owner: ambient(what) }));
    return defer(() => {
      const owner = ambient(what);
      return source.pipe(tap((value) => owner.observed.set(name, value)));
    });
  };
}

/** Throws on what is no whole number from `least`; `what` names who asks. */
export function period(n: number, what: string, least = 1): void {
  if (!Number.isSafeInteger(n) || n < least) throw new RangeError(`${what}: a period is a whole number from ${least}, not ${n}`);
}

/** Figures that differ by less than this share of their size are equal: two averages of one price differ by rounding. */
export const EQUAL_WITHIN = 1e-12;

/** The sign of first minus second: 1, 0 or -1; NaN where one is no number. */
export function sideOf(left: number, right: number): number {
  const difference = left - right;
  if (Math.abs(difference) <= EQUAL_WITHIN * Math.max(Math.abs(left), Math.abs(right))) return 0;
  return Math.sign(difference);
}

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
