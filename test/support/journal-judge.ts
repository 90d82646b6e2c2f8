import Database from 'better-sqlite3';
import { type DecisionRecord, decisionOf } from '#adapters/journal/records.ts';
import { verifyJournal } from '#adapters/journal/verify.ts';
import { InvariantWatch } from './invariants.ts';

/** Reads a journal from its first row, as far as it goes each time, and says which invariants its rows break. */
export class JournalJudge {
  readonly watch = new InvariantWatch();
  private readonly file: string;
  private lastSeq = 0;
  private told = 0;

  constructor(file: string) {
    this.file = file;
  }

  /** What the rows since the last look break. */
  look(): readonly string[] {
    const database = new Database(this.file, { readonly: true, fileMustExist: true });
    try {
      const rows = database.prepare<[number], DecisionRecord>('SELECT * FROM decisions WHERE seq > ? ORDER BY seq');
      for (const row of rows.iterate(this.lastSeq)) {
        this.watch.take(decisionOf(row));
        this.lastSeq = row.seq;
      }
    } finally {
      database.close();
    }
    const broken = this.watch.broken.slice(this.told);
    this.told = this.watch.broken.length;
    return broken;
  }

  /** I19 I20: the chain is whole, and orders and ledger are what the decisions say. */
  wholeness(): readonly string[] {
    const verdict = verifyJournal(this.file);
    return verdict.ok ? [] : [`I20: ${verdict.table} row ${verdict.row}: ${verdict.what}`];
  }
}
