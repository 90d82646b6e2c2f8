import type Database from 'better-sqlite3';
import type { StrategyRecord } from '#paper-venue/orchestrator/record.ts';

/** The stored strategies. Read once at the start; memory and file are equal from then on. */
export class StrategyStore {
  private readonly rows: Database.Statement<[], { readonly record: string }>;
  private readonly upsert: Database.Statement<[number, string, string, string]>;
  private readonly remove: Database.Statement<[number]>;

  constructor(db: Database.Database) {
    this.rows = db.prepare('SELECT record FROM strategies ORDER BY number');
    this.upsert = db.prepare('INSERT INTO strategies VALUES (?, ?, ?, ?) ON CONFLICT (number) DO UPDATE SET record = excluded.record');
    this.remove = db.prepare('DELETE FROM strategies WHERE number = ?');
  }

  load(): readonly StrategyRecord[] {
    return this.rows.all().map(({ record }): StrategyRecord => JSON.parse(record));
  }

  save(record: StrategyRecord): void {
    this.upsert.run(record.number, record.strategyId, record.childId, JSON.stringify(record));
  }

  delete(record: StrategyRecord): void {
    this.remove.run(record.number);
  }
}
