import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { KairosError, messageOf } from '#domain/errors.ts';
import { marketTimeOf } from './market-time.ts';

/** Prices in columns: market time in milliseconds since 1970 UTC, best bid and best ask. */
export interface PriceColumns {
  readonly timeMs: Float64Array;
  readonly bid: Float64Array;
  readonly ask: Float64Array;
}

export interface ColumnNames {
  readonly time: string;
  readonly bid: string;
  readonly ask: string;
}

const CHUNK_BYTES = 1 << 20;
const MAX_LINE = 1 << 16;
const PRICE = /^\d*\.?\d+(?:[eE][+-]?\d+)?$/;

/**
 * Reads a CSV with a header line, gzipped or not, whatever its name says. Only the three named columns are kept.
 * Throws PRICES_UNREADABLE that names file, line and column.
 */
export async function readPrices(path: string, names: ColumnNames): Promise<PriceColumns> {
  const table = new PriceTable(path, names);
  try {
    let rest = '';
    for await (const chunk of await textOf(path)) {
      const text: string = rest + chunk;
      const end = text.lastIndexOf('\n');
      rest = text.slice(end + 1);
      if (rest.length > MAX_LINE) throw unreadable(path, `a line is longer than ${MAX_LINE} characters; this is no CSV file`);
      for (let from = 0; from <= end; ) {
        const lineEnd = text.indexOf('\n', from);
        table.line(text.slice(from, lineEnd));
        from = lineEnd + 1;
      }
    }
    table.line(rest);
  } catch (error) {
    if (error instanceof KairosError) throw error;
    throw unreadable(path, `${messageOf(error)}; check venue.prices.path`, error);
  }
  return table.columns();
}

/** The file as text. Prices are ASCII, so Latin-1 reads them right and never fails on what else a row holds. */
async function textOf(path: string): Promise<AsyncIterable<string>> {
  const handle = await open(path, 'r');
  let gzipped: boolean;
  try {
    if (!(await handle.stat()).isFile()) throw unreadable(path, 'not a regular file; check venue.prices.path');
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    gzipped = bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
  const bytes = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  if (!gzipped) return bytes.setEncoding('latin1');
  // A failure ends the stream that is read from, where the reader sees it; there is nothing more to do here.
  return pipeline(bytes, createGunzip({ chunkSize: CHUNK_BYTES }), () => {}).setEncoding('latin1');
}

/** Rows as they come, in typed arrays that double as they fill. */
class PriceTable {
  private readonly path: string;
  private readonly names: ColumnNames;
  private header: { readonly separator: string; readonly time: number; readonly bid: number; readonly ask: number } | undefined;
  private lineNumber = 0;
  private rows = 0;
  private timeMs = new Float64Array(1 << 16);
  private bid = new Float64Array(1 << 16);
  private ask = new Float64Array(1 << 16);

  constructor(path: string, names: ColumnNames) {
    this.path = path;
    this.names = names;
  }

  line(raw: string): void {
    this.lineNumber += 1;
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    if (line.trim() === '') return;
    if (this.header) this.row(line, this.header);
    else this.header = this.headerOf(line);
  }

  columns(): PriceColumns {
    if (!this.header) throw unreadable(this.path, 'the file is empty; a header line is needed');
    if (this.rows === 0) throw unreadable(this.path, 'there is no row under the header');
    return { timeMs: this.timeMs.slice(0, this.rows), bid: this.bid.slice(0, this.rows), ask: this.ask.slice(0, this.rows) };
  }

  private row(
    line: string,
    header: { readonly separator: string; readonly time: number; readonly bid: number; readonly ask: number },
  ): void {
    const cells = cellsOf(line, header.separator);
    const time = marketTimeOf(cells[header.time] ?? '');
    if (Number.isNaN(time)) throw this.fault(this.names.time, cells[header.time], 'is neither an epoch time nor ISO 8601');
    if (this.rows > 0 && time < (this.timeMs[this.rows - 1] ?? 0)) {
      throw this.fault(this.names.time, cells[header.time], 'goes back in time; sort the file by time');
    }
    const bid = this.price(this.names.bid, cells[header.bid]);
    const ask = this.price(this.names.ask, cells[header.ask]);
    if (ask < bid) throw this.fault(this.names.ask, cells[header.ask], `is below the bid of ${bid}`);
    if (this.rows === this.timeMs.length) this.grow();
    this.timeMs[this.rows] = time;
    this.bid[this.rows] = bid;
    this.ask[this.rows] = ask;
    this.rows += 1;
  }

  private price(name: string, cell: string | undefined): number {
    const price = PRICE.test(cell ?? '') ? Number(cell) : Number.NaN;
    if (!(price > 0 && Number.isFinite(price))) throw this.fault(name, cell, 'is not a price above zero');
    return price;
  }

  private headerOf(line: string) {
    const text = line.replace(/^(\u00ef\u00bb\u00bf|\ufeff)/, '');
    const separator = [',', ';', '\t'].find((candidate) => text.includes(candidate)) ?? ',';
    const titles = cellsOf(text, separator);
    const at = (key: keyof ColumnNames) => {
      const index = titles.indexOf(this.names[key]);
      if (index >= 0) return index;
      const known = titles.slice(0, 20).join(', ').slice(0, 200);
      throw unreadable(
        `${this.path}:${this.lineNumber}`,
        `no column '${this.names[key]}' in the header (${known}); set venue.prices.columns.${key}`,
      );
    };
    return { separator, time: at('time'), bid: at('bid'), ask: at('ask') };
  }

  private fault(name: string, cell: string | undefined, what: string): KairosError {
    return unreadable(`${this.path}:${this.lineNumber}`, `column '${name}': '${(cell ?? '').slice(0, 40)}' ${what}`);
  }

  private grow(): void {
    this.timeMs = doubled(this.timeMs);
    this.bid = doubled(this.bid);
    this.ask = doubled(this.ask);
  }
}

/** Cells of a line; quotes around a cell are taken off, and separators between them belong to the cell. */
function cellsOf(line: string, separator: string): string[] {
  if (!line.includes('"')) return line.split(separator).map((cell) => cell.trim());
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (const char of line) {
    if (char === '"') quoted = !quoted;
    else if (char === separator && !quoted) {
      cells.push(cell.trim());
      cell = '';
    } else cell += char;
  }
  return [...cells, cell.trim()];
}

function doubled(column: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(column.length * 2);
  larger.set(column);
  return larger;
}

function unreadable(where: string, what: string, cause?: unknown): KairosError {
  return new KairosError('PRICES_UNREADABLE', `${where}: ${what}`, { cause });
}
