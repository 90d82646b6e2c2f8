import { codeAt } from '#domain/figure-at.ts';
import { Heap } from '#domain/heap.ts';
import type { Millis } from '#domain/names.ts';
import type { PriceColumns, RowRange } from '#domain/quote-columns.ts';

/** What a lane brought at one instant. */
export interface LaneUpdate {
  /** Its place among the lanes. */
  readonly lane: number;
  /** One quote; of bars all that end then, the last price behind its range. */
  readonly rows: RowRange;
}

/**
 * Goes through the quotes of several lanes as one stream, by time of arrival: bars that end together at once, before other quotes of
 * that time, and these one by one, in the order of the lanes.
 */
export class QuoteWalk {
  private readonly lanes: readonly PriceColumns[];
  /** Next row of each lane. */
  private readonly next: Int32Array;
  /** Lanes that have rows left, by the time of their next row. */
  private readonly left = new Heap<number>((a, b) => this.before(a, b));

  constructor(lanes: readonly PriceColumns[]) {
    this.lanes = lanes;
    this.next = new Int32Array(lanes.length);
    for (const [lane, { length }] of lanes.entries()) if (length > 0) this.left.push(lane);
  }

  /** Time of the next quote; infinite when there is none. */
  get at(): Millis {
    const lane = this.left.first;
    return lane === undefined ? Number.POSITIVE_INFINITY : this.timeOf(lane);
  }

  /** Hands over quotes that arrived at `upTo` or before. */
  advance(upTo: Millis, onQuotes: (brought: readonly LaneUpdate[], at: Millis) => void): void {
    for (let lane = this.left.first; lane !== undefined; lane = this.left.first) {
      const at = this.timeOf(lane);
      if (at > upTo) return;
      onQuotes(this.isOfBars(lane) ? this.barsAt(at) : [this.takeFrom(lane, 1)], at);
    }
  }

  private barsAt(at: Millis): readonly LaneUpdate[] {
    const brought: LaneUpdate[] = [];
    for (let lane = this.left.first; lane !== undefined && this.isOfBars(lane) && this.timeOf(lane) === at; lane = this.left.first) {
      const times = this.lanes[lane]?.at;
      const from = codeAt(this.next, lane);
      let count = 1;
      while (times?.[from + count] === at) count += 1;
      brought.push(this.takeFrom(lane, count));
    }
    return brought;
  }

  /** Takes so many quotes of the lane that comes first. */
  private takeFrom(lane: number, count: number): LaneUpdate {
    const from = codeAt(this.next, lane);
    const to = from + count;
    this.next[lane] = to;
    if (to >= (this.lanes[lane]?.length ?? 0)) this.left.removeFirst();
    else this.left.firstMoved();
    return { lane, rows: [from, to] };
  }

  private timeOf(lane: number): Millis {
    return this.lanes[lane]?.at[codeAt(this.next, lane)] ?? Number.POSITIVE_INFINITY;
  }

  private isOfBars(lane: number): boolean {
    return (this.lanes[lane]?.barMs ?? 0) > 0;
  }

  private before(a: number, b: number): boolean {
    const [at, than] = [this.timeOf(a), this.timeOf(b)];
    if (at !== than) return at < than;
    return this.isOfBars(a) === this.isOfBars(b) ? a < b : this.isOfBars(a);
  }
}
