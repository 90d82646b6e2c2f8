import { systemTimers } from '#adapters/time/system-timers.ts';
import type { Decision } from '#domain/decision.ts';
import type { RunId } from '#domain/names.ts';
import { seeded } from '#domain/seeded.ts';
import type { Journal } from '#ports/journal.ts';

/** A journal on a slow disk: every commit holds the loop up for a seeded time, as a blocking fsync does (F48). */
export class SlowJournal implements Journal {
  /** When the approval of each order was durable, in wall time. */
  readonly durableAt = new Map<string, number>();
  private readonly journal: Journal;
  private readonly longestMs: number;
  private readonly draw: { next(): number };

  constructor(journal: Journal, options: { readonly seed: string; readonly longestMs: number }) {
    this.journal = journal;
    this.longestMs = options.longestMs;
    this.draw = seeded(options.seed);
  }

  commit(decisions: readonly Decision[]): void {
    const end = performance.now() + this.draw.next() * this.longestMs;
    while (performance.now() < end);
    this.journal.commit(decisions);
    for (const { kind, orderId } of decisions) {
      if (kind === 'approved' && orderId !== null) this.durableAt.set(orderId, systemTimers.wallMs());
    }
  }

  defer(decisions: readonly Decision[]): void {
    this.journal.defer(decisions);
  }

  write(): void {
    this.journal.write();
  }

  flush(): void {
    this.journal.flush();
  }

  end(run: RunId, endState: 'stopped' | 'halted' | 'crashed'): void {
    this.journal.end(run, endState);
  }
}
