import { closeSync, openSync, readSync } from 'node:fs';
import { constants, gunzipSync } from 'node:zlib';
import Papa from 'papaparse';
import { KairosError } from '#domain/errors.ts';

/** How a CSV file begins. */
export interface CsvHead {
  readonly separator: string;
  /** Its first lines, blank ones included, in cells. */
  readonly lines: readonly (readonly string[])[];
}

export const MAX_LINE = 1 << 16;
/** Lines that a file is told by. */
const MAX_LINES = 60;
const SEPARATORS = [',', ';', '\t', '|'];

/** Reads how a CSV file begins, gzipped or not. Throws DATA_UNREADABLE where it is none. */
export function csvHead(path: string): CsvHead {
  const bytes = firstBytes(path, MAX_LINE);
  if (bytes.subarray(0, 2).equals(Buffer.from([0xff, 0xfe]))) throw unreadable(path, 'it is UTF-16; save it as UTF-8');
  const plain = isGzip(path) ? unpacked(path, bytes) : bytes;
  const other = OTHERS.find(({ begin }) => begin.test(plain.toString('latin1', 0, TOLD_BY)))?.is;
  if (other !== undefined) throw unreadable(path, `it is ${other}; convert it to CSV or Parquet`);
  const text = plain
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n');
  if (text.length >= MAX_LINE && !text.includes('\n'))
    throw unreadable(path, `a line is longer than ${MAX_LINE} characters, so it is not a CSV file`);
  if (text.trim() === '') throw unreadable(path, 'the file is empty');
  const all = text.split('\n');
  // The last one may be cut, unless it is all there is.
  const lines = (all.length > 1 && text.length >= MAX_LINE ? all.slice(0, -1) : all).slice(0, MAX_LINES);
  const separator = separatorOf(lines);
  return { separator, lines: lines.map((line) => cellsOf(line, separator)) };
}

/** Bytes that tell what a file is. */
const TOLD_BY = 512;
/** What other files begin with. */
const OTHERS: readonly { readonly begin: RegExp; readonly is: string }[] = [
  { begin: /^ARROW1|^FEA1/, is: 'Feather (Arrow)' },
  { begin: /^PK(?!\s)\p{Cc}/u, is: 'a zip archive or an Excel file' },
  { begin: /^(\xef\xbb\xbf)?\s*(\{\s*["}]|\[\s*["[{\d\]-])/, is: 'JSON' },
  // A text has no such character, whatever its encoding.
  { begin: /[^\P{Cc}\s\x80-\x9f]/u, is: 'no text' },
];

/** The one that makes most columns of the first line that has several. */
function separatorOf(lines: readonly string[]): string {
  const first = lines.find((line) => SEPARATORS.some((mark) => cellsOf(line, mark).length >= 3)) ?? lines[0] ?? '';
  const counts = SEPARATORS.map((mark) => cellsOf(first, mark).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** The cells of a line without their quotes; none of a blank one. */
export const cellsOf = (line: string, delimiter: string): readonly string[] =>
  line.trim() === '' ? [] : (Papa.parse(line.replace(/\r$/, ''), { delimiter, newline: '\n' }).data[0] ?? []).map((cell) => cell.trim());

function unpacked(path: string, bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, MAX_LINE);
  } catch (error) {
    throw unreadable(path, 'it begins as a gzip file and cannot be unpacked', error);
  }
}

export function isGzip(path: string): boolean {
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

export function unreadable(where: string, what: string, cause?: unknown): KairosError {
  return new KairosError('DATA_UNREADABLE', `${where}: ${what}`, { cause });
}
