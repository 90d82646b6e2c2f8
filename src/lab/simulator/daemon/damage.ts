import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { journalFiles } from '#adapters/journal/files.ts';
import type { SimulatedFault } from '#lab/simulator/plan/faults.ts';
import type { Draws } from '#lab/simulator/world/draws.ts';

/** Damage to the files of a journal while no process has them open. */
export interface Damage {
  readonly fault: Extract<SimulatedFault, 'F50' | 'F51' | 'F54'>;
  readonly draws: Draws;
}

/** Number of last rows that each start checks. */
const CHECKED = 900;
const ROWS_LOST = 20;

/** Does the damage. Returns it in words; null if nothing of the journal was lost or changed. */
export function damage(journal: string, { fault, draws }: Damage): string | null {
  const rows = lastRows(journal);
  if (fault === 'F54') {
    writing(journal, (database) => database.pragma(`user_version = ${Number(database.pragma('user_version', { simple: true })) + 1}`));
    return 'the journal is of a newer schema';
  }
  if (fault === 'F51') {
    writing(journal, (database) => database.pragma('wal_checkpoint(TRUNCATE)'));
    return flip(journal, draws.pick(rows).hash) ? 'a bit of one of its last rows has flipped' : null;
  }
  const log = `${journal}-wal`;
  const how = draws.pick(['log', 'moved', 'old'] as const);
  if (how === 'log' && existsSync(log) && statSync(log).size > 0) rmSync(log);
  else if (how === 'old') {
    const from = rows[Math.min(rows.length, ROWS_LOST) - 1]?.seq ?? 0;
    writing(journal, (database) => database.prepare('DELETE FROM decisions WHERE seq >= ?').run(from));
  } else for (const end of ['', '-wal', '-shm']) rmSync(`${journal}${end}`, { force: true });
  // Rows beyond the mark cannot be missed (F50).
  return isMissed(journal) ? `the journal's files are others: ${how}` : null;
}

interface Row {
  readonly seq: number;
  readonly hash: string;
}

function lastRows(journal: string): readonly Row[] {
  const database = new Database(journal, { readonly: true });
  const rows = database.prepare<[number], Row>('SELECT seq, hash FROM decisions ORDER BY seq DESC LIMIT ?').all(CHECKED);
  database.close();
  return rows;
}

function writing(journal: string, work: (database: Database.Database) => void): void {
  const database = new Database(journal);
  work(database);
  database.close();
}

/** Flips the lowest bit of a character of a hash in the file; false if the file does not contain it. */
function flip(journal: string, hash: string): boolean {
  const bytes = readFileSync(journal);
  let found = 0;
  for (let at = bytes.indexOf(hash); at >= 0; at = bytes.indexOf(hash, at + 1)) {
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    found += 1;
  }
  writeFileSync(journal, bytes);
  return found > 0;
}

function isMissed(journal: string): boolean {
  const { mark } = journalFiles(journal);
  if (!existsSync(mark)) return false;
  const { seq }: { seq: number } = JSON.parse(readFileSync(mark, 'utf8'));
  if (!existsSync(journal)) return seq > 0;
  try {
    return seq > (lastRows(journal)[0]?.seq ?? 0);
  } catch {
    // An unreadable file counts as missed.
    return true;
  }
}
