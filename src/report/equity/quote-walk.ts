import type { Millis } from '#domain/names.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';

/** Goes through the quotes of several lanes as one stream, by time of arrival; equal times in the order of the lanes. */
export class QuoteWalk {
  private readonly lanes: readonly QuoteColumns[];
  /** Next row of each lane. */
  private readonly next: Int32Array;
  /** Lanes that have rows left, as a heap on the time of their next row. */
  private readonly heap: number[] = [];

  constructor(lanes: readonly QuoteColumns[]) {
    this.lanes = lanes;
    this.next = new Int32Array(lanes.length);
    for (let lane = 0; lane < lanes.length; lane += 1) {
      if ((lanes[lane]?.length ?? 0) === 0) continue;
      this.heap.push(lane);
      this.rise(this.heap.length - 1);
    }
  }

  /** Time of the next quote; infinite when there is none. */
  get at(): Millis {
    const [lane] = this.heap;
    return lane === undefined ? Number.POSITIVE_INFINITY : this.timeOf(lane);
  }

  /** Hands over quotes that arrived at `upTo` or before. */
  take(upTo: Millis, onQuote: (lane: number, row: number, at: Millis) => void): void {
    for (let [lane] = this.heap; lane !== undefined; [lane] = this.heap) {
      const at = this.timeOf(lane);
      if (at > upTo) return;
      const row = this.next[lane] ?? 0;
      this.next[lane] = row + 1;
      if (row + 1 >= (this.lanes[lane]?.length ?? 0)) this.drop();
      else this.sink();
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

  private drop(): void {
    const last = this.heap.pop();
    if (last === undefined || this.heap.length === 0) return;
    this.heap[0] = last;
    this.sink();
  }

  private rise(from: number): void {
    for (let child = from; child > 0; ) {
      const parent = (child - 1) >> 1;
      if (!this.swapIfBefore(child, parent)) return;
      child = parent;
    }
  }

  private sink(): void {
    for (let parent = 0; ; ) {
      const left = 2 * parent + 1;
      const [a, b] = [this.heap[left], this.heap[left + 1]];
      if (a === undefined) return;
      const child = b !== undefined && this.before(b, a) ? left + 1 : left;
      if (!this.swapIfBefore(child, parent)) return;
      parent = child;
    }
  }

  private swapIfBefore(child: number, parent: number): boolean {
    const [low, high] = [this.heap[child], this.heap[parent]];
    if (low === undefined || high === undefined || !this.before(low, high)) return false;
    this.heap[parent] = low;
    this.heap[child] = high;
    return true;
  }
}
