import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { migrate } from '#adapters/journal/database.ts';
import { RowWriter } from '#adapters/journal/row-writer.ts';
import { MIGRATIONS } from '#adapters/journal/schema.ts';
import { type RunRow, Tables } from '#adapters/journal/tables.ts';
import type { Decision } from '#domain/decision.ts';
import { isoTime } from '#domain/names.ts';
import { folder, RUN, START } from './rows.ts';

/** The tables of a journal in memory, filled by the writer's own parts: what reads a journal is tried on them in a millisecond. */
export class JournalInMemory {
  readonly database = new Database(':memory:');
  private readonly tables: Tables;
  private readonly writer: RowWriter;
  private run = '';

  private constructor() {
    migrate(this.database, MIGRATIONS);
    this.tables = new Tables(this.database);
    this.writer = new RowWriter(this.database, { tables: this.tables, named: 'the journal', before: () => undefined });
  }

  /** With nothing in it, not even a run. */
  static empty(): JournalInMemory {
    const journal = new JournalInMemory();
    onTestFinished(() => void journal.database.close());
    return journal;
  }

  /** With a run begun, and rows of it. */
  static of(...decisions: readonly Decision[]): JournalInMemory {
    return JournalInMemory.empty()
      .begin()
      .add(...decisions);
  }

  /** Begins a run; what is added from here on is of it. */
  begin(run: string = RUN, over: Partial<RunRow> = {}): this {
    this.run = run;
    const began = { book: 'paper', started_at: isoTime(START), ended_at: null, mode: 'paper', version: '0.1.0', end_state: null };
    this.tables.addRun({ run_id: run, ...began, config_hash: 'c0ffee', config_json: '{}', ...over });
    return this;
  }

  /** Ends the run, some seconds after the first began. */
  end(state: string, second: number): this {
    this.tables.closeRun(this.run, isoTime(START + second * 1000), state);
    return this;
  }

  /** Says of a run, and of those before it, that their decisions are in an archive, up to a row. */
  archived(run: string, seq = 3): this {
    const archive = this.database.prepare('INSERT INTO archives (seq, hash, file, run_id, at) VALUES (?, ?, ?, ?, ?)');
    archive.run(seq, 'hash', 'old.db', run, isoTime(START));
    return this;
  }

  add(...decisions: readonly Decision[]): this {
    this.writer.write({ run: this.run, decisions, besides: () => this.writer.writeOrders() });
    return this;
  }

  /** Writes it into a file of its own, for what opens one by its path. */
  kept(path = join(folder(), 'kairos.db')): string {
    writeFileSync(path, this.database.serialize());
    return path;
  }
}
