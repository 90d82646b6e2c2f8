import { defer, type OperatorFunction, tap } from 'rxjs';
import { type Ambient, ambient } from './ambient.ts';
import type { Batch } from './batch.ts';
import { Around, type Columns, type Kernel, type KernelColumn, OwnStep, StepStream, stepped } from './kernel.ts';

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
