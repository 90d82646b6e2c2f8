import { KairosError } from '#domain/errors.ts';
import type { InboxLog } from '#ports/inbox-log.ts';
import type { Journal } from '#ports/journal.ts';
import type { Timers } from '#ports/timers.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { RunResources } from './opening.ts';

/** Writes deferred rows and the inbox log of a run, and tracks whether another program locks the journal. */
export class JournalKeeper {
  private readonly parts: { readonly journal: Journal; readonly log: Pick<InboxLog, 'flush'> };
  private held = false;

  constructor(parts: JournalKeeper['parts']) {
    this.parts = parts;
  }

  /** True if another program locked the journal at the last write. */
  get isBusy(): boolean {
    return this.held;
  }

  /** Writes deferred rows. Call it several times a second, off the path of orders. Throws JOURNAL_FAULT. */
  flush(): void {
    this.parts.log.flush();
    this.attempt(() => this.parts.journal.flush());
  }

  /** Commits deferred rows; false if another program locks the journal, also where there are none. Throws JOURNAL_FAULT. */
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
      // A locked journal has written nothing and keeps the rows for the next flush or commit.
      if (!(error instanceof KairosError) || error.code !== 'JOURNAL_BUSY') throw error;
      this.held = true;
    }
  }
}

/** For a person whose act finds the journal held: it was not taken at all. */
export function journalHeld(): KairosError {
  return new KairosError('OPS_UNAVAILABLE', 'another program holds the journal, so nothing was done: try again');
}

interface Watching extends Pick<RunResources, 'metrics' | 'silences'> {
  readonly heartbeat: Heartbeat;
  readonly timers: Pick<Timers, 'monotonicMs'>;
}

/** The journal with published commits, and with its rows handed to the metrics and to what answers `why-not`. */
export function watchedJournal(journal: Journal, { heartbeat, metrics, silences, timers }: Watching): Journal {
  return {
    commit(decisions) {
      const from = timers.monotonicMs();
      heartbeat.duringCommit(() => journal.commit(decisions));
      metrics.journaled(decisions, timers.monotonicMs() - from);
      silences.journaled(decisions);
    },
    defer(decisions) {
      journal.defer(decisions);
      metrics.journaled(decisions);
      silences.journaled(decisions);
    },
    write: () => heartbeat.duringCommit(() => journal.write()),
    flush: () => heartbeat.duringCommit(() => journal.flush()),
    end: (run, endState) => journal.end(run, endState),
  };
}
