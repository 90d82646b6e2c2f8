import type { Decision } from '../domain/decision.ts';
import { KairosError, never } from '../domain/errors.ts';
import type { ActOfPerson, Latch } from '../domain/event.ts';
import { type Millis, runId, strategyId } from '../domain/names.ts';
import { JournalReader } from './reader.ts';
import { SqliteJournal } from './sqlite-journal.ts';

/**
 * Writes an act of a person into a journal that no daemon holds, so that the next start finds it latched, or ended.
 * Takes the lease itself: throws JOURNAL_LEASED while a daemon runs, NOT_FOUND where no run has begun yet. The row
 * belongs to the last run and to no event of its inbox (`inbox_seq` 0).
 */
export function writeAct(path: string, act: ActOfPerson, now: Millis): void {
  const run = lastRunOf(path);
  const journal = SqliteJournal.open({ path, book: null, beforeCommit: () => {}, now: () => now });
  try {
    journal.appendTo(runId(run), [rowOf(act, now)]);
  } finally {
    journal.close();
  }
}

/** What is latched in a journal, also while a daemon writes it. Throws NOT_FOUND where there is no journal. */
export function latchesIn(path: string): readonly Latch[] {
  const reader = JournalReader.open(path);
  try {
    return reader.latches();
  } finally {
    reader.close();
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

function rowOf(act: ActOfPerson, at: Millis): Decision {
  const { who, why } = act;
  const row = {
    at,
    inboxSeq: 0,
    product: null,
    reason: 'BY_PERSON',
    quoteId: null,
    orderId: null,
    strategy: act.act === 'halt' || act.strategy === null ? null : strategyId(act.strategy),
    detail: { who, why },
  } as const;
  switch (act.act) {
    case 'halt':
      return { ...row, kind: 'halted' };
    case 'resume':
      return { ...row, kind: 'resumed' };
    case 'pause':
      return { ...row, kind: 'paused' };
    case 'enable':
      return { ...row, kind: 'enabled' };
    default:
      return never(act);
  }
}
