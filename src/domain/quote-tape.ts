import { codeAt, figureAt } from '#domain/figure-at.ts';
import { firstAt, firstWhere } from './first-where.ts';
import { laneIdOf, type Millis } from './names.ts';
import type { QuoteColumns, RowRange } from './quote-columns.ts';

/** Recorded quotes of one lane, from a row on. */
interface TapeLane {
  readonly columns: QuoteColumns;
  readonly from: number;
  /** True for an import, whose lines say nothing of what other lanes have. */
  readonly isImported?: boolean;
}

/** Most lanes that a tape tells apart. */
export const MAX_LANES = 255;

/**
 * Recorded quotes of some lanes in the order in which they come: by time, then by line of the recording, imports by name before them. A place
 * on the tape is the number of quotes before it. It is filled anew for each stretch.
 */
export class QuoteTape {
  lanes: readonly TapeLane[] = [];
  length = 0;
  /** Whose quote stands at each place, where there are several lanes. */
  private readonly order: Uint8Array;
  /** The place of each row of a lane, from its first one on; empty where there is one lane. */
  private readonly places: Int32Array[] = [];
  /** The row behind the last one of each lane. */
  private readonly next: number[] = [];
  private readonly walked: number[] = [];

  constructor(most: number) {
    this.order = new Uint8Array(most);
  }

  /** Takes up to `most` quotes that come before a time. Ends before two quotes of which nothing says which comes first. */
  fill(lanes: readonly TapeLane[], most: number, before: Millis): void {
    const [alone] = lanes;
    this.lanes = lanes;
    this.length = alone === undefined || lanes.length > 1 ? this.merge(lanes, most, before) : this.alone(alone, most, before);
  }

  /** The rows of a lane that stand before a place. */
  rows(lane: number, end: number): RowRange {
    const from = this.lanes[lane]?.from ?? 0;
    return [from, from + this.count(lane, end)];
  }

  placeOf(lane: number, row: number): number {
    const at = row - (this.lanes[lane]?.from ?? 0);
    return this.lanes.length === 1 ? at : (this.places[lane]?.[at] ?? this.length);
  }

  /**
   * Goes through the quotes before a place, in stretches of one lane. `take` says how many of the `count` rows from `from` on it takes;
   * where it takes fewer, the walk ends. Returns the place that it came to.
   */
  walk(end: number, take: (lane: number, from: number, count: number, place: number) => number): number {
    const { order, lanes, walked } = this;
    if (lanes.length === 1) return take(0, lanes[0]?.from ?? 0, end, 0);
    for (let lane = 0; lane < lanes.length; lane++) walked[lane] = lanes[lane]?.from ?? 0;
    for (let place = 0; place < end; ) {
      const lane = codeAt(order, place);
      let stop = place + 1;
      while (stop < end && order[stop] === lane) stop++;
      const [from, count] = [walked[lane] ?? 0, stop - place];
      walked[lane] = from + count;
      const taken = take(lane, from, count, place);
      if (taken < count) return place + taken;
      place = stop;
    }
    return end;
  }

  private count(lane: number, end: number): number {
    if (this.lanes.length === 1) return end;
    const places = this.places[lane];
    return firstWhere(0, (this.next[lane] ?? 0) - (this.lanes[lane]?.from ?? 0), (place) => (places?.[place] ?? end) >= end);
  }

  private alone({ columns: { at, length }, from }: TapeLane, most: number, before: Millis): number {
    const to = Math.min(from + most, length);
    return (figureAt(at, to - 1) < before ? to : Math.min(to, Math.max(from, firstAt(at, before)))) - from;
  }

  private merge(lanes: readonly TapeLane[], most: number, before: Millis): number {
    const { order, places, next } = this;
    next.length = 0;
    for (const { from } of lanes) places[next.push(from) - 1] ??= new Int32Array(order.length);
    for (let place = 0; place < most; place++) {
      const lane = this.first(lanes, before);
      if (lane === undefined) return place;
      const row = next[lane] ?? 0;
      order[place] = lane;
      const own = places[lane];
      if (own) own[row - (lanes[lane]?.from ?? 0)] = place;
      next[lane] = row + 1;
    }
    return most;
  }

  /** The lane whose next quote comes first; undefined where none does before a time, or two do. */
  private first(lanes: readonly TapeLane[], before: Millis): number | undefined {
    let [first, time, line, isTied] = [-1, Number.POSITIVE_INFINITY, 0, false];
    for (let lane = 0; lane < lanes.length; lane++) {
      const { columns, isImported = false } = lanes[lane] ?? NO_LANE;
      const row = this.next[lane] ?? 0;
      if (row >= columns.length) continue;
      const at = columns.at[row] ?? before;
      if (at >= before || at > time) continue;
      const own = isImported ? 0 : figureAt(columns.line, row);
      if (at === time && own >= line) {
        const other = lanes[first] ?? NO_LANE;
        const areImported = isImported && other.isImported === true;
        isTied ||= own === line && !areImported;
        if (!areImported || columns.lane > other.columns.lane) continue;
      }
      [first, time, line, isTied] = [lane, at, own, false];
    }
    return first < 0 || isTied ? undefined : first;
  }
}

const NO_LANE: { readonly columns: Pick<QuoteColumns, 'at' | 'line' | 'length' | 'lane'>; readonly isImported?: boolean } = {
  columns: { at: new Float64Array(), line: new Float64Array(), length: 0, lane: laneIdOf('') },
};
