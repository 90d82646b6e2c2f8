import type { UnclearTime } from '#domain/clock-change.ts';
import type { Millis } from '#domain/names.ts';
import { isPlainDate, isPrice, localNumber, millisIn, millisOf, numberIn, textMillis } from './cells.ts';
import { CsvCells, lineEndIn } from './csv-cells.ts';
import { csvChunks } from './csv-chunks.ts';
import type { CsvHead } from './csv-head.ts';
import { otherSign } from './decimal-sign.ts';
import type { Layout } from './layout.ts';
import { OneSubject } from './one-subject.ts';
import { leftOutBy, RepeatedHours } from './repeated-hours.ts';
import { type ColumnMap, type DecimalSign, type LinesLeft, misshapen, OPTIONS_MEND, type Row, type TakeRow } from './row.ts';
import { RowsAtFault } from './rows-at-fault.ts';
import { isSpread, NO_SPREAD, type PutApart, putApartIn } from './spread.ts';

/** What lines to read, and as what. */
interface CsvShape {
  readonly head: CsvHead;
  readonly layout: Layout;
  readonly map: ColumnMap;
  /** The decimal sign of all prices. */
  readonly sign: DecimalSign;
}

/**
 * Reads the rows of a CSV, gzipped or not, telling how many bytes of the file were read and waiting until that is over.
 * Throws DATA_UNREADABLE with file, line and column.
 */
export async function readCsv(path: string, shape: CsvShape, take: TakeRow, onBytes: (bytes: number) => Promise<void>): Promise<LinesLeft> {
  const lines = new CsvLines(path, shape, take);
  for await (const { bytes, isOpen, read } of csvChunks(path)) {
    lines.take(bytes, isOpen);
    await onBytes(read);
  }
  return lines.end();
}

class CsvLines {
  private readonly map: ColumnMap;
  private readonly layout: Layout;
  private readonly sign: DecimalSign;
  private readonly cells: CsvCells;
  /** The last column that is wanted. */
  private readonly last: number;
  private readonly onRow: TakeRow;
  private readonly present: Row = { at: 0, bid: 0, ask: 0, low: 0, high: 0, open: 0 };
  private line = 0;
  private readonly atFault: RowsAtFault;
  private readonly subject = new OneSubject();
  private readonly putApart: PutApart | undefined;
  private readonly hours = new RepeatedHours((row, line) => this.pass(row, line));
  private unfinished = 0;
  /** So many cells a row has at least. */
  private readonly columns: number;
  /** The fewest decimals that the first rows have in their last cell; 0 where that is no price. */
  private readonly decimals: number;
  /** True for a last line that no newline ends. */
  private isOpen = false;

  constructor(path: string, { head, layout, map, sign }: CsvShape, onRow: TakeRow) {
    this.map = map;
    this.atFault = new RowsAtFault({ path, counted: 'line', bad: map.bad });
    this.layout = layout;
    this.onRow = onRow;
    this.sign = sign;
    this.putApart = putApartIn(layout, map);
    const { time, clock, bid, ask, low, high, open, spreads, whole, subjects } = layout;
    this.last = Math.max(time, clock, bid, ask, low, high, open, spreads, whole, ...subjects);
    this.columns = Math.max(this.last + 1, layout.columns);
    this.decimals = fewestDecimals(head, layout);
    this.cells = new CsvCells(head.separator, this.last);
  }

  take(bytes: Buffer, isOpen: boolean): void {
    this.isOpen = isOpen;
    let from = 0;
    while (from < bytes.length) from = this.takeLine(bytes, from) + 1;
  }

  end(): LinesLeft {
    return { ...this.atFault.end(), unfinished: this.unfinished, repeatedHours: this.hours.end() };
  }

  /** Takes the line that begins at `from`; returns where it ends. */
  private takeLine(bytes: Buffer, from: number): number {
    this.line += 1;
    if (this.line <= this.layout.skip) return lineEndIn(bytes, from);
    const fault = this.row(bytes, from);
    if (fault !== undefined) this.atFault.add(this.line, fault);
    return this.cells.lineEnd;
  }

