import type Database from 'better-sqlite3';
import type { Notification } from '#paper-venue/notify/notification.ts';

const COLUMNS = `id, created_at AS createdAt, user_id AS userId, type, body, state, attempts, first_timestamp AS firstTimestamp,
  next_at_ms AS nextAtMs, last_at AS lastAt, last_result AS lastResult`;

type AttemptResult = Pick<Notification, 'id' | 'state' | 'attempts' | 'firstTimestamp' | 'nextAtMs' | 'lastAt' | 'lastResult'>;

/** The queue of notifications, with everything that was ever sent. */
export class NotificationStore {
  private readonly insert: Database.Statement<[string, string, string, string, number]>;
  private readonly attempt: Database.Statement<[AttemptResult]>;
  private readonly dueRows: Database.Statement<[number, number], Notification>;
  private readonly lastRows: Database.Statement<[number], Notification>;
  private readonly next: Database.Statement<[], { readonly nextAtMs: number | null }>;

  constructor(db: Database.Database) {
    this.insert = db.prepare(
      `INSERT INTO notifications (created_at, user_id, type, body, state, attempts, next_at_ms) VALUES (?, ?, ?, ?, 'pending', 0, ?)`,
    );
    this.attempt = db.prepare(
      `UPDATE notifications SET state = @state, attempts = @attempts, first_timestamp = @firstTimestamp, next_at_ms = @nextAtMs,
        last_at = @lastAt, last_result = @lastResult WHERE id = @id`,
    );
    this.dueRows = db.prepare(`SELECT ${COLUMNS} FROM notifications WHERE next_at_ms <= ? ORDER BY next_at_ms, id LIMIT ?`);
    this.lastRows = db.prepare(`SELECT ${COLUMNS} FROM notifications ORDER BY id DESC LIMIT ?`);
    this.next = db.prepare('SELECT min(next_at_ms) AS nextAtMs FROM notifications WHERE next_at_ms IS NOT NULL');
  }

  /** Queues a notification, due at once; returns its number. */
  add(made: Pick<Notification, 'createdAt' | 'userId' | 'type' | 'body'> & { readonly atMs: number }): number {
    return Number(this.insert.run(made.createdAt, made.userId, made.type, made.body, made.atMs).lastInsertRowid);
  }

  attempted(outcome: AttemptResult): void {
    this.attempt.run(outcome);
  }

  /** The due notifications, longest due first. */
  due(nowMs: number, most: number): readonly Notification[] {
    return this.dueRows.all(nowMs, most);
  }

  /** When the next one is due, including those being tried; null if none waits. */
  nextDueMs(): number | null {
    return this.next.get()?.nextAtMs ?? null;
  }

  /** The newest ones, newest first. */
  newest(most: number): readonly Notification[] {
    return this.lastRows.all(most);
  }
}
