import type { HeldView } from '../../src/ops/page/view.ts';
import { exact } from '../words/numbers.ts';

/** The bar is so many units wide, and leaves so many at each end. */
const WIDTH = 200;
const MARGIN = 4;
const HEIGHT = 14;

/** A stretch of the bar, in units from its left end. */
export interface Stretch {
  readonly x: number;
  readonly width: number;
}

/** Where a position lies between its worse ends, to be drawn. */
export interface PositionShape {
  readonly zero: number;
  /** What is held at both ends. */
  readonly certain: Stretch;
  /** From one end to the other. */
  readonly open: Stretch;
}

/** Lays an interval out on the bar, with nothing held in it. */
export function shapeOf(low: number, high: number): PositionShape {
  const from = Math.min(0, low);
  const to = Math.max(0, high);
  const scale = to === from ? 0 : (WIDTH - 2 * MARGIN) / (to - from);
  const at = (size: number): number => MARGIN + (size - from) * scale;
  const stretch = (a: number, b: number): Stretch => ({ x: at(Math.min(a, b)), width: Math.abs(a - b) * scale });
  // The end that is nearer to nothing, on the side where both are.
  const certain = low > 0 ? low : high < 0 ? high : 0;
  return { zero: at(0), certain: stretch(0, certain), open: stretch(low, high) };
}

/** A position whose size is not known, since an order is open: what is certain is filled, what may be is outlined, nothing held is a line. */
export function PositionBar({ held: { low, high } }: { readonly held: Pick<HeldView, 'low' | 'high'> }) {
  const { zero, certain, open } = shapeOf(Number(low), Number(high));
  return (
    <svg class="interval" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`from ${exact(low)} to ${exact(high)} is held`}>
      <line class="axis" x1={0} x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
      <rect class="open" x={open.x} width={open.width} y={3} height={HEIGHT - 6} />
      <rect class="certain" x={certain.x} width={certain.width} y={3} height={HEIGHT - 6} />
      <line class="zero" x1={zero} x2={zero} y1={0} y2={HEIGHT} />
    </svg>
  );
}
