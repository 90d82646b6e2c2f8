import type Database from 'better-sqlite3';
import { openForReading } from './database.ts';
import { journalFiles } from './files.ts';
import type { NotificationRow } from './tables.ts';

export type { NotificationRow } from './tables.ts';

/** Reads the notifications of a journal, also while a daemon writes it. */
export class NotificationReader {
  private readonly database: Database.Database;
  private readonly byTransfer: Database.Statement<[string], NotificationRow>;
  private readonly byBody: Database.Statement<[string], unknown>;

  private constructor(database: Database.Database) {
    this.database = database;
    this.byTransfer = database.prepare('SELECT * FROM notifications WHERE transfer_id = ? ORDER BY rowid');
    this.byBody = database.prepare('SELECT 1 FROM notifications WHERE transfer_id IS NULL AND body = ?');
  }

  /** Throws NOT_FOUND where there is no journal, JOURNAL_NEWER or JOURNAL_UNUSABLE where it cannot be read. */
  static open(path: string): NotificationReader {
    return new NotificationReader(openForReading(journalFiles(path)));
  }

  /** All of one transfer, oldest first. */
  ofTransfer(transferId: string): readonly NotificationRow[] {
    return this.byTransfer.all(transferId);
  }

  /** True if a notification without a transfer has exactly this body. */
  hasBody(body: string): boolean {
    return this.byBody.get(body) !== undefined;
  }

  find(id: string): NotificationRow | undefined {
    return this.database.prepare<[string], NotificationRow>('SELECT * FROM notifications WHERE id = ?').get(id);
  }

  /** Newest first, of one status where it is given. */
  newest(limit: number, status: string | null): readonly NotificationRow[] {
    return this.database
      .prepare<[{ limit: number; status: string | null }], NotificationRow>(
        'SELECT * FROM notifications WHERE @status IS NULL OR status = @status ORDER BY rowid DESC LIMIT @limit',
      )
      .all({ limit, status });
  }

  close(): void {
    this.database.close();
  }
}
