// A process that commits orders until it is killed: `node child-writer.ts PATH FIRST`. It says on standard output what
// it is about to commit and, on return, that it has.
import { writeSync } from 'node:fs';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { runId } from '#domain/names.ts';
import { accepted, orderFacts, permits } from './order-rows.ts';

const [path = '', first = '1'] = process.argv.slice(2);
try {
  const journal = SqliteJournal.open({ path, book: 'paper', beforeCommit: () => {} });
  journal.beginRun({
    run: runId(`child-${first}`),
    at: Date.UTC(2026, 10, 21),
    mode: 'paper',
    version: '0',
    configHash: '',
    configJson: '{}',
  });
  for (let n = Number(first); n < Number(first) + 100_000; n += 1) {
    const order = orderFacts(n);
    writeSync(1, `about ${n}\n`);
    journal.commit(permits(order));
    journal.commit([accepted(order)]);
    writeSync(1, `done ${n}\n`);
    if (n % 10 === 0) journal.flush();
  }
} catch (error) {
  writeSync(1, `refused ${error instanceof Error && 'code' in error ? error.code : error}\n`);
  process.exitCode = 5;
}
