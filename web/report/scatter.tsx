import { useState } from 'preact/hooks';
import type { ScatterView } from '#report/search-view.ts';
import { percent, ticks } from './axis.ts';
import { Drawing, Grid, MARGIN } from './drawing.tsx';

const HEIGHT = 340;
const BOTTOM = MARGIN.bottom + 4;

/** The range of some values and zero, with a little room. */
function reach(values: readonly number[]): readonly [low: number, high: number] {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const pad = (high - low) * 0.06 || 0.001;
  return [low - pad, high + pad];
}

/** Results in sample against those out of it. */
export function Scatter({ x: across, y: up, points }: ScatterView) {
  const [said, say] = useState('');
  const values = points.flatMap(({ inSample, outOfSample }) => [inSample, outOfSample]);
  const span = Math.max(...values) - Math.min(...values);
  const [left, right] = reach(points.map(({ inSample }) => inSample));
  const [low, high] = reach(points.map(({ outOfSample }) => outOfSample));
  const [from, to] = [Math.max(left, low), Math.min(right, high)];
  const wordsOf = ({ label, inSample, outOfSample }: ScatterView['points'][number]): string =>
    `${label}: ${percent(inSample, span)} in sample, ${percent(outOfSample, span)} out of it`;
  return (
    <>
      <p class="legend-values">
        <span class="dot picked">chosen</span>
        {points.some(({ isChosen }) => !isChosen) && <span class="dot rest">the others</span>}
      </p>
      <Drawing height={HEIGHT} label={`${across} against ${up}`}>
        {(width) => {
          const x = (value: number): number => MARGIN.left + ((value - left) / (right - left)) * (width - MARGIN.left - MARGIN.right);
          const y = (value: number): number => MARGIN.top + (1 - (value - low) / (high - low)) * (HEIGHT - MARGIN.top - BOTTOM);
          return (
            <>
              <Grid values={ticks(low, high, 5)} y={y} width={width} text={(value) => percent(value, high - low)} />
              <line class="zero" x1={x(0)} x2={x(0)} y1={MARGIN.top} y2={HEIGHT - BOTTOM} />
              {ticks(left, right, Math.max(2, Math.floor(width / 120)))
                .filter((value) => x(value) >= MARGIN.left + 14 && x(value) <= width - 34)
                .map((value) => (
                  <text key={value} x={x(value)} y={HEIGHT - 6} text-anchor="middle">
                    {percent(value, right - left)}
                  </text>
                ))}
              {from < to && <line class="same" x1={x(from)} y1={y(from)} x2={x(to)} y2={y(to)} />}
              {/* What was chosen lies above the others. */}
              {points
                .toSorted((a, b) => Number(a.isChosen) - Number(b.isChosen))
                .map((point) => (
                  <circle
                    key={point.label}
                    class={point.isChosen ? 'picked' : 'other'}
                    cx={x(point.inSample)}
                    cy={y(point.outOfSample)}
                    r={point.isChosen ? 6 : 3.5}
                    onPointerEnter={() => say(wordsOf(point))}
                  >
                    <title>{wordsOf(point)}</title>
                  </circle>
                ))}
            </>
          );
        }}
      </Drawing>
      <p class="readout" aria-live="polite">
        {said}
      </p>
    </>
  );
}
