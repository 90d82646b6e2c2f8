import { IN_MEMORY } from '#adapters/journal/files.ts';
import type { RecoveryState } from '#adapters/journal/recovery.ts';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { VERSION } from '#assembly/package.ts';
import type { DecidingConfig } from '#config/load.ts';
import type { Decision } from '#domain/decision.ts';
import { type Millis, runId } from '#domain/names.ts';

/** What the next start would recover from a journal of these decisions. */
export function recoveredFrom(decisions: readonly Decision[], of: { readonly config: DecidingConfig; readonly at: Millis }): RecoveryState {
  const { config, at } = of;
  const journal = SqliteJournal.open({ path: IN_MEMORY, book: 'paper', beforeCommit: () => {}, now: () => at });
  try {
    const { hash: configHash, json: configJson } = config;
    journal.beginRun({ run: runId('scenario'), at, mode: 'paper', version: VERSION, configHash, configJson });
    journal.commit(decisions);
    return journal.recover(at);
  } finally {
    journal.close();
  }
}
