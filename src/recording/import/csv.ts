import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { KairosError } from '../../domain/errors.ts';
import { isoMillis, millisOf, numberIn, plainNumber, type TimeUnit } from './cells.ts';
import type { Ticks } from './ticks.ts';

/** Which columns of a file are what. */
export interface ColumnMap {
  readonly time: string;
  readonly bid: string;
  readonly ask: string;
  readonly unit: TimeUnit;
}

const CHUNK_BYTES = 1 << 20;
const LONGEST_LINE = 1 << 16;
const NEWLINE = 10;
const QUOTE = 34;
const POINT = 46;

/** Where a wanted column is among the columns of a line. */
interface Wanted {
  readonly separator: number;
  readonly time: number;
  readonly bid: number;
  readonly ask: number;
  readonly last: number;
}

/**
 * Reads the rows of a CSV with a header line, gzipped or not, into `ticks`, telling how many bytes of the file were read and
 * waiting until that is over.
 * Throws DATA_UNREADABLE with file, line and column.
 */
export async function readCsv(path: string, map: ColumnMap, ticks: Ticks, onBytes: (bytes: number) => Promise<void>): Promise<void> {
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  let read = 0;
  file.on('data', (chunk) => {
    read += chunk.length;
  });
  // A failure of either ends the stream that is read from, where it is seen.
  const stream = isGzip(path) ? pipeline(file, createGunzip({ chunkSize: CHUNK_BYTES }), () => {}) : file;
  const lines = new CsvLines(path, map, ticks);
  for await (const chunk of stream) {
    lines.take(chunk);
    await onBytes(read);
  }
  lines.end();
}

function isGzip(path: string): boolean {
  return firstBytes(path, 2).equals(Buffer.from([0x1f, 0x8b]));
}

/** The first bytes of a file, which tell its format. */
export function firstBytes(path: string, length: number): Buffer {
  const start = Buffer.alloc(length);
  const fd = openSync(path, 'r');
  try {
    return start.subarray(0, readSync(fd, start, 0, length, 0));
  } finally {
    closeSync(fd);
  }
}

class CsvLines {
  private readonly path: string;
  private readonly map: ColumnMap;
  private readonly ticks: Ticks;
  private wanted: Wanted | undefined;
  private rest: Buffer = Buffer.alloc(0);
  private line = 0;
  /** Where the cells of the present line begin and end. */
  private readonly starts = new Int32Array(1024);
  private readonly ends = new Int32Array(1024);
  /** What the cells spell, where that is nothing but digits and a point; NaN elsewhere. */
  private readonly values = new Float64Array(1024);
  private lineEnd = 0;

  constructor(path: string, map: ColumnMap, ticks: Ticks) {
    this.path = path;
    this.map = map;
    this.ticks = ticks;
  }

  take(chunk: Buffer): void {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const whole = bytes.lastIndexOf(NEWLINE) + 1;
    let from = 0;
    while (from < whole) from = this.takeLine(bytes, from, whole) + 1;
    this.rest = bytes.subarray(from);
    if (this.rest.length > LONGEST_LINE)
      throw unreadable(this.path, `a line is longer than ${LONGEST_LINE} characters; this is no CSV file`);
  }

  end(): void {
    if (this.rest.length > 0) this.takeLine(this.rest, 0, this.rest.length);
    if (!this.wanted) throw unreadable(this.path, 'the file is empty; a header line is needed');
  }

  /** Takes the line that begins at `from`; returns where it ends, at the latest at `limit`. */
  private takeLine(bytes: Buffer, from: number, limit: number): number {
    this.line += 1;
    if (this.wanted) return this.row(bytes, from, limit, this.wanted);
    const newline = bytes.indexOf(NEWLINE, from);
    const end = newline < 0 ? limit : newline;
    const text = bytes.toString('utf8', from, end);
    if (text.trim() !== '') this.wanted = this.wantedIn(text.replace(/\r$/, ''));
    return end;
  }

