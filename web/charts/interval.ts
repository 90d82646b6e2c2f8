/** Width of the bar and margin at each end, in units. */
export const WIDTH = 200;
const MARGIN = 4;

/** A part of the bar, in units from its left end. */
export interface Stretch {
  readonly x: number;
  readonly width: number;
}

/** The geometry of a position between its bounds. */
export interface PositionShape {
  readonly zero: number;
  /** The certain part of the position. */
  readonly certain: Stretch;
  /** From the lower to the upper bound. */
  readonly open: Stretch;
}

/** Lays out the bounds of a position on the bar. Zero is always in sight. */
export function shapeOf(low: number, high: number): PositionShape {
  const from = Math.min(0, low);
  const to = Math.max(0, high);
  const scale = to === from ? 0 : (WIDTH - 2 * MARGIN) / (to - from);
  const at = (size: number): number => MARGIN + (size - from) * scale;
  const stretch = (a: number, b: number): Stretch => ({ x: at(Math.min(a, b)), width: Math.abs(a - b) * scale });
  // The bound that is nearer to zero, if both are on one side of it.
  const certain = low > 0 ? low : high < 0 ? high : 0;
  return { zero: at(0), certain: stretch(0, certain), open: stretch(low, high) };
}
