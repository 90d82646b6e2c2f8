import { mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { quoteColumns, writeFile } from '#adapters/recording/export-file.ts';
import { type Column, type Group, parquetOfGroups } from '#adapters/recording/parquet-columns.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import { isoTime } from '#domain/names.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { CODES } from './codes.ts';
import { BUNDLE, BUNDLE_TABLES, BUNDLE_VERSION, type BundleRow, type BundleTable, type Cell, columnsIn } from './schema.ts';

/** Rows of a Parquet file that are read together. */
const GROUP_ROWS = 100_000;

const SQL_TYPES = { whole: 'INTEGER', double: 'REAL', time: 'TEXT', text: 'TEXT' } as const;

/**
 * A folder of tables for other programs: `bundle.sqlite`, and a Parquet file of each table made from it. Files that were there are replaced
 * when `finish` has all of them; `abandon` leaves them as they were.
 */
export class Bundle {
  readonly dir: string;
  private readonly work: string;
  private readonly database: Database.Database;

  /** Throws EXPORT_FAILED where the folder cannot be written. */
  constructor(dir: string) {
    this.dir = dir;
    this.work = path.join(dir, `bundle.sqlite.${process.pid}`);
    this.database = failing(this.work, () => {
      mkdirSync(dir, { recursive: true });
      rmSync(this.work, { force: true });
      return new Database(this.work);
    });
    // Nobody reads it before it is whole.
    this.database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA user_version = ${BUNDLE_VERSION}`);
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
      renameSync(this.work, path.join(this.dir, 'bundle.sqlite'));
    });
    return Object.fromEntries(counts) as Record<BundleTable, number>;
  }

  /** Removes what is unfinished. */
  abandon(): void {
    this.database.close();
    rmSync(this.work, { force: true });
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
    const shape = columnsIn(table).map(({ name, kind }) => columnOf(name, kind, []));
    const metadata = { 'kairos.bundle': String(BUNDLE_VERSION), 'kairos.table': table };
    writeFile({ file: path.join(this.dir, `${table}.parquet`), format: 'parquet' }, count, () => [
      { bytes: parquetOfGroups(shape, this.groups(table), metadata), rows: count },
    ]);
    return count;
  }

  private *groups(table: BundleTable): Generator<Group> {
    const of = columnsIn(table);
    const rows = this.database.prepare<[], Cell[]>(`SELECT * FROM "${table}"`).raw().iterate();
    let cells: Cell[][] = of.map(() => []);
    let count = 0;
    const group = (): Group => ({ from: 0, to: count, columns: of.map(({ name, kind }, at) => columnOf(name, kind, cells[at] ?? [])) });
    for (const row of rows) {
      for (const [at, column] of cells.entries()) column.push(row[at] ?? null);
      count += 1;
      if (count < GROUP_ROWS) continue;
      yield group();
      cells = of.map(() => []);
      count = 0;
    }
    if (count > 0) yield group();
  }
}

/** A column of Parquet, of which each row may lack a value. Filled by index: an iterator takes several times as long. */
function columnOf(name: string, kind: keyof typeof SQL_TYPES, cells: readonly Cell[]): Column {
  const present = new Uint8Array(cells.length);
  const texts: string[] = [];
  const numbers = new Float64Array(kind === 'text' ? 0 : cells.length);
  for (let row = 0; row < cells.length; row += 1) {
    const cell = cells[row] ?? null;
    if (cell !== null) present[row] = 1;
    if (kind === 'text') texts.push(cell === null ? '' : String(cell));
    else if (cell !== null) numbers[row] = kind === 'time' ? Date.parse(String(cell)) : Number(cell);
  }
  return kind === 'text' ? { name, kind, present, values: texts } : { name, kind, present, values: numbers };
}

function cellOf(column: Column, row: number): Cell {
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
