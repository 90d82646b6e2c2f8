import type { BookView } from '#server/page/view.ts';
import { shapeOf, WIDTH } from '../charts/interval.ts';
import { exact } from '../words/numbers.ts';

const HEIGHT = 14;

/** A position of uncertain size while an order is open: the certain part is filled, the possible part outlined, and zero is a line. */
export function PositionBar({ held: { low, high } }: { readonly held: Pick<BookView, 'low' | 'high'> }) {
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
