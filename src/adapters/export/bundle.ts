import { mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { quoteColumns, writeFile } from '#adapters/recording/export-file.ts';
import { type ColumnData, parquetOfGroups, type RowGroup } from '#adapters/recording/parquet-columns.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import { isoTime } from '#domain/names.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { CODES } from './codes.ts';
import {
  BUNDLE,
  BUNDLE_MARK,
  BUNDLE_TABLES,
  BUNDLE_VERSION,
  type BundleRow,
  type BundleTable,
  type Cell,
  type ColumnKind,
  columnsIn,
} from './schema.ts';

/** Rows of a Parquet file that are read together. */
const GROUP_ROWS = 50_000;

const DATABASE = 'bundle.sqlite';
const parquetName = (table: BundleTable): string => `${table}.parquet`;

const SQL_TYPES = { whole: 'INTEGER', double: 'REAL', time: 'TEXT', text: 'TEXT' } as const;

/**
 * A folder of tables for other programs: `bundle.sqlite`, and a Parquet file of each table made from it. Files that were there are replaced
 * when `finish` has all of them; `abandon` leaves them as they were.
 */
export class Bundle {
  readonly dir: string;
  /** A folder in that folder. */
  private readonly work: string;
  private readonly database: Database.Database;

  /** Throws EXPORT_FAILED where the folder cannot be written. */
  constructor(dir: string) {
    this.dir = dir;
    this.work = path.join(dir, `unfinished.${process.pid}`);
    this.database = failing(this.work, () => {
      rmSync(this.work, { recursive: true, force: true });
      mkdirSync(this.work, { recursive: true });
      return new Database(path.join(this.work, DATABASE));
    });
    // Nobody reads it before it is whole. Large pages: a quarter of the time of copying goes with them.
    this.database.exec(
      `PRAGMA page_size = 16384; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA mmap_size = 1073741824; PRAGMA application_id = ${BUNDLE_MARK}; PRAGMA user_version = ${BUNDLE_VERSION}`,
    );
    for (const table of BUNDLE_TABLES) {
      this.database.exec(`CREATE TABLE "${table}" (${columnsIn(table).map(({ name, kind }) => `"${name}" ${SQL_TYPES[kind]}`)})`);
    }
    this.insert(
      'columns',
      BUNDLE_TABLES.flatMap((table) =>
        columnsIn(table).map(({ name, ...column }) => ({ table_name: table, column_name: name, ...column })),
      ),
    );
    this.insert(
      'codes',
      Object.entries(CODES).flatMap(([column_name, codes]) =>
        Object.entries(codes).map(([code, meaning]) => ({ column_name, code, meaning })),
      ),
    );
  }

  insert<Table extends BundleTable>(table: Table, rows: Iterable<BundleRow<Table>>): void {
    const names = columnsIn(table).map(({ name }) => name as keyof BundleRow<Table>);
    this.insertCells(table, function* () {
      for (const row of rows) yield names.map((name) => row[name]);
    });
  }

  quotes(lanes: readonly QuoteColumns[]): void {
    const rows = lanes.reduce((sum, { length }) => sum + length, 0);
    const columns = quoteColumns(lanes, rows);
    this.insertCells('quotes', function* () {
      let row = 0;
      for (const { length, baseCcy, quoteCcy } of lanes) {
        for (const end = row + length; row < end; row += 1) yield [...columns.map((column) => cellOf(column, row)), baseCcy, quoteCcy];
      }
    });
  }

  /** Copies a run's decisions from its journal, up to a row. SQLite does: no value becomes one of ours on the way. */
  decisions(journal: string, run: string, upTo: number): void {
    const names = columnsIn('decisions').map(({ name }) => (name === 'decided_at' ? 'at' : name));
    failing(this.work, () => {
      this.database.prepare<[string]>('ATTACH ? AS journal').run(journal);
      this.database
        .prepare<[string, number]>(
          `INSERT INTO main.decisions SELECT ${names} FROM journal.decisions WHERE run_id = ? AND seq <= ? ORDER BY seq`,
        )
        .run(run, upTo);
      this.database.exec('DETACH journal');
    });
  }

  /** Writes the Parquet files and puts everything in its place. Returns how many rows each table has. Throws EXPORT_FAILED. */
  finish(): Readonly<Record<BundleTable, number>> {
    const counts = BUNDLE_TABLES.map((table): [BundleTable, number] => [table, this.parquet(table)]);
    failing(this.work, () => {
      this.database.close();
      // The database is the first: by it a folder is known as one that the next export may write anew.
      for (const name of [DATABASE, ...BUNDLE_TABLES.map(parquetName)]) renameSync(path.join(this.work, name), path.join(this.dir, name));
      rmdirSync(this.work);
    });
    return Object.fromEntries(counts) as Record<BundleTable, number>;
  }

  /** Removes what is unfinished. */
  abandon(): void {
    this.database.close();
    rmSync(this.work, { recursive: true, force: true });
  }

  private insertCells(table: BundleTable, cells: () => Iterable<readonly Cell[]>): void {
    const places = Object.keys(BUNDLE[table].columns).map(() => '?');
    const insert = this.database.prepare<Cell[]>(`INSERT INTO "${table}" VALUES (${places})`);
    failing(this.work, () =>
      this.database.transaction(() => {
        for (const row of cells()) insert.run(...row);
      })(),
    );
  }

  private parquet(table: BundleTable): number {
    const count = this.database.prepare<[], number>(`SELECT count(*) FROM "${table}"`).pluck().get() ?? 0;
    const shape = columnsIn(table).map(
      ({ name, kind }): ColumnData => (kind === 'text' ? textsOf(name, 0, []) : numbersOf(name, kind, { cells: [], at: 0 })),
    );
    const metadata = { 'kairos.bundle': String(BUNDLE_VERSION), 'kairos.table': table };
    writeFile({ file: path.join(this.work, parquetName(table)), format: 'parquet' }, count, () => [
      { bytes: parquetOfGroups(shape, this.groups(table), metadata), rows: count },
    ]);
    return count;
  }

  /** Texts are put together by SQLite, column by column: as values of ours a million rows of them take several times as long. */
  private *groups(table: BundleTable): Generator<RowGroup> {
    const of = columnsIn(table);
    const named = (isText: boolean) => of.filter(({ kind }) => (kind === 'text') === isText).map(({ name }) => `"${name}"`);
    const part = (what: readonly string[]) =>
      this.database
        .prepare<[number, number], (Cell | Uint8Array)[]>(
          `SELECT ${['1', ...what]} FROM (SELECT * FROM "${table}" WHERE rowid > ? AND rowid <= ?)`,
        )
        .raw();
    const lengths = (name: string): string => `group_concat(coalesce(octet_length(${name}), '') || ',', '')`;
    const bytes = (text: string): string => `CAST(${text} AS BLOB)`;
    const texts = part(named(true).flatMap((name) => [bytes(lengths(name)), bytes(`group_concat('    ' || ${name}, '')`)]));
    const others = part(named(false));
    const last = this.database.prepare<[], number>(`SELECT coalesce(max(rowid), 0) FROM "${table}"`).pluck().get() ?? 0;
    for (let from = 0; from < last; from += GROUP_ROWS) {
      const to = Math.min(last, from + GROUP_ROWS);
      const [, ...pages] = texts.get(from, to) ?? [];
      const cells = others.all(from, to);
      let [text, other] = [0, 0];
      const columns = of.map(({ name, kind }): ColumnData => {
        if (kind === 'text') return textsOf(name, to - from, pages.slice(2 * text++));
        other += 1;
        return numbersOf(name, kind, { cells, at: other });
      });
      yield { from: 0, to: to - from, columns };
    }
  }
}

/** A column of numbers or times, of which each row may lack a value. Filled by index: an iterator takes several times as long. */
function numbersOf(
  name: string,
  kind: Exclude<ColumnKind, 'text'>,
  { cells, at }: { readonly cells: readonly (readonly unknown[])[]; readonly at: number },
): ColumnData {
  const present = new Uint8Array(cells.length);
  const values = new Float64Array(cells.length);
  let before: unknown = null;
  let value = 0;
  for (let row = 0; row < cells.length; row += 1) {
    const cell = cells[row]?.[at] ?? null;
    if (cell === null) continue;
    present[row] = 1;
    // Rows of one moment stand together.
    if (cell !== before) value = kind === 'time' ? Date.parse(String(cell)) : Number(cell);
    before = cell;
    values[row] = value;
  }
  return { name, kind, present, values };
}

/** A column of texts, each behind a gap of four bytes that its length fills; `lengths`: a comma behind each, and nothing before it where there is no text. */
function textsOf(name: string, rows: number, [lengths, page]: readonly (Cell | Uint8Array)[]): ColumnData {
  const present = new Uint8Array(rows);
  const bytes = bytesOf(page);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [row, at, length, digits] = [0, 0, 0, 0];
  // Bytes by index: texts of them, or an iterator, take several times as long.
  const said = bytesOf(lengths);
  for (let index = 0; index < said.length; index += 1) {
    const byte = said[index] ?? COMMA;
    if (byte !== COMMA) {
      length = length * 10 + byte - ZERO;
      digits += 1;
      continue;
    }
    if (digits > 0) {
      present[row] = 1;
      view.setUint32(at, length, true);
      at += 4 + length;
    }
    row += 1;
    [length, digits] = [0, 0];
  }
  return { name, kind: 'text', present, values: bytes };
}

const [COMMA, ZERO] = [0x2c, 0x30];

const bytesOf = (cell: Cell | Uint8Array | undefined): Uint8Array => (cell instanceof Uint8Array ? cell : new Uint8Array(0));

function cellOf(column: ColumnData, row: number): Cell {
  if (column.present?.[row] === 0) return null;
  const value = column.values[row] ?? null;
  return column.kind === 'time' ? isoTime(Number(value)) : value;
}

/** Runs a step of writing. Throws EXPORT_FAILED with the file. */
function failing<Result>(file: string, step: () => Result): Result {
  try {
    return step();
  } catch (error) {
    if (error instanceof KairosError) throw error;
    throw new KairosError('EXPORT_FAILED', `${file} could not be written (${messageOf(error)})`, { cause: error });
  }
}
