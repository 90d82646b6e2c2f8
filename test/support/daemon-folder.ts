import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { journalFiles } from '#adapters/journal/files.ts';
import { Lease } from '#adapters/journal/lease.ts';
import { rowsOf } from './books.ts';

export interface RunRow {
  readonly run_id: string;
  readonly end_state: string | null;
}

/** A folder outside the checkout in which a user runs Kairos; everything it writes lands in `var/` there. */
export class DaemonFolder {
  readonly path: string;

  constructor(name: string) {
    this.path = realpathSync(mkdtempSync(path.join(tmpdir(), `kairos-${name}-`)));
  }

  get journal(): string {
    return path.join(this.path, 'var/kairos.db');
  }

  get venue(): string {
    return path.join(this.path, 'var/venue.db');
  }

  get recordings(): string {
    return path.join(this.path, 'var/recordings');
  }

  /** Writes a file of the folder and returns its path. */
  write(name: string, text: string): string {
    const file = path.join(this.path, name);
    writeFileSync(file, text);
    return file;
  }

  /** A package `world` whose default export is all that a process reaches by name, which strategies do not: no rule holds packages. */
  giveWorld(): void {
    mkdirSync(path.join(this.path, 'node_modules/world'), { recursive: true });
    this.write('node_modules/world/index.js', 'module.exports = global;');
  }

  /** Puts everything here that another folder has. */
  take(other: DaemonFolder): void {
    cpSync(other.path, this.path, { recursive: true });
  }

  runs(): readonly RunRow[] {
    return rowsOf<RunRow>(this.journal, 'SELECT run_id, end_state FROM runs ORDER BY started_at');
  }

  /** Rows of the journal. */
  rows<Row>(sql: string): readonly Row[] {
    return rowsOf<Row>(this.journal, sql);
  }

  /** Products of which an order was permitted and has no outcome yet. Its row in `orders` is owed for a moment, so it is not asked. */
  productsInFlight(): readonly unknown[] {
    const ends = "('accepted', 'rejected', 'expired', 'not_sent', 'unknown')";
    const settled = `SELECT order_id FROM decisions WHERE order_id IS NOT NULL AND kind IN ${ends}`;
    return this.rows(`SELECT DISTINCT product FROM decisions WHERE kind = 'approved' AND order_id NOT IN (${settled})`);
  }

  /** The first order that the service accepted, if there is one. */
  accepted(): string | undefined {
    return this.rows<{ order_id: string }>("SELECT order_id FROM orders WHERE state = 'accepted' ORDER BY rowid LIMIT 1")[0]?.order_id;
  }

  /** The process that holds the journal's lease; null when nobody does. */
  holder(): number | null {
    return Lease.holder(journalFiles(this.journal))?.pid ?? null;
  }

  /** Every file below the folder, by its path from there. */
  files(): readonly string[] {
    return readdirSync(this.path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(this.path, path.join(entry.parentPath, entry.name)))
      .sort();
  }

  read(file: string): Buffer {
    return readFileSync(path.join(this.path, file));
  }

  remove(): void {
    // What was just killed may still write.
    rmSync(this.path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
