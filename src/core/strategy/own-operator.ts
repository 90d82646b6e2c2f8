import { type Indicator, indicatorOf } from './indicators.ts';
import { NumberKernel } from './kernel.ts';

/** An operator of one's own: what it keeps, and what it makes of a number. */
export interface OperatorSpec<State> {
  /** The state that a run begins with: plain data, in which typed arrays may be. */
  start(): State;
  /** Takes a finite number into the state, and returns a number, or undefined for nothing. All that it remembers is in the state. */
  next(state: State, x: number): number | undefined;
  /** Says what it computes, lengths included, so that trials of a sweep share it: `'my-range 20'`. */
  readonly key?: string;
  /**
   * As `next` for the first `n` numbers of `input`, into the same places of `out`; NaN on either side is nothing. Without it `next`
   * is called for each.
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

  constructor(spec: OperatorSpec<State>) {
    super();
    this.spec = spec;
    this.state = spec.start();
    this.kept = this.state;
  }

  next(x: number): number | undefined {
    if (!Number.isFinite(x)) return undefined;
    const out = this.spec.next(this.state, x);
    return out === undefined || Number.isNaN(out) ? undefined : out;
  }

  over(input: Float64Array, out: Float64Array, n: number): void {
    if (this.spec.over) this.spec.over(this.state, input, out, n);
    else for (let row = 0; row < n; row++) out[row] = this.next(input[row] ?? Number.NaN) ?? Number.NaN;
  }

  keep(): void {
    this.kept = structuredClone(this.state);
  }

  undo(): void {
    this.state = structuredClone(this.kept);
  }
}
