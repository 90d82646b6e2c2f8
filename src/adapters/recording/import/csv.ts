import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { isPlainDate, localNumber, millisIn, millisOf, numberIn, plainNumber, textMillis } from './cells.ts';
import { type CsvHead, isGzip, MAX_LINE, unreadable } from './csv-head.ts';
import type { Layout } from './layout.ts';
import { OneSubject } from './one-subject.ts';
import { type ColumnMap, type LinesLeft, misshapen, OPTIONS_MEND, type Row, type TakeRow } from './row.ts';
import { RowsAtFault } from './rows-at-fault.ts';

const CHUNK_BYTES = 1 << 20;
const NEWLINE = 10;
const QUOTE = 34;
const POINT = 46;

/** What lines to read, and as what. */
interface CsvShape {
  readonly head: CsvHead;
  readonly layout: Layout;
  readonly map: ColumnMap;
}

/**
 * Reads the rows of a CSV, gzipped or not, telling how many bytes of the file were read and waiting until that is over.
 * Throws DATA_UNREADABLE with file, line and column.
 */
export async function readCsv(path: string, shape: CsvShape, take: TakeRow, onBytes: (bytes: number) => Promise<void>): Promise<LinesLeft> {
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  let read = 0;
  file.on('data', (chunk) => {
    read += chunk.length;
  });
  // A failure of either ends the stream that is read from, where it is seen.
  const stream = isGzip(path) ? pipeline(file, createGunzip({ chunkSize: CHUNK_BYTES }), () => {}) : file;
  const lines = new CsvLines(path, shape, take);
  for await (const chunk of stream) {
    lines.take(chunk);
    await onBytes(read);
  }
  return lines.end();
}

class CsvLines {
  private readonly path: string;
  private readonly map: ColumnMap;
  private readonly layout: Layout;
  private readonly separator: number;
  /** The last column that is wanted. */
  private readonly last: number;
  private readonly onRow: TakeRow;
  private readonly present: Row = { at: 0, bid: 0, ask: 0, low: 0, high: 0, open: 0 };
  private rest: Buffer = Buffer.alloc(0);
  private line = 0;
  private readonly atFault: RowsAtFault;
  private readonly subject = new OneSubject();
  private unfinished = 0;
  /** So many cells a row has at least. */
  private readonly columns: number;
  /** The fewest decimals that the first rows have in their last cell; 0 where that is no price. */
  private readonly decimals: number;
  /** True for a last line that no newline ends. */
  private isOpen = false;
  /** Where the cells of the present line begin and end. */
  private readonly starts: Int32Array;
  private readonly ends: Int32Array;
  /** What the cells spell, where that is nothing but digits and a point; NaN elsewhere. */
  private readonly values: Float64Array;
  private lineEnd = 0;

  constructor(path: string, { head, layout, map }: CsvShape, onRow: TakeRow) {
    this.path = path;
    this.map = map;
    this.atFault = new RowsAtFault({ path, counted: 'line', bad: map.bad });
    this.layout = layout;
    this.onRow = onRow;
    this.separator = head.separator.charCodeAt(0);
    const { time, clock, bid, ask, low, high, open, whole, subjects } = layout;
    this.last = Math.max(time, clock, bid, ask, low, high, open, whole, ...subjects);
    this.columns = Math.max(this.last + 1, layout.columns);
    this.decimals = fewestDecimals(head, layout);
    this.starts = new Int32Array(this.last + 2);
    this.ends = new Int32Array(this.last + 2);
    this.values = new Float64Array(this.last + 2);
  }

  take(chunk: Buffer): void {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const whole = bytes.lastIndexOf(NEWLINE) + 1;
    let from = 0;
    while (from < whole) from = this.takeLine(bytes, from, whole) + 1;
    this.rest = bytes.subarray(from);
    if (this.rest.length > MAX_LINE) throw unreadable(this.path, `a line is longer than ${MAX_LINE} characters, so it is not a CSV file`);
  }

  end(): LinesLeft {
    this.isOpen = true;
    if (this.rest.length > 0) this.takeLine(this.rest, 0, this.rest.length);
    return { ...this.atFault.end(), unfinished: this.unfinished };
  }

