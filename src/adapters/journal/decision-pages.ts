import type Database from 'better-sqlite3';
import { openForReading } from './database.ts';
import { journalFiles } from './files.ts';
import type { DecisionRecord } from './records.ts';
import { BESIDE_ORDERS } from './schema.ts';
import { RowSeeker } from './seek.ts';

/** Which decisions are asked for, back from one: all of them, of one strategy, of some kinds, or of all but some. */
interface PageQuery {
  /** Only rows before this one. */
  readonly before: number;
  /** Only rows after this one; 0 where nothing is said. */
  readonly after?: number;
  readonly limit: number;
  readonly strategy: string | null;
  readonly kinds: readonly string[] | null;
  readonly without: readonly string[] | null;
}

/** No kind is left out. */
export const ALL_KINDS = { kinds: null, without: null } as const;

/** A query as the statement takes it, lists as JSON. */
interface BoundQuery extends Required<Pick<PageQuery, 'before' | 'after' | 'limit' | 'strategy'>> {
  readonly kinds: string | null;
  readonly without: string | null;
}

/** Reads the decisions of a journal page by page, in both directions, also while a daemon writes it. */
export class DecisionPages {
  private readonly database: Database.Database;
  private readonly seeker: RowSeeker;
  private readonly forward: Database.Statement<[number, number], DecisionRecord>;
  private readonly backward: Database.Statement<[BoundQuery], DecisionRecord>;

  private constructor(database: Database.Database) {
    this.database = database;
    this.seeker = new RowSeeker(database);
    this.forward = database.prepare('SELECT * FROM decisions WHERE seq > ? ORDER BY seq LIMIT ?');
    this.backward = database.prepare(
      `SELECT * FROM decisions WHERE seq < @before AND seq > @after AND (@strategy IS NULL OR strategy = @strategy)
       AND (@kinds IS NULL OR kind IN (SELECT value FROM json_each(@kinds)))
       AND (@without IS NULL OR kind NOT IN (SELECT value FROM json_each(@without)))
       ORDER BY seq DESC LIMIT @limit`,
    );
  }

  /** Throws NOT_FOUND where there is no journal, JOURNAL_NEWER or JOURNAL_UNUSABLE where it cannot be read. */
  static open(path: string): DecisionPages {
    return new DecisionPages(openForReading(journalFiles(path)));
  }

  /** The rows after one, oldest first. */
  after(seq: number, limit: number): readonly DecisionRecord[] {
    return this.forward.all(seq, limit);
  }

  /** The rows before one, newest first. */
  before({ kinds, without, after = 0, ...query }: PageQuery): readonly DecisionRecord[] {
    return this.backward.all({ ...query, after, kinds: kinds && JSON.stringify(kinds), without: without && JSON.stringify(without) });
  }

  /** The last row of all; 0 in an empty journal. */
  end(): number {
    return this.database.prepare<[], { seq: number }>('SELECT seq FROM decisions ORDER BY seq DESC LIMIT 1').get()?.seq ?? 0;
  }

  /** The last row at an ISO time or before; 0 where there is none. */
  endAt(at: string): number {
    const whole = this.seeker.whole();
    if (whole === null) return 0;
    const after = this.seeker.firstWhere(whole, (row) => row.at > at);
    return after === whole.first ? 0 : after - 1;
  }

  /** The last row before those of a run, which is the newest; 0 where there is none. */
  startOf(run: string): number {
    const last = this.database.prepare<[string], { seq: number }>('SELECT seq FROM decisions WHERE run_id <> ? ORDER BY seq DESC LIMIT 1');
    return last.get(run)?.seq ?? 0;
  }

  /** The code of what was journaled of a kind at one time, such as a halt; null where it has none. */
  reasonOf(kind: string, at: string): string | null {
    const row = this.database.prepare<[string, string], { reason: string | null }>(
      `SELECT reason FROM decisions WHERE kind = ? AND at = ? AND ${BESIDE_ORDERS} LIMIT 1`,
    );
    return row.get(kind, at)?.reason ?? null;
  }

  close(): void {
    this.database.close();
  }
}
