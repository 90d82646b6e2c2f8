import { countUntil } from './count-until.ts';

/** A value at a second (Unix time, UTC). */
export interface Point {
  readonly time: number;
  readonly value: number;
}

/** Points in milliseconds as points in seconds, the last of each. */
export function bySecond(points: readonly { readonly at: number; readonly value: number }[]): readonly Point[] {
  const kept: Point[] = [];
  for (const { at, value } of points) {
    const time = Math.floor(at / 1000);
    if (kept.at(-1)?.time === time) kept.pop();
    if (time > (kept.at(-1)?.time ?? 0)) kept.push({ time, value });
  }
  return kept;
}

/** At most so many points, the last of each of as many equal stretches of time: a chart gives each point the same room. */
export function evenly(points: readonly Point[], most: number): readonly Point[] {
  const span = (points.at(-1)?.time ?? 0) - (points[0]?.time ?? 0);
  const step = Math.max(1, Math.ceil(span / most));
  return points.filter(({ time }, n) => {
    const next = points[n + 1];
    return next === undefined || Math.floor(next.time / step) > Math.floor(time / step);
  });
}

/** How far each point lies below the highest before it, in percent, downwards. */
export function fallsOf(points: readonly Point[]): readonly Point[] {
  let best = 0;
  return points.map(({ time, value }) => {
    best = Math.max(best, value);
    return { time, value: best > 0 ? (value / best - 1) * 100 : 0 };
  });
}

/** The value that stands at a time, in seconds, or the newest for none; null before the first point and after the last. */
export function valueAt(points: readonly Point[], time: number | null): number | null {
  const last = points.at(-1);
  if (time === null || last === undefined) return last?.value ?? null;
  const n = countUntil(points.length, (place) => points[place]?.time ?? 0, time) - 1;
  return time > last.time ? null : (points[n]?.value ?? null);
}
