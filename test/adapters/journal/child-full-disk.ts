// Fills its disk and says what came of it, as JSON: `node child-full-disk.ts FOLDER`, where FOLDER is a small disk of its
// own.
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { backupJournal } from '#adapters/journal/backup.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { RunLog } from '#adapters/recording/run-log.ts';
import { KairosError } from '#domain/errors.ts';
import { runId } from '#domain/names.ts';
import { orderFacts, permits, row } from './order-rows.ts';

const [folder = ''] = process.argv.slice(2);
const path = join(folder, 'kairos.db');
const run = runId('full');
const codeOf = (error: unknown): string => (error instanceof KairosError ? error.code : String(error));

const log = RunLog.create({ dir: folder, run, book: 'paper' });
const journal = SqliteJournal.open({ path, book: 'paper', beforeCommit: () => log.flush() });
journal.reserveDiskSpace();
journal.beginRun({ run, at: 0, mode: 'paper', version: '0', configHash: '', configJson: '{}' });
journal.commit(permits(orderFacts(1)));
await backupJournal(path, join(folder, 'copy.db'));

const filler = openSync(join(folder, 'filler'), 'w');
try {
  for (;;) writeSync(filler, Buffer.alloc(4096, 1));
} catch {
  // The disk is full now, which is what was wanted.
}
closeSync(filler);

const said: Record<string, unknown> = {};
said.backup = await backupJournal(path, join(folder, 'copy.db')).then(() => 'written', codeOf);
said.oldBackup = verifyJournal(join(folder, 'copy.db')).ok;
let committed = 1;
let fault: unknown;
while (!fault && committed < 1_000) {
  try {
    log.append({ n: committed, at: 0, event: { kind: 'wake' } });
    journal.commit(permits(orderFacts(committed + 1)));
    committed += 1;
  } catch (error) {
    fault = error;
  }
}
said.fault = codeOf(fault);
journal.makeRoom(fault);
journal.commit([row('halted', { who: 'kairos', why: 'the disk is full' }, { reason: 'JOURNAL_FAULT' })]);
const reader = JournalReader.open(path);
said.last = reader.tail(1).map(({ kind, reason }) => `${kind} ${reason}`);
reader.close();
said.verdict = verifyJournal(path).ok;
journal.close();
said.next = (() => {
  const next = SqliteJournal.open({ path, book: 'paper', beforeCommit: () => {} });
  try {
    next.reserveDiskSpace();
    return 'laid';
  } catch (error) {
    return codeOf(error);
  } finally {
    next.close();
  }
})();
process.stdout.write(JSON.stringify(said));
