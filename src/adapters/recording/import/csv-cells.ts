import { plainNumber } from './cells.ts';

const NEWLINE = 10;
const QUOTE = 34;
const POINT = 46;

/** The cells of one line of a CSV file at a time. */
export class CsvCells {
  /** Where the line ends. */
  lineEnd = 0;
  /** Where the cells begin and end. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** What the cells spell, where that is nothing but digits and a point; NaN elsewhere. */
  readonly values: Float64Array;
  private readonly separator: number;
  /** The last column that is wanted. */
  private readonly last: number;

  constructor(separator: string, last: number) {
    this.separator = separator.charCodeAt(0);
    this.last = last;
    this.starts = new Int32Array(last + 2);
    this.ends = new Int32Array(last + 2);
    this.values = new Float64Array(last + 2);
  }

  /** Finds the end of the line, its cells up to the last one that is wanted, and what they spell; returns how many cells the line has. */
  split(bytes: Buffer, from: number, limit: number): number {
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

  /** True where a cell has a byte. */
  has(bytes: Buffer, column: number, byte: number): boolean {
    const end = this.ends[column] ?? 0;
    for (let at = this.starts[column] ?? 0; at < end; at += 1) if (bytes[at] === byte) return true;
    return false;
  }

  /** The text of a cell without its quotes. */
  text(bytes: Buffer, column: number): string {
    const text = bytes.toString('utf8', this.starts[column], this.ends[column]).trim();
    return text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1).trim() : text;
  }
}

/** Where the line that begins at `from` ends. */
export function lineEndIn(bytes: Buffer, from: number): number {
  const newline = bytes.indexOf(NEWLINE, from);
  return newline < 0 ? bytes.length : newline;
}
