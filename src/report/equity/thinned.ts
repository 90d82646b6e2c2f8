import { figureAt } from '#domain/figure-at.ts';
import { firstWhere } from '#domain/first-where.ts';
import type { Millis } from '#domain/names.ts';
import type { RowRange } from '#domain/quote-columns.ts';

/** A stretch of time in a chart. */
export interface ChartPoint {
  /** Its end. */
  readonly at: Millis;
  readonly low: number;
  readonly high: number;
  readonly last: number;
}

/** Silences of the usual length after which a line is broken. */
const SILENCES = 3;

/** A series cut into equal stretches of time, as many as a chart can show; each keeps its lowest, highest and last value. */
export class ThinnedSeries {
  private readonly from: Millis;
  private readonly width: Millis;
  private readonly low: Float64Array;
  private readonly high: Float64Array;
  private readonly last: Float64Array;

  constructor(from: Millis, to: Millis, stretches: number) {
    this.from = from;
    this.width = Math.max(1, (to - from) / stretches);
    this.low = new Float64Array(stretches).fill(Number.NaN);
    this.high = new Float64Array(stretches).fill(Number.NaN);
    this.last = new Float64Array(stretches).fill(Number.NaN);
  }

  add(at: Millis, value: number): void {
    const place = this.placeOf(at);
    const known = this.last[place];
    if (known === undefined || Number.isNaN(known)) {
      this.low[place] = value;
      this.high[place] = value;
    } else {
      if (value < figureAt(this.low, place)) this.low[place] = value;
      if (value > figureAt(this.high, place)) this.high[place] = value;
    }
    this.last[place] = value;
  }

  /** As `add` for many values of one stretch, the last of them at a time. */
  addAll(at: Millis, { low, high, last }: Omit<ChartPoint, 'at'>): void {
    this.add(at, low);
    this.add(at, high);
    this.add(at, last);
  }

  /** The first of some rows whose time lies in another stretch than the first row's, or the end of them. Times do not fall. */
  endOfStretch(times: Float64Array, [from, to]: RowRange): number {
    const place = this.placeOf(times[from] ?? this.from);
    return firstWhere(from + 1, to, (row) => this.placeOf(times[row] ?? this.from) > place);
  }

  private placeOf(at: Millis): number {
    return Math.max(0, Math.min(this.last.length - 1, Math.floor((at - this.from) / this.width)));
  }

  /** As `points`, but that nothing stands in a silence of more than three times the usual one, as over a weekend: its values are NaN. */
  brokenPoints(): readonly ChartPoint[] {
    const filled = [...this.last.keys()].filter((place) => !Number.isNaN(this.last[place]));
    const apart = filled
      .slice(1)
      .map((place, n) => place - (filled[n] ?? 0))
      .sort((a, b) => a - b);
    const most = SILENCES * (apart[apart.length >> 1] ?? this.last.length);
    const silent = new Set<number>();
    for (const [n, place] of filled.entries()) {
      const next = filled[n + 1] ?? this.last.length;
      if (next - place > most) for (let one = place + 1; one < next; one++) silent.add(one);
    }
    const first = filled[0] ?? 0;
    const none = { low: Number.NaN, high: Number.NaN, last: Number.NaN };
    return this.points().map((point, n) => (silent.has(first + n) ? { at: point.at, ...none } : point));
  }

  /** From the first value on; a stretch without one stands where the one before ended. */
  points(): readonly ChartPoint[] {
    const points: ChartPoint[] = [];
    let before = Number.NaN;
    for (const [place, value] of this.last.entries()) {
      const at = Math.round(this.from + (place + 1) * this.width);
      if (!Number.isNaN(value)) {
        points.push({ at, low: this.low[place] ?? value, high: this.high[place] ?? value, last: value });
        before = value;
      } else if (!Number.isNaN(before)) points.push({ at, low: before, high: before, last: before });
    }
    return points;
  }
}