  /** Takes the line that begins at `from`; returns where it ends, at the latest at `limit`. */
  private takeLine(bytes: Buffer, from: number, limit: number): number {
    this.line += 1;
    if (this.line <= this.layout.skip) {
      const newline = bytes.indexOf(NEWLINE, from);
      return newline < 0 ? limit : newline;
    }
    const fault = this.row(bytes, from, limit);
    if (fault === undefined) return this.lineEnd;
    this.atFault.add(this.line, fault);
    return this.lineEnd;
  }

  /** Takes a row. Returns what cannot be read of it. */
  private row(bytes: Buffer, from: number, limit: number): string | undefined {
    const { layout, present: row, columns } = this;
    const cells = this.split(bytes, from, limit);
    if (cells < columns) {
      if (bytes.toString('latin1', from, this.lineEnd).trim() === '') return undefined;
      return `has ${cells} ${cells === 1 ? 'column' : 'columns'}, and ${columns} are needed`;
    }
    row.at = this.time(bytes);
    row.bid = this.number(bytes, layout.bid);
    row.ask = layout.ask === layout.bid ? row.bid : this.number(bytes, layout.ask);
    if (!isPrice(row.bid)) return this.noPrice(bytes, layout.bid);
    if (!isPrice(row.ask)) return this.noPrice(bytes, layout.ask);
    if (Number.isNaN(row.at)) return this.noTime(bytes);
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
    const fault = this.cut(bytes, cells) ?? (layout.isBars ? misshapen(row, layout) : undefined);
    if (fault !== undefined) return fault;
    const ends = this.atFault.isRefused ? undefined : (this.otherSubject(bytes) ?? this.onRow(row));
    if (ends !== undefined) throw this.atFault.fault(this.line, ends);
    return undefined;
  }

  /** What is wrong with a row whose prices are of something else than those before it. */
  private otherSubject(bytes: Buffer): string | undefined {
    const { subjects, titles } = this.layout;
    for (const column of subjects) {
      const other = this.subject.see(titles[column] ?? '', this.cell(bytes, column));
      if (other !== undefined) return other;
    }
    return undefined;
  }

  private number(bytes: Buffer, column: number): number {
    const value = this.values[column] ?? Number.NaN;
    // A point may stand between thousands.
    if (!Number.isNaN(value) && this.map.decimal !== 'comma') return value;
    const spelled = this.map.decimal === 'comma' ? Number.NaN : numberIn(bytes, this.starts[column] ?? 0, this.ends[column] ?? 0);
    return Number.isNaN(spelled) ? localNumber(this.cell(bytes, column), this.map.decimal) : spelled;
  }

  private time(bytes: Buffer): number {
    const { map, layout } = this;
    const { unit } = map;
    if (layout.clock >= 0) return textMillis(`${this.cell(bytes, layout.time)} ${this.cell(bytes, layout.clock)}`, map);
    if (unit !== 'iso') {
      const plain = this.values[layout.time] ?? Number.NaN;
      const count = Number.isNaN(plain) ? numberIn(bytes, this.starts[layout.time] ?? 0, this.ends[layout.time] ?? 0) : plain;
      if (!Number.isNaN(count) && !(unit === 'auto' && isPlainDate(count))) {
        if (map.clocks) map.clocks.counted = true;
        return Number.isInteger(plain) ? millisOf(plain, unit) : millisIn(this.cell(bytes, layout.time), unit);
      }
      if (unit !== 'auto') return Number.NaN;
    }
    return textMillis(this.cell(bytes, layout.time), map);
  }

