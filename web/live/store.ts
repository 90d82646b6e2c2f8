import { useEffect, useReducer } from 'preact/hooks';

/**
 * A value that parts of the page look at. However often it changes, who looks is told once a frame: sixty updates a second
 * are drawn as smoothly as one.
 */
export class Store<Value> {
  private value: Value;
  private readonly lookers = new Set<() => void>();
  private waiting = false;

  constructor(value: Value) {
    this.value = value;
  }

  get(): Value {
    return this.value;
  }

  set(value: Value): void {
    if (value === this.value) return;
    this.value = value;
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      for (const look of this.lookers) look();
    });
  }

  /** Returns how to look no more. */
  watch(look: () => void): () => void {
    this.lookers.add(look);
    return () => this.lookers.delete(look);
  }
}

/** The value of a store, drawn anew when it changes. */
export function useStore<Value>(store: Store<Value>): Value {
  const [, draw] = useReducer<number, null>((count) => count + 1, 0);
  const seen = store.get();
  useEffect(() => {
    const stop = store.watch(() => draw(null));
    // It may have changed between the drawing and now.
    if (store.get() !== seen) draw(null);
    return stop;
  }, [store]);
  return seen;
}
