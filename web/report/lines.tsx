import { useState } from 'preact/hooks';
import { valueAt } from '../charts/points.ts';
import { type ChartLine, TimeChart } from '../charts/time-chart.tsx';
import { fixed } from '../words/numbers.ts';

/** A line with the unit of its values. */
export interface UnitLine extends ChartLine {
  readonly unit?: string;
}

/** Lines over time under their names, with the values at the crosshair; the last where it is elsewhere. */
export function Lines({
  lines,
  says,
  timeText,
  isElapsed = false,
  tall = false,
}: {
  readonly lines: readonly UnitLine[];
  readonly says: string;
  readonly timeText: (seconds: number) => string;
  readonly isElapsed?: boolean;
  readonly tall?: boolean;
}) {
  const [at, setAt] = useState<number | null>(null);
  const last = Math.max(...lines.map(({ points }) => points.at(-1)?.time ?? 0));
  return (
    <>
      <p class="legend-values" aria-live="polite">
        <span>{timeText(at ?? last)}</span>
        {lines.map(({ name, ink, points, places, unit }) => (
          <span key={name} class={`key ${ink}`}>
            {name} <b>{fixed(valueAt(points, at), places)}</b>
            {unit === undefined ? '' : `\u00a0${unit}`}
          </span>
        ))}
      </p>
      <TimeChart lines={lines} says={says} isElapsed={isElapsed} tall={tall} onCursor={setAt} />
    </>
  );
}
