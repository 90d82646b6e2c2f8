import type { Cancel, Timers } from '#ports/timers.ts';

/** How often refusals are reported to the main thread, in milliseconds. */
const TOLD_EVERY_MS = 10_000;

/** How often each cause came, by its words. */
export type CauseCounts = Readonly<Record<string, number>>;

/** Counts what a receiver refuses, and tells it now and then. */
export class RefusalCounts {
  private counts: Record<string, number> = {};
  /** Tells no more. */
  readonly stop: Cancel;

  constructor(timers: Pick<Timers, 'every'>, tell: (counts: CauseCounts) => void) {
    this.stop = timers.every(TOLD_EVERY_MS, () => {
      if (Object.keys(this.counts).length > 0) tell(this.counts);
      this.counts = {};
    });
  }

  add(cause: string): void {
    this.counts[cause] = (this.counts[cause] ?? 0) + 1;
  }
}

/** The counts in words. */
export const countsText = (counts: CauseCounts): string =>
  Object.entries(counts)
    .map(([cause, count]) => `${count} (${cause})`)
    .join(', ');
