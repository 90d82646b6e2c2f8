import type { Point } from '../charts/points.ts';

/** Number of seconds, with a value each, that a series keeps on this page. */
const MAX_KEPT = 1800;

/** Live values by name, one a second, which continue a chart beyond its loaded history. */
export class LiveSeries {
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
    if (points.length > MAX_KEPT) points.splice(0, points.length - MAX_KEPT);
  }

  /** A history, and the live values after its end. */
  after(name: string, history: readonly Point[]): readonly Point[] {
    const end = history.at(-1)?.time ?? 0;
    return [...history, ...(this.series.get(name) ?? []).filter(({ time }) => time > end)];
  }
}