  /** Finds the end of the line, its cells up to the last one that is wanted, and what they spell; returns how many cells the line has. */
  private split(bytes: Buffer, from: number, limit: number): number {
    const { starts, ends, values, separator, last } = this;
    let cell = 0;
    let quoted = false;
    let whole = 0;
    let digits = 0;
    let point = -1;
    let isPlain = true;
    starts[0] = from;
    let at = from;
    for (; at < limit; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte >= 48 && byte <= 57) {
        whole = whole * 10 + (byte - 48);
        digits += 1;
        continue;
      }
      if (byte === NEWLINE) break;
      if (byte === POINT && point < 0) point = at;
      else if (byte !== separator || quoted) {
        if (byte === QUOTE) quoted = !quoted;
        isPlain = false;
      } else {
        ends[cell] = at;
        values[cell] = isPlain ? plainNumber(whole, digits, point < 0 ? 0 : at - point - 1) : Number.NaN;
        whole = 0;
        digits = 0;
        point = -1;
        isPlain = true;
        if (cell === last) return cell + 1 + this.pastWanted(bytes, at, limit);
        cell += 1;
        starts[cell] = at + 1;
      }
    }
    ends[cell] = at;
    values[cell] = isPlain ? plainNumber(whole, digits, point < 0 ? 0 : at - point - 1) : Number.NaN;
    this.lineEnd = at;
    return cell + 1;
  }

  /** Finds the end of a line from the end of a cell on; returns how many cells are behind it. */
  private pastWanted(bytes: Buffer, from: number, limit: number): number {
    let cells = 0;
    let quoted = false;
    let at = from;
    for (; at < limit; at += 1) {
      const byte = bytes[at];
      if (byte === NEWLINE) break;
      if (byte === QUOTE) quoted = !quoted;
      else if (byte === this.separator && !quoted) cells += 1;
    }
    this.lineEnd = at;
    return cells;
  }

  /** What is wrong with a last line that may be cut within its last price. */
  private cut(bytes: Buffer, cells: number): string | undefined {
    if (!this.isOpen || cells > this.last + 1 || decimalsOf(this.cell(bytes, this.last)) >= this.decimals) return undefined;
    return this.cellFault(
      bytes,
      this.last,
      'has fewer decimals than the rows before, and no newline ends it: it may be cut; if it is whole, end the file with a newline',
    );
  }

  private cell(bytes: Buffer, column: number): string {
    const text = bytes.toString('utf8', this.starts[column], this.ends[column]).trim();
    return text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1).trim() : text;
  }

  private noPrice(bytes: Buffer, column: number): string {
    const { decimal, mends = OPTIONS_MEND } = this.map;
    const readable = (['comma', 'point'] as const).filter((sign) => isPrice(localNumber(this.cell(bytes, column), sign)));
    if (readable.length === 0) return this.cellFault(bytes, column, 'is not a price above zero');
    const what = decimal === undefined ? 'can be read as two prices' : `is not a price above zero with a decimal ${decimal}`;
    return this.cellFault(bytes, column, `${what}: ${mends.decimal}`);
  }

  private noTime(bytes: Buffer): string {
    const { mends = OPTIONS_MEND } = this.map;
    const text = this.cell(bytes, this.layout.time);
    const isDate = this.map.dates === undefined && /^\d{1,2}([-/])\d{1,2}\1\d{4}/.test(text);
    return this.cellFault(bytes, this.layout.time, isDate ? `can be read as two dates: ${mends.dates}` : `is not a time${mends.unit}`);
  }

  private cellFault(bytes: Buffer, column: number, what: string): string {
    return `column '${this.layout.titles[column] ?? ''}': '${this.cell(bytes, column).slice(0, 40)}' ${what}`;
  }
}

const isPrice = (price: number): boolean => price > 0 && price < Number.POSITIVE_INFINITY;

/** The fewest decimals that the last cell of the first rows has, the file's last line apart; 0 where it is no price that is wanted. */
function fewestDecimals({ lines }: CsvHead, { columns, skip, bid, ask, low, high, open }: Layout): number {
  if (![bid, ask, low, high, open].includes(columns - 1)) return 0;
  const rows = lines.slice(skip, -1).filter((cells) => cells.length === columns);
  return rows.length === 0 ? 0 : Math.min(...rows.map((cells) => decimalsOf(cells[columns - 1] ?? '')));
}

const decimalsOf = (text: string): number => /[.,](\d*)$/.exec(text)?.[1]?.length ?? 0;