  /** Takes a row. Returns what cannot be read of it. */
  private row(bytes: Buffer, from: number): string | undefined {
    const { layout, present: row, columns } = this;
    const cells = this.cells.split(bytes, from, bytes.length);
    if (cells < columns) {
      if (bytes.toString('latin1', from, this.cells.lineEnd).trim() === '') return undefined;
      return `has ${cells} ${cells === 1 ? 'column' : 'columns'}, and ${columns} are needed`;
    }
    const time = this.time(bytes);
    const unclear = typeof time === 'number' ? undefined : time;
    row.at = typeof time === 'number' ? time : (time.instants[0] ?? Number.NaN);
    row.bid = this.side(bytes, layout.bid, row.bid);
    row.ask = layout.ask === layout.bid ? row.bid : this.side(bytes, layout.ask, row.ask);
    if (!isPrice(row.bid)) return this.noPrice(bytes, layout.bid);
    if (!isPrice(row.ask)) return this.noPrice(bytes, layout.ask);
    if (Number.isNaN(row.at)) return this.noTime(bytes, unclear);
    row.low = layout.low < 0 ? row.bid : this.number(bytes, layout.low);
    row.high = layout.high < 0 ? row.ask : this.number(bytes, layout.high);
    if (!isPrice(row.low)) return this.noPrice(bytes, layout.low);
    if (!isPrice(row.high)) return this.noPrice(bytes, layout.high);
    row.open = layout.open < 0 ? Number.NaN : this.number(bytes, layout.open);
    if (layout.open >= 0 && !isPrice(row.open)) return this.noPrice(bytes, layout.open);
    if (layout.whole >= 0 && this.number(bytes, layout.whole) === 0) {
      this.unfinished += 1;
      return undefined;
    }
    const fault = this.cut(bytes, cells) ?? (layout.isBars ? misshapen(row, layout) : undefined) ?? this.apart(bytes);
    if (fault !== undefined) return fault;
    if (this.atFault.isRefused) return undefined;
    const other = this.otherSubject(bytes);
    if (other !== undefined) throw this.atFault.fault(this.line, other);
    this.hours.take(row, this.line, unclear);
    return undefined;
  }

  /** Puts bid and ask apart, where the file has their distance. Returns why they cannot be. */
  private apart(bytes: Buffer): string | undefined {
    if (!this.putApart) return undefined;
    const units = this.number(bytes, this.layout.spreads);
    const fault = isSpread(units) ? this.putApart(this.present, units) : NO_SPREAD;
    return fault === undefined ? undefined : this.cellFault(bytes, this.layout.spreads, fault);
  }

  private pass(row: Row, line: number): void {
    const ends = this.onRow(row);
    if (ends !== undefined) throw this.atFault.fault(line, ends);
  }

  /** What is wrong with a row whose prices are of something else than those before it. */
  private otherSubject(bytes: Buffer): string | undefined {
    const { subjects, titles } = this.layout;
    for (const column of subjects) {
      const other = this.subject.see(titles[column] ?? '', this.cells.text(bytes, column));
      if (other !== undefined) return other;
    }
    return undefined;
  }

  /** The price of a side; of the row before where the cell is empty and that means so. */
  private side(bytes: Buffer, column: number, before: number): number {
    const stands = this.layout.keepsSides && this.cells.text(bytes, column) === '';
    return stands ? before : this.number(bytes, column);
  }

  private number(bytes: Buffer, column: number): number {
    const { starts, ends, values } = this.cells;
    const value = values[column] ?? Number.NaN;
    // A point may stand between thousands.
    if (this.sign === 'comma') return localNumber(this.cells.text(bytes, column), 'comma');
    if (!Number.isNaN(value)) return value;
    const spelled = numberIn(bytes, starts[column] ?? 0, ends[column] ?? 0);
    return Number.isNaN(spelled) ? localNumber(this.cells.text(bytes, column), 'point') : spelled;
  }

