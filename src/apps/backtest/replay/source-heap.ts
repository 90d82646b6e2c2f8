import type { LaneId } from '#domain/names.ts';
import { before, type QuoteSource } from './recorded-lane.ts';

/** Lanes by their next quote: time, then place in the recording. The first is at hand, and most often stays near. */
export class SourceHeap {
  private heap: QuoteSource[] = [];

  get first(): QuoteSource | undefined {
    return this.heap[0];
  }

  add(source: QuoteSource): void {
    this.heap.push(source);
    this.order();
  }

  remove(lane: LaneId): void {
    this.heap = this.heap.filter((source) => source.lane.id !== lane);
    this.order();
  }

  /** The first lane has taken its quote and finds its new place. */
  firstMoved(): void {
    const { heap } = this;
    const moved = heap[0];
    if (!moved) return;
    let at = 0;
    for (;;) {
      let childAt = 2 * at + 1;
      let child = heap[childAt];
      if (!child) break;
      const right = heap[childAt + 1];
      if (right && before(right, child)) {
        childAt += 1;
        child = right;
      }
      if (!before(child, moved)) break;
      heap[at] = child;
      at = childAt;
    }
    heap[at] = moved;
  }

  /** A sorted list is a heap. Of lanes with the same place, those that were added first stay first. */
  private order(): void {
    this.heap.sort((a, b) => (before(a, b) ? -1 : before(b, a) ? 1 : 0));
  }
}
