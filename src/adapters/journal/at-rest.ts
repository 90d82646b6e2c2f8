import type { BookedByPerson, Decision } from '#domain/decision.ts';
import { KairosError } from '#domain/errors.ts';
import { type Millis, runId } from '#domain/names.ts';
import { JournalReader } from './reader.ts';
import { SqliteJournal } from './sqlite-journal.ts';

/**
 * Appends what a person says to a journal that no daemon holds. Takes the lease itself: throws JOURNAL_LEASED while a
 * daemon runs, NOT_FOUND where no run has begun yet. The rows are made under it, and belong to the last run and to no event of its inbox.
 */
export function appendAtRest(path: string, rows: () => readonly Decision[]): void {
  // Looked for first, so that a wrong path is told of and no journal is made there.
  const run = lastRunOf(path);
  const journal = SqliteJournal.open({ path, book: null, beforeCommit: () => {} });
  try {
    journal.appendTo(runId(run), rows());
  } finally {
    journal.close();
  }
}

function lastRunOf(path: string): string {
  const reader = JournalReader.open(path);
  try {
    const run = reader.lastRun();
    if (run) return run.run_id;
  } finally {
    reader.close();
  }
  throw new KairosError('NOT_FOUND', `journal ${path} has no run yet: start the daemon first`);
}

/** What a person books into a journal that no daemon holds, with who and why. */
export interface BookingRequest {
  readonly entries: readonly BookedByPerson[];
  readonly who: string;
  readonly why: string;
  readonly now: Millis;
}

/** Books movements that no order made. Throws JOURNAL_LEASED while a daemon runs, NOT_FOUND where no run has begun. */
export function bookEntries(path: string, { entries, who, why, now }: BookingRequest): void {
  const row: Decision = {
    kind: 'booked',
    at: now,
    inboxSeq: 0,
    strategy: null,
    product: null,
    reason: 'BY_PERSON',
    quoteId: null,
    orderId: null,
    detail: { who, why, entries },
  };
  appendAtRest(path, () => [row]);
}
