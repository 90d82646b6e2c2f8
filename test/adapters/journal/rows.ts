import { copyFileSync, existsSync, readdirSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { type JournalOptions, SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { runId } from '#domain/names.ts';
import { newFolder } from '../../support/folder.ts';
import { START } from './order-rows.ts';

export * from './order-rows.ts';

export const RUN = runId('20261121T030000Z-000001');

export { newFolder as folder };

/** Names of the files of a folder that this process has open; none where the system does not tell. */
export function openFilesIn(dir: string): string[] {
  const own = '/proc/self/fd';
  if (!existsSync(own)) return [];
  return readdirSync(own).flatMap((fd) => {
    try {
      const file = readlinkSync(join(own, fd));
      return file.startsWith(`${dir}/`) ? [file] : [];
    } catch {
      // The one that listed them is closed by now.
      return [];
    }
  });
}

/** Moves a journal's rows but the last to an archive at once, as a rotation by another process does. Returns the archive. */
export function moved(path: string): string {
  const archive = `${path}.archive`;
  copyFileSync(path, archive);
  const database = new Database(path);
  database
    .prepare(
      'INSERT INTO archives SELECT seq, hash, ?, (SELECT run_id FROM runs ORDER BY rowid DESC LIMIT 1), at FROM decisions ORDER BY seq DESC LIMIT 1',
    )
    .run(basename(archive));
  database.exec('DELETE FROM decisions WHERE seq < (SELECT max(seq) FROM decisions)');
  database.close();
  return archive;
}

/** An open journal with a run begun; closed after the test. */
export function openJournal(path: string, options: Partial<JournalOptions> = {}): SqliteJournal {
  const journal = SqliteJournal.open({ path, book: 'paper', beforeCommit: () => {}, ...options });
  onTestFinished(() => journal.close());
  return journal;
}

export function begun(path: string, options: Partial<JournalOptions> = {}): SqliteJournal {
  const journal = openJournal(path, options);
  begin(journal);
  return journal;
}

export function begin(journal: SqliteJournal, run = RUN, at = START): void {
  journal.beginRun({
    run,
    at,
    mode: 'paper',
    version: '0.1.0',
    configHash: 'c0ffee',
    configJson: '{"strategies":[],"schedule":[],"trading":{"arming":{"rearmAfterMs":null}}}',
  });
}
