import { figureAt } from '#domain/figure-at.ts';
import type { Millis } from '#domain/names.ts';
import type { BarGapCounts } from './bar-width.ts';
import type { PriceRow } from './row.ts';

/** Which prices of a bar are played: its last ones, or first the worst of it for either side, and then the last ones. */
export type BarPath = 'close' | 'worst';

/** What the time of a bar is of it. */
export type BarStamp = 'begin' | 'end';

/** What was found in a file of bars. */
interface BarCounts {
  /** Lines of the file, also those that were dropped. */
  rows: number;
  /** Another row of the same begin stands behind it and counts. */
  replaced: number;
  /** Equal in everything to another row. */
  repeated: number;
  /** Begin before that of the row before: they are put in order. */
  unordered: number;
  /** Begins that only one of two files has. */
  unpaired: number;
}

const FIRST_ROWS = 1 << 12;
const HOUR_MS = 3_600_000;
const [AT, BID, ASK, LOW, HIGH, FIELDS] = [0, 1, 2, 3, 4, 5];

/** The bars of a file, each once, in the order of time. */
export class BarTable {
  readonly counts: BarCounts = { rows: 0, replaced: 0, repeated: 0, unordered: 0, unpaired: 0 };
  private figures = new Float64Array(FIRST_ROWS * FIELDS);
  private length = 0;
  private readonly present: PriceRow = { at: 0, bid: 0, ask: 0, low: 0, high: 0, open: Number.NaN };

  /** Keeps a row. */
  readonly take = (row: PriceRow): undefined => {
    if (this.figures.length < (this.length + 1) * FIELDS) this.grow();
    const place = this.length * FIELDS;
    const { figures, counts } = this;
    counts.rows += 1;
    if (this.length > 0 && row.at < figureAt(figures, place - FIELDS + AT)) counts.unordered += 1;
    figures[place + AT] = row.at;
    figures[place + BID] = row.bid;
    figures[place + ASK] = row.ask;
    figures[place + LOW] = row.low;
    figures[place + HIGH] = row.high;
    this.length += 1;
    return undefined;
  };

  /** Puts all in order; of equal begins the last one counts. */
  order(): void {
    const { figures, counts } = this;
    const places = Uint32Array.from({ length: this.length }, (_, row) => row);
    const at = (row: number): number => figureAt(figures, row * FIELDS + AT);
    places.sort((a, b) => at(a) - at(b) || a - b);
    const ordered = new Float64Array(this.length * FIELDS);
    let kept = 0;
    for (const [index, row] of places.entries()) {
      const next = places[index + 1];
      const bar = figures.subarray(row * FIELDS, (row + 1) * FIELDS);
      if (next !== undefined && at(next) === at(row)) {
        const isSame = bar.every((figure, field) => figure === figures[next * FIELDS + field]);
        counts[isSame ? 'repeated' : 'replaced'] += 1;
        continue;
      }
      ordered.set(bar, kept * FIELDS);
      kept += 1;
    }
    this.figures = ordered;
    this.length = kept;
  }

  /** Takes the asks of another file that is in order, by their begins; a bar without one is left out. */
  pair(asks: BarTable): void {
    const { counts } = this;
    let [kept, other] = [0, 0];
    for (let row = 0; row < this.length; row += 1) {
      const begin = this.figure(row, AT);
      for (; other < asks.length && asks.figure(other, AT) < begin; other += 1) counts.unpaired += 1;
      if (other >= asks.length || asks.figure(other, AT) !== begin) {
        counts.unpaired += 1;
        continue;
      }
      this.figures.set(
        [begin, this.figure(row, BID), asks.figure(other, ASK), this.figure(row, LOW), asks.figure(other, HIGH)],
        kept * FIELDS,
      );
      kept += 1;
      other += 1;
    }
    counts.unpaired += asks.length - other;
    counts.rows += asks.counts.rows;
    for (const what of ['replaced', 'repeated', 'unordered'] as const) counts[what] += asks.counts[what];
    this.length = kept;
  }

  /** How often each time from one begin to the next is there. */
  get gaps(): BarGapCounts {
    const counts = new Map<Millis, number>();
    for (let row = 1; row < this.length; row += 1) {
      const gap = this.figure(row, AT) - this.figure(row - 1, AT);
      counts.set(gap, (counts.get(gap) ?? 0) + 1);
    }
    return counts;
  }

  /** How often each such time comes in one stretch at most, where no bar is `barMs` from the next. */
  apartFrom(barMs: Millis): BarGapCounts {
    const most = new Map<Millis, number>();
    const stretch = new Map<Millis, number>();
    for (let row = 1; row < this.length; row += 1) {
      const gap = this.figure(row, AT) - this.figure(row - 1, AT);
      if (gap === barMs) stretch.clear();
      const count = (stretch.get(gap) ?? 0) + 1;
      stretch.set(gap, count);
      if (count > (most.get(gap) ?? 0)) most.set(gap, count);
    }
    return most;
  }

  /** True where most times are in the last second of a minute: those of ends. */
  get areEndsLikely(): boolean {
    let late = 0;
    for (let row = 0; row < this.length; row += 1) if (this.figure(row, AT) % 60_000 >= 59_000) late += 1;
    return 2 * late > this.length;
  }

  /** Makes ends, also those a moment before the next begin, the begins that the others have. */
  beginBefore(barMs: Millis): void {
    for (let row = 0; row < this.length; row += 1) {
      const end = this.figure(row, AT);
      this.figures[row * FIELDS + AT] = (end % 60_000 >= 59_000 ? Math.ceil((end + 1) / 60_000) * 60_000 : end) - barMs;
    }
  }

  /** Each bar in order; the object is the same each time. */
  *[Symbol.iterator](): Generator<PriceRow> {
    for (let index = 0; index < this.length; index += 1) yield this.row(index);
  }

  /**
   * The same, each with its end. Wider than an hour it ends where the next one begins up to an hour off: clocks have changed in it, also
   * where the file counts in UTC. Ends that the file itself has need no guess.
   */
  *withEnds(barMs: Millis, stamp: BarStamp): Generator<readonly [bar: PriceRow, end: Millis]> {
    const mayChange = stamp === 'begin' && barMs > HOUR_MS;
    for (let index = 0; index < this.length; index += 1) {
      const bar = this.row(index);
      const usual = bar.at + barMs;
      const next = mayChange && index + 1 < this.length ? this.figure(index + 1, AT) : usual;
      yield [bar, Math.abs(next - usual) <= HOUR_MS ? next : usual];
    }
  }

  private row(index: number): PriceRow {
    const row = this.present;
    row.at = this.figure(index, AT);
    row.bid = this.figure(index, BID);
    row.ask = this.figure(index, ASK);
    row.low = this.figure(index, LOW);
    row.high = this.figure(index, HIGH);
    return row;
  }

  private figure(row: number, field: number): number {
    return figureAt(this.figures, row * FIELDS + field);
  }

  private grow(): void {
    const larger = new Float64Array(this.figures.length * 2);
    larger.set(this.figures);
    this.figures = larger;
  }
}
