import { existsSync } from 'node:fs';
import { keepPlayed } from '#adapters/journal/played.ts';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { VERSION } from '#apps/assembly/package.ts';
import type { DecidingConfig } from '#config/load.ts';
import { KairosError } from '#domain/errors.ts';
import { runId } from '#domain/names.ts';
import { BACKTEST_BOOK, type BacktestRun } from './backtest.ts';
import { playedIn } from './played-in.ts';
import type { BacktestSession } from './session.ts';
import type { TriedBefore } from './sweep/tried-before.ts';

/** Keeps a backtest and what it played, for later reports. Throws as `saveRun`. */
export function keepBacktest(session: BacktestSession, run: BacktestRun, file: string, before?: TriedBefore): void {
  saveRun(session.config, run, file);
  keepPlayed(file, run.run, JSON.stringify(playedIn(session, run, before)));
}

/** Writes a backtest into a new journal, as a daemon would. Throws USAGE if the file exists. */
export function saveRun({ hash, json }: DecidingConfig, run: BacktestRun, file: string): void {
  if (existsSync(file)) throw new KairosError('USAGE', `--journal: ${file} is there already; name a new file for each backtest`);
  const journal = SqliteJournal.open({ path: file, book: BACKTEST_BOOK, beforeCommit: () => {}, now: () => run.endedAt });
  try {
    const id = runId(run.run);
    journal.beginRun({ run: id, at: run.startedAt, mode: 'backtest', version: VERSION, configHash: hash, configJson: json });
    journal.commit(run.decisions);
    journal.end(id, run.halted ? 'halted' : 'stopped');
  } finally {
    journal.close();
  }
}
