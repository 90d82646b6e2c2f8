import { codeAt, figureAt } from '#domain/figure-at.ts';
import { firstWhere } from '#domain/first-where.ts';
import type { Millis } from '#domain/names.ts';
import { naturesOf, type QuoteColumns } from '#domain/quote-columns.ts';
import { MAX_LANES, QuoteTape } from '#domain/quote-tape.ts';
import type { Rows } from './rows.ts';
import { ScreenRefusal } from './screen-refusal.ts';

/** Quotes that are put in their order at once. */
const AT_ONCE = 4_096;

/** The quotes of some lanes in the order in which they come. A place is the number of quotes before it; with one lane it is a row. */
export class LaneStream {
  readonly lanes: readonly Rows[];
  readonly length: number;
  readonly areBars: boolean;
  readonly areImported: boolean;
  /** Time of the first quote, and of the last one. */
  readonly from: Millis;
  readonly lastAt: Millis;
  /** Whose quote stands at each place as it is played, and as reports go through it: there those of one time go by lane. Empty with one lane. */
  readonly played: Uint8Array;
  readonly reported: Uint8Array;
  /** True where quotes of several lanes came at one time. */
  isTied = false;
  private readonly places: readonly Int32Array[];

  /** Throws ScreenRefusal where nothing says which of two quotes comes first. */
  constructor(lanes: readonly Rows[]) {
    const all = lanes.map(({ quotes }) => quotes);
    this.lanes = lanes;
    this.length = all.reduce((sum, { length }) => sum + length, 0);
    this.areBars = all.some(({ barMs }) => barMs !== undefined);
    this.areImported = all.every(isImported);
    this.from = Math.min(...all.map(({ at }) => figureAt(at, 0)));
    this.lastAt = Math.max(...all.map(({ at, length }) => figureAt(at, length - 1)));
    this.played = new Uint8Array(lanes.length === 1 ? 0 : this.length);
    this.places = lanes.length === 1 ? [] : all.map(({ length }) => new Int32Array(length));
    this.reported = lanes.length === 1 ? this.played : this.byLane(this.merged(all));
  }

  placeOf(lane: number, row: number): number {
    const places = this.places[lane];
    return places === undefined ? row : codeAt(places, row);
  }

  /** How many rows of a lane come before a place. */
  rowsBefore(lane: number, place: number): number {
    const places = this.places[lane];
    return places === undefined ? place : firstWhere(0, places.length, (row) => codeAt(places, row) >= place);
  }

  /** The place behind all quotes that came by a time. */
  placeAfter(time: Millis): number {
    return placeFrom(this.lanes, (at) => at > time);
  }

  /** Puts the quotes of lanes in their order; returns the time at each place. */
  private merged(lanes: readonly QuoteColumns[]): Float64Array {
    if (lanes.length > MAX_LANES) throw new ScreenRefusal(`more than ${MAX_LANES} recorded amounts`);
    const times = new Float64Array(this.length);
    const tape = new QuoteTape(AT_ONCE);
    const ahead = lanes.map((columns) => ({ columns, from: 0, isImported: this.areImported }));
    for (let begin = 0; begin < this.length; begin += tape.length) {
      tape.fill(ahead, AT_ONCE, Number.POSITIVE_INFINITY);
      if (tape.length === 0) throw new ScreenRefusal('quotes of one time of which nothing says which comes first');
      tape.walk(tape.length, (lane, from, count, place) => {
        const [places, own] = [this.places[lane], ahead[lane]];
        for (let row = 0; row < count && places && own; row++) {
          places[from + row] = begin + place + row;
          times[begin + place + row] = figureAt(own.columns.at, from + row);
        }
        this.played.fill(lane, begin + place, begin + place + count);
        return count;
      });
      for (const [lane, own] of ahead.entries()) [, own.from] = tape.rows(lane, tape.length);
    }
    return times;
  }

  private byLane(times: Float64Array): Uint8Array {
    const order = this.played.slice();
    for (let from = 0, end = 0; from < order.length; from = end) {
      while (end < order.length && times[end] === times[from]) end += 1;
      const tied = order.subarray(from, end).sort();
      this.isTied ||= tied[0] !== tied.at(-1);
    }
    return order;
  }
}

/** The place of the first quote of some lanes whose time is late enough. */
export function placeFrom(lanes: readonly Rows[], isLate: (at: Millis) => boolean): number {
  return lanes.reduce((sum, { quotes: { at, length } }) => sum + firstWhere(0, length, (row) => isLate(figureAt(at, row))), 0);
}

/** True for an import, whose lines say nothing of what other lanes have. */
export function isImported(columns: QuoteColumns): boolean {
  const { numbered, identified } = naturesOf(columns);
  return !numbered && !identified;
}
