import type { Point } from '../charts/time-chart.tsx';

/** Seconds that a series keeps on this page, a value each. */
const MOST_KEPT = 1800;

/** Values that the page has seen pass, one a second, by name: what a chart has beyond the history that it asked for. */
export class Grown {
  private readonly series = new Map<string, Point[]>();

  add(name: string, atMs: number, value: number | null | undefined): void {
    if (value === null || value === undefined || !Number.isFinite(value)) return;
    const points = this.series.get(name) ?? [];
    this.series.set(name, points);
    const time = Math.floor(atMs / 1000);
    const last = points.at(-1);
    if (last && last.time > time) return;
    if (last?.time === time) points.pop();
    points.push({ time, value });
    if (points.length > MOST_KEPT) points.splice(0, points.length - MOST_KEPT);
  }

  /** A history, and what came after its end. */
  after(name: string, history: readonly Point[]): readonly Point[] {
    const end = history.at(-1)?.time ?? 0;
    return [...history, ...(this.series.get(name) ?? []).filter(({ time }) => time > end)];
  }
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
