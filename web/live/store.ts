import { useEffect, useReducer } from 'preact/hooks';

/**
 * A value that parts of the page show. However often it changes, its listeners are called once a frame: sixty updates a second
 * are drawn as smoothly as one.
 */
export class Store<Value> {
  private value: Value;
  private readonly listeners = new Set<() => void>();
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
      for (const listener of this.listeners) listener();
    });
  }

  /** Calls the listener after each change; returns the function that ends it. */
  watch(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/** The value of a store; the part is drawn again when it changes. */
export function useStore<Value>(store: Store<Value>): Value {
  const [, draw] = useReducer<number, null>((count) => count + 1, 0);
  const seen = store.get();
  useEffect(() => {
    const stop = store.watch(() => draw(null));
    // It may have changed since the part was drawn.
    if (store.get() !== seen) draw(null);
    return stop;
  }, [store]);
  return seen;
}
