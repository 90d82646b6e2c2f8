import type Database from 'better-sqlite3';
import { firstWhere } from '#domain/first-where.ts';
import type { DecisionRecord } from './records.ts';

/** A stretch of rows of the journal, both ends included. */
export interface RowSpan {
  readonly first: number;
  readonly last: number;
}

/** A row as a search looks at it. */
type Place = Pick<DecisionRecord, 'seq' | 'run_id' | 'at'>;

/** Finds rows by halving: in a journal of millions some twenty of them are read. */
export class RowSeeker {
  private readonly place: Database.Statement<[number], Place>;
  private readonly ends: Database.Statement<[], RowSpan>;

  constructor(database: Database.Database) {
    this.place = database.prepare('SELECT seq, run_id, at FROM decisions WHERE seq >= ? ORDER BY seq LIMIT 1');
    this.ends = database.prepare(
      'SELECT (SELECT min(seq) FROM decisions) AS first, (SELECT max(seq) FROM decisions) AS last WHERE EXISTS (SELECT 1 FROM decisions)',
    );
  }

  /** All rows; null in an empty journal. */
  whole(): RowSpan | null {
    return this.ends.get() ?? null;
  }

  /** The time of a row, ISO; '' where there is none. */
  atOf(seq: number): string {
    return this.place.get(seq)?.at ?? '';
  }

  /** The first row of a span for which something holds that holds for all after it; `last + 1` where it holds for none. */
  firstWhere({ first, last }: RowSpan, holds: (row: Place) => boolean): number {
    return firstWhere(first, last + 1, (seq) => {
      const row = this.place.get(seq);
      return !row || row.seq > last || holds(row);
    });
  }
}
