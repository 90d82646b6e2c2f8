import type { InboxEvent } from '#domain/event.ts';

interface IntakeOptions<Item> {
  /** Names an item: the same name, the same item. */
  readonly keyOf: (item: Item) => string;
  readonly eventOf: (item: Item) => InboxEvent;
  readonly post: (event: InboxEvent) => void;
  /** Handles everything that waits and hands it to the operating system; false if the journal could not. */
  readonly settle: () => boolean;
  /** True while the engine takes events. */
  readonly isRunning: () => boolean;
}

/** Posts what a receiver's thread brings to the inbox, each item once. */
export class Intake<Item> {
  private readonly options: IntakeOptions<Item>;
  /** Handled, but not known to be in the journal. A repetition is not handled again. */
  private readonly unsure = new Set<string>();
  /** In the journal since the sender was told to come again. */
  private readonly late = new Set<string>();

  constructor(options: IntakeOptions<Item>) {
    this.options = options;
  }

  /** True once the whole batch is in the journal's file, though not yet synced. */
  accept(batch: readonly Item[]): boolean {
    const { keyOf, eventOf, post, settle, isRunning } = this.options;
    // While another program locks the journal, nothing has an effect: a sender who is told to come again may have no id.
    if (!isRunning() || !settle()) return false;
    for (const item of batch) {
      const key = keyOf(item);
      if (this.unsure.has(key) || this.late.has(key)) continue;
      this.unsure.add(key);
      post(eventOf(item));
    }
    if (!settle()) return false;
    for (const key of this.unsure) this.late.add(key);
    for (const item of batch) this.late.delete(keyOf(item));
    this.unsure.clear();
    return true;
  }
}
