import { journalFacts } from '#adapters/journal/acts.ts';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { newRunId } from '#adapters/time/ids.ts';
import { bookOf } from '#assembly/assemble.ts';
import { VERSION } from '#assembly/package.ts';
import type { LoadedConfig } from '#config/load.ts';
import type { ActionDetail } from '#domain/decision.ts';
import { type RunId, runId } from '#domain/names.ts';
import type { Reason } from '#domain/reasons.ts';
import type { Timers } from '#ports/timers.ts';

/**
 * The journal of a command that calls the service while no daemon runs. Rows belong to the last run. Without one the
 * command is a run of its own, in the book of real trading or of paper, since it acts at the service.
 */
export class RemoteJournal {
  private readonly store: SqliteJournal;
  private readonly timers: Pick<Timers, 'wallMs'>;
  private readonly run: RunId;
  private readonly isOwn: boolean;

  private constructor(store: SqliteJournal, timers: Pick<Timers, 'wallMs'>, { run, isOwn }: { run: RunId; isOwn: boolean }) {
    this.store = store;
    this.timers = timers;
    this.run = run;
    this.isOwn = isOwn;
  }

  /** Takes the lease. Throws JOURNAL_LEASED while another process has it, and what opening a journal throws. */
  static open(config: LoadedConfig, timers: Timers): RemoteJournal {
    const { path } = config.settings.journal;
    const last = journalFacts(path).run;
    const book = last === null ? bookOf(config) : null;
    const store = SqliteJournal.open({ path, book, beforeCommit: () => {}, now: () => timers.wallMs() });
    if (last !== null) return new RemoteJournal(store, timers, { run: runId(last), isOwn: false });
    try {
      const run = newRunId(timers);
      store.beginRun({ run, at: timers.wallMs(), mode: config.mode, version: VERSION, configHash: config.hash, configJson: config.json });
      return new RemoteJournal(store, timers, { run, isOwn: true });
    } catch (error) {
      store.close();
      throw error;
    }
  }

  /** Creates whose outcome is not known. */
  openCreates(): readonly ActionDetail[] {
    return this.store.recover(this.timers.wallMs()).creates;
  }

  /** Durable on return. */
  keep(detail: ActionDetail, reason: Reason): void {
    this.store.appendTo(this.run, [
      {
        kind: 'action',
        at: this.timers.wallMs(),
        inboxSeq: 0,
        strategy: null,
        product: null,
        reason,
        quoteId: null,
        orderId: null,
        detail,
      },
    ]);
  }

  close(): void {
    if (this.isOwn) this.store.end(this.run, 'stopped');
    this.store.close();
  }
}
