import Database from 'better-sqlite3';
import { openForReading } from './database.ts';
import { journalFiles } from './files.ts';

/** Keeps what a backtest played, as JSON, in the journal that was just written for it. Throws what SQLite throws. */
export function keepPlayed(file: string, run: string, played: string): void {
  const database = new Database(file);
  try {
    database.prepare<[string, string]>('INSERT INTO backtests (run_id, played) VALUES (?, ?)').run(run, played);
  } finally {
    database.close();
  }
}

/** What a backtest played, as JSON; null for any other run. Throws as `JournalReader.open`. */
export function playedBy(file: string, run: string): string | null {
  const database = openForReading(journalFiles(file));
  try {
    return database.prepare<[string], string>('SELECT played FROM backtests WHERE run_id = ?').pluck().get(run) ?? null;
  } finally {
    database.close();
  }
}
