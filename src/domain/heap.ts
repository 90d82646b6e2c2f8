/** A binary heap: reads the first by `before` in O(1), adds and removes in O(log n). */
export class Heap<T> {
  private items: T[] = [];
  private readonly before: (a: T, b: T) => boolean;

  constructor(before: (a: T, b: T) => boolean) {
    this.before = before;
  }

  get size(): number {
    return this.items.length;
  }

  get first(): T | undefined {
    return this.items[0];
  }

  push(item: T): void {
    const { items, before } = this;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = items[parentAt];
      if (parent === undefined || !before(item, parent)) break;
      items[at] = parent;
      at = parentAt;
    }
    items[at] = item;
  }

  removeFirst(): void {
    const last = this.items.pop();
    if (last === undefined || this.items.length === 0) return;
    this.items[0] = last;
    this.firstMoved();
  }

  /** Restores the order after the first item's key has changed. */
  firstMoved(): void {
    const { items, before } = this;
    const item = items[0];
    if (item === undefined) return;
    let at = 0;
    for (;;) {
      let childAt = 2 * at + 1;
      let child = items[childAt];
      if (child === undefined) break;
      const right = items[childAt + 1];
      if (right !== undefined && before(right, child)) {
        childAt += 1;
        child = right;
      }
      if (!before(child, item)) break;
      items[at] = child;
      at = childAt;
    }
    items[at] = item;
  }

  /** Removes what `keep` refuses, adds `more` and sorts. Of equal items those that were in before stay first. */
  rebuild(keep: (item: T) => boolean, ...more: readonly T[]): void {
    const { before } = this;
    const kept = [...this.items.filter(keep), ...more];
    // A sorted list is a heap.
    this.items = kept.sort((a, b) => (before(a, b) ? -1 : before(b, a) ? 1 : 0));
  }
}
