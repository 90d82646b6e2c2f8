/** A deviation below this share of the mean is the rounding of doubles, not a movement. */
const NO_MOVEMENT = 1e-12;
/** The variance has lost its digits when it is such a share of the largest square that went into it. */
const LOST_DIGITS = 1e-6;

/**
 * The last `n` numbers with their mean and population standard deviation, O(1) a number. Sums are of distances from a
 * number of the window itself, and are made anew each time it has gone round or when a spike has left it, so that neither
 * large prices with small moves nor a long run cost digits.
 */
export class RollingWindow {
  private readonly values: Float64Array;
  private readonly kept: Float64Array;
  private at = 0;
  private count = 0;
  private origin = 0;
  private sum = 0;
  private squares = 0;
  /** The largest square since the sums were made. */
  private largest = 0;
  private before = { at: 0, count: 0, origin: 0, sum: 0, squares: 0, largest: 0 };

  constructor(n: number) {
    this.values = new Float64Array(n);
    this.kept = new Float64Array(n);
  }

  /** Takes note of all that it holds, which `undo` goes back to. */
  keep(): void {
    const { at, count, origin, sum, squares, largest } = this;
    this.kept.set(this.values);
    this.before = { at, count, origin, sum, squares, largest };
  }

  undo(): void {
    this.values.set(this.kept);
    Object.assign(this, this.before);
  }

  /** Takes a number in; true once there are n. */
  add(x: number): boolean {
    const { values, at } = this;
    if (this.count === 0) this.origin = x;
    if (this.count === values.length) this.weigh(values[at] ?? 0, -1);
    else this.count += 1;
    this.weigh(x, 1);
    values[at] = x;
    this.at = (at + 1) % values.length;
    if (this.at === 0 || this.variance() < LOST_DIGITS * this.largest) this.measureFrom(x);
    return this.count === values.length;
  }

  get mean(): number {
    return this.origin + this.sum / this.count;
  }

  /** With n below the line, not n - 1. */
  get deviation(): number {
    const deviation = Math.sqrt(Math.max(0, this.variance()));
    return deviation <= NO_MOVEMENT * Math.abs(this.mean) ? 0 : deviation;
  }

  private variance(): number {
    return this.squares / this.count - (this.sum / this.count) ** 2;
  }

  private weigh(x: number, sign: number): void {
    const distance = x - this.origin;
    const square = distance * distance;
    this.sum += sign * distance;
    this.squares += sign * square;
    if (square > this.largest) this.largest = square;
  }

  private measureFrom(x: number): void {
    this.origin = x;
    this.sum = 0;
    this.squares = 0;
    this.largest = 0;
    for (let i = 0; i < this.count; i++) this.weigh(this.values[i] ?? 0, 1);
  }
}
