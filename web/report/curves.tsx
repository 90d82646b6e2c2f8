import { durationText } from '#domain/duration-text.ts';
import type { CurveData, TimedValue } from '#report/page/page-data.ts';
import type { Ink } from '../charts/look.ts';
import { bySecond } from '../charts/points.ts';
import { fixed } from '../words/numbers.ts';
import { Lines } from './lines.tsx';
import { pointsTogether, secondText } from './series.ts';

const INKS: readonly Ink[] = ['first', 'second', 'third', 'fourth', 'down', 'muted'];
const MINUTE_MS = 60_000;

/** The growth of several results over each other, each 100 at its start; those that did not begin together by the time since. */
export function Curves({ curves }: { readonly curves: readonly CurveData[] }) {
  const start = curves[0]?.from ?? 0;
  const isElapsed = curves.some(({ from }) => Math.abs(from - start) >= MINUTE_MS);
  const points = pointsTogether(curves.map(({ from, stepMs, values }) => ({ t0: isElapsed ? SECOND_MS : from, stepMs, values })));
  const lines = curves.map(({ letter }, n) => ({
    ...({ name: letter, ink: INKS[n % INKS.length] ?? 'muted', pane: 0, look: 'line', places: 2 } as const),
    points: points[n] ?? [],
  }));
  const ends = lines.map(({ name, points }) => `${name} ${fixed(points.at(-1)?.value, 2)}`).join(', ');
  const timeText = (seconds: number): string => (isElapsed ? durationText(seconds * SECOND_MS) : secondText(seconds * SECOND_MS));
  return <Lines lines={lines} says={`Growth of 100: at the end ${ends}.`} timeText={timeText} isElapsed={isElapsed} tall />;
}

const SECOND_MS = 1_000;

/** The chained tests of a walk-forward: each value goes on with the one before, also from a test to the next. */
export function Chained({ values }: { readonly values: readonly TimedValue[] }) {
  const points = bySecond(values.map(([at, value]) => ({ at, value })));
  const line = { name: 'growth', ink: 'first', pane: 0, look: 'line', places: 2, points } as const;
  const says = `Growth of 100 over all tests: ${points.length} values, at the end ${fixed(points.at(-1)?.value, 2)}.`;
  return <Lines lines={[line]} says={says} timeText={(seconds) => secondText(seconds * SECOND_MS)} />;
}
