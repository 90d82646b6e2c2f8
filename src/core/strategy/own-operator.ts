import { type Indicator, indicatorOf } from './indicators.ts';
import { NumberKernel } from './kernel.ts';

/** An operator of one's own: what it keeps, and what it makes of a number. */
export interface OperatorSpec<State> {
  /** The state that a run begins with: plain data, in which typed arrays may be. */
  start(): State;
  /** Takes a finite number into the state, and returns one, or undefined for nothing. All that it remembers is in the state. */
  next(state: State, x: number): number | undefined;
  /** Says what it computes, lengths included, so that trials of a sweep share it: `'my-range 20'`. */
  readonly key?: string;
  /**
   * As `next` for the first `n` numbers of `input`, into the same places of `out`; NaN on either side is nothing, and no other number
   * of `input` is not finite. Without it `next` is called for each.
   */
  over?(state: State, input: Float64Array, out: Float64Array, n: number): void;
}

/**
 * Makes an operator of numbers, one that takes numbers one at a time and many at once, as all of Kairos do. A backtest may take back
 * what it has seen: the state is copied for that. `checkOperator` of `kairos/testing` proves one.
 */
export function operator<State>(spec: OperatorSpec<State>): Indicator {
  return indicatorOf(() => new OwnKernel(spec), spec.key === undefined ? undefined : `own ${spec.key}`);
}

class OwnKernel<State> extends NumberKernel {
  private readonly spec: OperatorSpec<State>;
  private state: State;
  private kept: State;
  /** The input without infinities. */
  private finite = new Float64Array();

  constructor(spec: OperatorSpec<State>) {
    super();
    this.spec = spec;
    this.state = spec.start();
    this.kept = this.state;
  }

  next(x: number): number | undefined {
    if (!Number.isFinite(x)) return undefined;
    const out = this.spec.next(this.state, x);
    return Number.isFinite(out) ? out : undefined;
  }

  over(input: Float64Array, out: Float64Array, n: number): void {
    if (!this.spec.over) {
      for (let row = 0; row < n; row++) out[row] = this.next(input[row] ?? Number.NaN) ?? Number.NaN;
      return;
    }
    this.spec.over(this.state, this.finiteOf(input, n), out, n);
    for (let row = 0; row < n; row++) if (!Number.isFinite(out[row])) out[row] = Number.NaN;
  }

  /** The input itself, or a copy, since others read it too. */
  private finiteOf(input: Float64Array, n: number): Float64Array {
    let row = 0;
    while (row < n && Math.abs(input[row] ?? 0) !== Number.POSITIVE_INFINITY) row++;
    if (row === n) return input;
    if (this.finite.length < n) this.finite = new Float64Array(input.length);
    this.finite.set(input.subarray(0, n));
    for (; row < n; row++) if (!Number.isFinite(this.finite[row])) this.finite[row] = Number.NaN;
    return this.finite;
  }

  keep(): void {
    this.kept = structuredClone(this.state);
  }

  undo(): void {
    this.state = structuredClone(this.kept);
  }
}
