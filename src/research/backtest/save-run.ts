import { existsSync } from 'node:fs';
import { journalFiles, removeJournal } from '#adapters/journal/files.ts';
import { keepPlayed } from '#adapters/journal/played.ts';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { VERSION } from '#assembly/package.ts';
import type { DecidingConfig } from '#config/load.ts';
import { KairosError } from '#domain/errors.ts';
import { runId } from '#domain/names.ts';
import { BACKTEST_BOOK, type BacktestRun } from './backtest.ts';
import type { PriorTrials } from './played-in.ts';
import { playedIn } from './played-in.ts';
import type { BacktestSession } from './session.ts';

/** Keeps a backtest and what it played, for later reports. Throws as `saveRun`. */
export function keepBacktest(session: BacktestSession, run: BacktestRun, file: string, before?: PriorTrials): void {
  saveRun(session.config, run, file);
  wholeOrNone(file, () => keepPlayed(file, run.run, JSON.stringify(playedIn(session, run, before))));
}

/**
 * Writes a backtest into a new journal, as a daemon would, and nothing beside it. Throws USAGE if the file exists, and what the journal
 * throws; then no file is left.
 */
export function saveRun({ hash, json }: DecidingConfig, run: BacktestRun, file: string): void {
  if (existsSync(file)) throw new KairosError('USAGE', `--journal: ${file} is there already; name a new file for each backtest`);
  // The mark of a journal that somebody removed would miss its rows in this one.
  removeJournal(journalFiles(file));
  wholeOrNone(file, () => {
    const now = () => run.endedAt;
    const journal = SqliteJournal.open({ path: file, book: BACKTEST_BOOK, beforeCommit: () => {}, now, writtenOnce: true });
    try {
      const id = runId(run.run);
      journal.beginRun({ run: id, at: run.startedAt, mode: 'backtest', version: VERSION, configHash: hash, configJson: json });
      journal.commit(run.decisions);
      journal.end(id, run.halted ? 'halted' : 'stopped');
    } finally {
      journal.close();
    }
  });
}

/** Part of a backtest would be taken for all of it. */
function wholeOrNone(file: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    removeJournal(journalFiles(file));
    throw error;
  }
}
