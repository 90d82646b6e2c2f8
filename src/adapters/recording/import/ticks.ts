import { codeAt, figureAt } from '#domain/figure-at.ts';
import { Cadence } from '#domain/freshness.ts';
import type { Lane } from '#domain/lane.ts';
import { type Currency, isoTime, type Millis } from '#domain/names.ts';
import { DAY_MS, dayEnd } from '#domain/utc-day.ts';
import type { TickDay } from './tick-day.ts';

/** What becomes of rows whose ask is below their bid. */
export type CrossedPolicy = 'drop' | 'keep' | 'fail';

/** What imported prices are made into: quotes of one lane. */
export interface TickOptions {
  readonly lane: Lane;
  readonly baseCcy: Currency;
  readonly quoteCcy: Currency;
  /** In base currency, of both sides. */
  readonly size: number;
  readonly feePercentage: number;
  readonly validMs: Millis;
  /** Width of bars; 0 for ticks, and where bars tell it themselves. */
  readonly afterMs: Millis;
  readonly crossed: CrossedPolicy;
}

/** What was found among ticks, and the last prices of bars. Rows that are none of the last five are counted in `rows` and `quotes` alone. */
interface TickCounts {
  rows: number;
  /** Rows that became quotes. */
  quotes: number;
  /** Ask below bid. */
  crossed: number;
  /** Ask equal to bid. */
  locked: number;
  /** In the file before a row of an earlier time; where most are, behind one. */
  unordered: number;
  /** Once sorted, equal in everything to the one before. */
  repeated: number;
  /** Once sorted, of the same time as the one before, and not equal to it. */
  equalTime: number;
}

/** A day of minutes fits; the room is doubled as it fills. */
const FIRST_ROWS = 1 << 11;
/** How long a day waits behind its end for rows that come late. */
const LATE_MS = 3_600_000;

/** A row is of a day that was handed over: all rows are to be gathered before the first one is. */
export class LateRow extends Error {}

/** More take gigabytes, and a sort of minutes. */
const MOST_SORTED = 100_000_000;

/** Gathers prices and hands them over sorted by time, a UTC day at a time. */
export class Ticks {
  readonly counts: TickCounts = { rows: 0, quotes: 0, crossed: 0, locked: 0, unordered: 0, repeated: 0, equalTime: 0 };
  private readonly options: TickOptions;
  private readonly onDay: (day: TickDay) => void;
  private at = new Float64Array(FIRST_ROWS);
  private bid = new Float64Array(FIRST_ROWS);
  private ask = new Float64Array(FIRST_ROWS);
  /** Of the rows that wait. */
  private rows = 0;
  private isSorted = true;
  /** A row of this time hands the first day over that waits. */
  private nextAt: Millis;
  /** All days before this one were handed over. */
  private handedTo = Number.NEGATIVE_INFINITY;
  private added = Number.NaN;
  private readonly steps = { forward: 0, back: 0 };
  private last = { at: Number.NaN, bid: Number.NaN, ask: Number.NaN };
  private readonly cadence = new Cadence();

  /** `onDay` gets the memory of a day with it. `isWhole`: no day is handed over before `flush`. */
  constructor(options: TickOptions, onDay: (day: TickDay) => void, isWhole: boolean) {
    this.options = options;
    this.onDay = onDay;
    this.nextAt = isWhole ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  }

  /** Takes one row, known at a time. Returns what is wrong with it where that ends the import. Throws LateRow. */
  add(time: Millis, bid: number, ask: number): string | undefined {
    const { counts, options, steps } = this;
    counts.rows += 1;
    if (time < this.added) steps.back += 1;
    else if (time > this.added) steps.forward += 1;
    this.added = time;
    if (ask === bid) counts.locked += 1;
    else if (ask < bid) {
      counts.crossed += 1;
      if (options.crossed === 'fail') return `ask ${ask} is below bid ${bid}; --crossed drop or keep goes on`;
      if (options.crossed === 'drop') return undefined;
    }
    this.keep(time, bid, ask);
    return undefined;
  }

  /** Takes what a bar reached at the worst for either side, which is no row of its own. */
  range(time: Millis, low: number, high: number): undefined {
    this.keep(time, low, high);
  }

  /** How long a lane may be silent whose quotes come as these rows do. */
  get staleMs(): Millis {
    return this.cadence.silenceMs;
  }

  /** Hands over what waits. */
  flush(): void {
    this.handOver(Number.POSITIVE_INFINITY);
    this.counts.unordered = Math.min(this.steps.back, this.steps.forward);
  }

  private keep(time: Millis, bid: number, ask: number): void {
    if (time < this.handedTo) throw new LateRow();
    if (this.rows === this.at.length) this.grow();
    const row = this.rows;
    if (row > 0 && time < figureAt(this.at, row - 1)) this.isSorted = false;
    this.at[row] = time;
    this.bid[row] = bid;
    this.ask[row] = ask;
    this.rows = row + 1;
    if (time >= this.nextAt) this.handOver(time - LATE_MS);
  }

  /** Hands over the days that end by a time. */
  private handOver(end: Millis): void {
    if (!this.isSorted) this.sort();
    let from = 0;
    while (from < this.rows && dayEnd(figureAt(this.at, from)) <= end) from = this.handDay(from);
    for (const column of [this.at, this.bid, this.ask]) column.copyWithin(0, from, this.rows);
    this.rows -= from;
    if (this.rows > 0) this.nextAt = dayEnd(figureAt(this.at, 0)) + LATE_MS;
  }

  /** Hands over the day that begins with a row. Returns the row behind it. */
  private handDay(from: number): number {
    const { counts, at, bid, ask } = this;
    const before = counts.quotes;
    this.handedTo = dayEnd(figureAt(at, from));
    let to = from;
    for (; to < this.rows && figureAt(at, to) < this.handedTo; to += 1) this.count(to);
    const day = isoTime(this.handedTo - DAY_MS).slice(0, 10);
    this.onDay({ day, before, rows: to - from, at: at.slice(from, to), bid: bid.slice(from, to), ask: ask.slice(from, to) });
    return to;
  }

  private count(row: number): void {
    const { counts, last } = this;
    const [at, bid, ask] = [figureAt(this.at, row), figureAt(this.bid, row), figureAt(this.ask, row)];
    counts.quotes += 1;
    if (at === last.at) counts[bid === last.bid && ask === last.ask ? 'repeated' : 'equalTime'] += 1;
    this.cadence.add(at - last.at);
    last.at = at;
    last.bid = bid;
    last.ask = ask;
  }

  /** Sorts the rows that wait by time. Rows of equal time stay as the file has them, which is the other way round where it goes back. */
  private sort(): void {
    const { at, rows, steps } = this;
    if (rows > MOST_SORTED)
      throw new Error(`over ${MOST_SORTED / 1e6} million rows that are not in the order of time: sort the file by time`);
    const way = steps.back > steps.forward ? -1 : 1;
    const places = new Uint32Array(rows).map((_, row) => row).sort((a, b) => figureAt(at, a) - figureAt(at, b) || way * (a - b));
    const sorted = (column: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> => {
      const other = new Float64Array(column.length);
      for (let row = 0; row < rows; row += 1) other[row] = figureAt(column, codeAt(places, row));
      return other;
    };
    this.at = sorted(at);
    this.bid = sorted(this.bid);
    this.ask = sorted(this.ask);
    this.isSorted = true;
  }

  private grow(): void {
    this.at = doubled(this.at);
    this.bid = doubled(this.bid);
    this.ask = doubled(this.ask);
  }
}

function doubled(column: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(column.length * 2);
  larger.set(column);
  return larger;
}
