import { Heap } from '#domain/heap.ts';
import type { Millis } from '#domain/names.ts';
import type { PriceColumns } from '#domain/quote-columns.ts';

/** Goes through the quotes of several lanes as one stream, by time of arrival; equal times in the order of the lanes. */
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
  take(upTo: Millis, onQuote: (lane: number, row: number, at: Millis) => void): void {
    for (let lane = this.left.first; lane !== undefined; lane = this.left.first) {
      const at = this.timeOf(lane);
      if (at > upTo) return;
      const row = this.next[lane] ?? 0;
      this.next[lane] = row + 1;
      if (row + 1 >= (this.lanes[lane]?.length ?? 0)) this.left.removeFirst();
      else this.left.firstMoved();
      onQuote(lane, row, at);
    }
  }

  private timeOf(lane: number): Millis {
    return this.lanes[lane]?.at[this.next[lane] ?? 0] ?? Number.POSITIVE_INFINITY;
  }

  private before(a: number, b: number): boolean {
    const [at, than] = [this.timeOf(a), this.timeOf(b)];
    return at < than || (at === than && a < b);
  }
}
