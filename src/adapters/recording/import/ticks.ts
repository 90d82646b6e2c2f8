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
  /** Time before that of the row before: it is taken to arrive with that row. */
  unordered: number;
  /** Equal in everything to the row before. */
  repeated: number;
  /** Of the same time as the row before, and not equal to it. */
  equalTime: number;
}

/** A day of minutes fits; the room of a day of ticks is doubled as it fills, and the next day begins with as much. */
const FIRST_ROWS = 1 << 11;

/** Gathers prices and hands them over, a UTC day at a time. */
export class Ticks {
  readonly counts: TickCounts = { rows: 0, quotes: 0, crossed: 0, locked: 0, unordered: 0, repeated: 0, equalTime: 0 };
  private readonly options: TickOptions;
  private readonly onDay: (day: TickDay) => void;
  private at = new Float64Array(FIRST_ROWS);
  private time = new Float64Array(FIRST_ROWS);
  private bid = new Float64Array(FIRST_ROWS);
  private ask = new Float64Array(FIRST_ROWS);
  private rows = 0;
  private dayEnds = Number.NEGATIVE_INFINITY;
  private latest = Number.NEGATIVE_INFINITY;
  private last = { time: Number.NaN, bid: Number.NaN, ask: Number.NaN };
  private readonly cadence = new Cadence();

  /** `onDay` gets the memory of a day with it. */
  constructor(options: TickOptions, onDay: (day: TickDay) => void) {
    this.options = options;
    this.onDay = onDay;
  }

  /** Takes one row, known at a time. Returns what is wrong with it where that ends the import. */
  add(time: Millis, bid: number, ask: number): string | undefined {
    const { counts, options, last } = this;
    counts.rows += 1;
    if (time === last.time) {
      if (bid === last.bid && ask === last.ask) counts.repeated += 1;
      else counts.equalTime += 1;
    } else if (time < last.time) counts.unordered += 1;
    this.cadence.add(time - last.time);
    last.time = time;
    last.bid = bid;
    last.ask = ask;
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

  private keep(time: Millis, bid: number, ask: number): void {
    if (time > this.latest) this.latest = time;
    if (this.latest >= this.dayEnds) this.beginDay();
    if (this.rows === this.at.length) this.grow();
    const row = this.rows;
    this.at[row] = this.latest;
    this.time[row] = time;
    this.bid[row] = bid;
    this.ask[row] = ask;
    this.rows = row + 1;
    this.counts.quotes += 1;
  }

  /** Hands over what waits. */
  flush(): void {
    if (this.rows === 0) return;
    const { rows, at, time, bid, ask, counts } = this;
    const room = (): Float64Array<ArrayBuffer> => new Float64Array(at.length);
    [this.at, this.time, this.bid, this.ask] = [room(), room(), room(), room()];
    this.rows = 0;
    const day = isoTime(this.dayEnds - DAY_MS).slice(0, 10);
    this.onDay({ day, before: counts.quotes - rows, rows, at, time, bid, ask });
  }

  private beginDay(): void {
    this.flush();
    this.dayEnds = dayEnd(this.latest);
  }

  private grow(): void {
    this.at = doubled(this.at);
    this.time = doubled(this.time);
    this.bid = doubled(this.bid);
    this.ask = doubled(this.ask);
  }
}

function doubled(column: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(column.length * 2);
  larger.set(column);
  return larger;
}
