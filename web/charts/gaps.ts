import { LineStyle } from 'lightweight-charts';
import type { Point } from './points.ts';

/** A point of a line; one that has a colour ends it and is not seen. */
export interface GapPoint extends Point {
  readonly color?: string;
}

/** How a signal is drawn that is known where it was decided on: a dot for each value, and a line between those that follow each other. */
export const SIGNAL_LOOK = {
  lineWidth: 1,
  lineStyle: LineStyle.Dashed,
  pointMarkersVisible: true,
  pointMarkersRadius: 1.5,
  priceLineVisible: false,
} as const;

/** How a signal is drawn that has a value in each bar, or whose values are joined where they are near enough to each other. */
export const WHOLE_LOOK = { lineWidth: 2, priceLineVisible: false, crosshairMarkerVisible: false } as const;

const UNSEEN = 'rgba(0, 0, 0, 0)';

/** True of a value, false of the end of a line. */
export const isSeen = (point: object): boolean => !('color' in point && point.color === UNSEEN);

/**
 * A line through those values alone that follow each other within `reach` times and not over a hole: between others nothing was computed.
 * `times` are those of the chart, in order, and `holes` those of them at which it is empty; values at others are left out, and one that none
 * follows stands until the next time.
 */
export function withGaps(
  points: readonly Point[],
  times: readonly number[],
  { reach = 1, holes = NO_HOLES }: { readonly reach?: number | undefined; readonly holes?: ReadonlySet<number> } = {},
): readonly GapPoint[] {
  let part = 0;
  const parts = times.map((time) => (holes.has(time) ? ++part : part));
  const places = new Map(times.map((time, place) => [time, place]));
  const shown = points.filter(({ time }) => places.has(time));
  return shown.flatMap((point, n): GapPoint[] => {
    const place = places.get(point.time) ?? 0;
    const next = times[place + 1];
    const after = places.get(shown[n + 1]?.time ?? Number.NaN);
    const isFollowed = after !== undefined && after - place <= reach && parts[after] === parts[place];
    return next === undefined || isFollowed ? [point] : [point, { time: next, value: point.value, color: UNSEEN }];
  });
}

const NO_HOLES: ReadonlySet<number> = new Set();

/** The last value in each bar, at its begin. */
export function onBars(points: readonly { readonly at: number; readonly value: number }[], stepMs: number): readonly Point[] {
  const values = new Map(points.map(({ at, value }) => [(at - (at % stepMs)) / 1000, value]));
  return [...values].map(([time, value]) => ({ time, value }));
}
