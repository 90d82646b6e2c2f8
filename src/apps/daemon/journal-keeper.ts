import { KairosError } from '#domain/errors.ts';
import type { InboxLog } from '#ports/inbox-log.ts';
import type { Journal } from '#ports/journal.ts';
import type { Timers } from '#ports/timers.ts';
import type { RunMetrics } from '#server/metrics/run-metrics.ts';
import type { Heartbeat } from './heartbeat.ts';

/** Writes what waits in the journal and the inbox log of a run, and knows whether another program holds the journal. */
export class JournalKeeper {
  private readonly parts: { readonly journal: Journal; readonly log: Pick<InboxLog, 'flush'> };
  private held = false;

  constructor(parts: JournalKeeper['parts']) {
    this.parts = parts;
  }

  /** True while another program held the journal when it was written last. */
  get isBusy(): boolean {
    return this.held;
  }

  /** To be called several times a second, off the path of orders. Throws JOURNAL_FAULT. */
  flush(): void {
    this.parts.log.flush();
    this.attempt(() => this.parts.journal.flush());
  }

  /** Makes durable what waits; false where another program holds the journal. Throws JOURNAL_FAULT. */
  commit(): boolean {
    this.attempt(() => this.parts.journal.commit([]));
    return !this.held;
  }

  /** As `commit`, without waiting for the disk (`Journal.write`). Throws JOURNAL_FAULT. */
  write(): boolean {
    this.attempt(() => this.parts.journal.write());
    return !this.held;
  }

  private attempt(write: () => void): void {
    try {
      write();
      this.held = false;
    } catch (error) {
      // A busy journal has written nothing and keeps the rows: they go with the next flush or commit.
      if (!(error instanceof KairosError) || error.code !== 'JOURNAL_BUSY') throw error;
      this.held = true;
    }
  }
}

/** The journal, publishing that a commit is being made while one is, and handing its rows to what counts them. */
export function watchedJournal(
  journal: Journal,
  watching: { readonly heartbeat: Heartbeat; readonly metrics: RunMetrics; readonly timers: Pick<Timers, 'monotonicMs'> },
): Journal {
  const { heartbeat, metrics, timers } = watching;
  return {
    commit(decisions) {
      const from = timers.monotonicMs();
      heartbeat.duringCommit(() => journal.commit(decisions));
      metrics.journaled(decisions, timers.monotonicMs() - from);
    },
    defer(decisions) {
      journal.defer(decisions);
      metrics.journaled(decisions);
    },
    write: () => heartbeat.duringCommit(() => journal.write()),
    flush: () => heartbeat.duringCommit(() => journal.flush()),
    end: (run, endState) => journal.end(run, endState),
  };
}
