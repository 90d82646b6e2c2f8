import { KairosError } from '#domain/errors.ts';
import type { InboxLog } from '#ports/inbox-log.ts';
import type { Journal } from '#ports/journal.ts';

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