  private row(bytes: Buffer, from: number, limit: number, wanted: Wanted): number {
    const cells = this.split(bytes, from, limit, wanted);
    const end = this.lineEnd;
    if (cells <= wanted.last) {
      if (bytes.toString('latin1', from, end).trim() === '') return end;
      throw this.fault(`has ${cells} of at least ${wanted.last + 1} columns`);
    }
    const bid = this.number(bytes, wanted.bid);
    const ask = this.number(bytes, wanted.ask);
    const at = this.time(bytes, wanted.time);
    if (!(bid > 0 && bid < Number.POSITIVE_INFINITY)) throw this.cellFault(bytes, this.map.bid, wanted.bid, 'is not a price above zero');
    if (!(ask > 0 && ask < Number.POSITIVE_INFINITY)) throw this.cellFault(bytes, this.map.ask, wanted.ask, 'is not a price above zero');
    if (Number.isNaN(at)) throw this.cellFault(bytes, this.map.time, wanted.time, 'is no time (--unit says which it is)');
    const fault = this.ticks.add(at, bid, ask);
    if (fault !== undefined) throw this.fault(fault);
    return end;
  }

  private number(bytes: Buffer, column: number): number {
    const value = this.values[column] ?? Number.NaN;
    return Number.isNaN(value) ? numberIn(bytes, this.starts[column] ?? 0, this.ends[column] ?? 0) : value;
  }

  private time(bytes: Buffer, column: number): number {
    const { unit } = this.map;
    if (unit !== 'iso') {
      const count = this.number(bytes, column);
      if (!Number.isNaN(count)) return millisOf(count, unit);
      if (unit !== 'auto') return Number.NaN;
    }
    return isoMillis(this.cell(bytes, column));
  }

  /** Finds the end of the line, its cells up to the last one that is wanted, and what they spell; returns how many these are. */
  private split(bytes: Buffer, from: number, limit: number, { separator, last }: Wanted): number {
    const { starts, ends, values } = this;
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
        if (cell === last) {
          const newline = bytes.indexOf(NEWLINE, at);
          this.lineEnd = newline < 0 || newline > limit ? limit : newline;
          return cell + 1;
        }
        cell += 1;
        starts[cell] = at + 1;
      }
    }
    ends[cell] = at;
    values[cell] = isPlain ? plainNumber(whole, digits, point < 0 ? 0 : at - point - 1) : Number.NaN;
    this.lineEnd = at;
    return cell + 1;
  }

  private cell(bytes: Buffer, column: number): string {
    const text = bytes.toString('utf8', this.starts[column], this.ends[column]).trim();
    return text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1).trim() : text;
  }

  private wantedIn(header: string): Wanted {
    const text = header.replace(/^\ufeff/, '');
    const separator = [',', ';', '\t', '|'].find((candidate) => text.includes(candidate)) ?? ',';
    const titles = text.split(separator).map((title) => title.trim().replace(/^"(.*)"$/, '$1'));
    if (titles.length > this.starts.length) throw unreadable(`${this.path}:${this.line}`, `more than ${this.starts.length} columns`);
    const place = (name: string, option: string): number => {
      const at = titles.indexOf(name);
      if (at >= 0) return at;
      const known = titles.slice(0, 20).join(', ').slice(0, 200);
      throw unreadable(`${this.path}:${this.line}`, `no column '${name}' in the header (${known}); name it with --${option}`);
    };
    const [time, bid, ask] = [place(this.map.time, 'time'), place(this.map.bid, 'bid'), place(this.map.ask, 'ask')];
    return { separator: separator.charCodeAt(0), time, bid, ask, last: Math.max(time, bid, ask) };
  }

  private cellFault(bytes: Buffer, name: string, column: number, what: string): KairosError {
    return this.fault(`column '${name}': '${this.cell(bytes, column).slice(0, 40)}' ${what}`);
  }

  private fault(what: string): KairosError {
    return unreadable(`${this.path}:${this.line}`, what);
  }
}

export function unreadable(where: string, what: string, cause?: unknown): KairosError {
  return new KairosError('DATA_UNREADABLE', `${where}: ${what}`, { cause });
}