  private time(bytes: Buffer): Millis | UnclearTime {
    const { map, layout } = this;
    const { starts, ends, values } = this.cells;
    const { unit } = map;
    if (layout.clock >= 0) return textMillis(`${this.cells.text(bytes, layout.time)} ${this.cells.text(bytes, layout.clock)}`, map);
    if (unit !== 'iso') {
      const plain = values[layout.time] ?? Number.NaN;
      const count = Number.isNaN(plain) ? numberIn(bytes, starts[layout.time] ?? 0, ends[layout.time] ?? 0) : plain;
      if (!Number.isNaN(count) && !(unit === 'auto' && isPlainDate(count))) {
        if (map.clocks) map.clocks.counted = true;
        return Number.isInteger(plain) ? millisOf(plain, unit) : millisIn(this.cells.text(bytes, layout.time), unit);
      }
      if (unit !== 'auto') return Number.NaN;
    }
    return textMillis(this.cells.text(bytes, layout.time), map);
  }

  /** What is wrong with a last line that may be cut within its last price. */
  private cut(bytes: Buffer, cells: number): string | undefined {
    if (!this.isOpen || cells > this.last + 1 || decimalsOf(this.cells.text(bytes, this.last)) >= this.decimals) return undefined;
    return this.cellFault(
      bytes,
      this.last,
      'has fewer decimals than the rows before, and no newline ends it: it may be cut; if it is whole, end the file with a newline',
    );
  }

  private noPrice(bytes: Buffer, column: number): string {
    const { decimal, mends = OPTIONS_MEND } = this.map;
    const other = otherSign(this.sign);
    const isOther = decimal !== undefined && isPrice(localNumber(this.cells.text(bytes, column), other));
    return this.cellFault(bytes, column, isOther ? `has a decimal ${other}: ${mends.decimal(decimal)}` : 'is not a price above zero');
  }

  private noTime(bytes: Buffer, unclear: UnclearTime | undefined): string {
    const { mends = OPTIONS_MEND } = this.map;
    if (unclear) return this.cellFault(bytes, this.layout.clock < 0 ? this.layout.time : this.layout.clock, leftOutBy(unclear));
    const text = this.cells.text(bytes, this.layout.time);
    const isDate = this.map.dates === undefined && /^\d{1,2}([-/])\d{1,2}\1\d{4}/.test(text);
    return this.cellFault(bytes, this.layout.time, isDate ? `can be read as two dates: ${mends.dates}` : `is not a time${mends.unit}`);
  }

  private cellFault(bytes: Buffer, column: number, what: string): string {
    return `column '${this.layout.titles[column] ?? ''}': '${this.cells.text(bytes, column).slice(0, 40)}' ${what}`;
  }
}

/** The fewest decimals that the last cell of the first rows has, the file's last line apart; 0 where it is no price that is wanted. */
function fewestDecimals({ lines }: CsvHead, { columns, skip, bid, ask, low, high, open, spreads }: Layout): number {
  if (![bid, ask, low, high, open, spreads].includes(columns - 1)) return 0;
  const rows = lines.slice(skip, -1).filter((cells) => cells.length === columns);
  return rows.length === 0 ? 0 : Math.min(...rows.map((cells) => decimalsOf(cells[columns - 1] ?? '')));
}

/** What a point is worth in price: one of the last decimals that the first prices have. Undefined where they have none. */
export function pointIn({ lines }: CsvHead, { skip, bid, low, high, open }: Layout): string | undefined {
  const prices = lines.slice(skip, -1).flatMap((cells) => [bid, low, high, open].map((column) => cells[column] ?? ''));
  const decimals = Math.max(0, ...prices.map(decimalsOf));
  return decimals === 0 ? undefined : (1 / 10 ** decimals).toFixed(decimals);
}

const decimalsOf = (text: string): number => /[.,](\d*)$/.exec(text)?.[1]?.length ?? 0;
