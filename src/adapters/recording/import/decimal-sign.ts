import { isPrice, localNumber } from './cells.ts';
import { CsvCells } from './csv-cells.ts';
import { csvChunks } from './csv-chunks.ts';
import { type CsvHead, unreadable } from './csv-head.ts';
import type { Layout } from './layout.ts';
import { type ColumnMap, type DecimalSign, OPTIONS_MEND } from './row.ts';

const COMMA = 44;
const POINT = 46;

/** A CSV whose columns are known. */
interface CsvFile {
  readonly head: CsvHead;
  readonly layout: Layout;
  readonly map: ColumnMap;
}

/**
 * The decimal sign of a CSV's prices: the declared one, or else the one that its rows tell. Throws DATA_UNREADABLE where they tell
 * none, or both.
 */
export async function decimalSignOf(path: string, { head, layout, map }: CsvFile): Promise<DecimalSign> {
  if (map.decimal !== undefined) return map.decimal;
  if (!(await mayHaveCommas(path, head))) return 'point';
  const seen = new SignsSeen(path, layout, (map.mends ?? OPTIONS_MEND).decimal(undefined));
  const { columns, skip } = layout;
  const prices = pricesOf(layout);
  const last = Math.max(...prices);
  const cells = new CsvCells(head.separator, last);
  let line = 0;
  for await (const { bytes } of csvChunks(path)) {
    for (let from = 0; from < bytes.length; from = cells.lineEnd + 1) {
      const count = cells.split(bytes, from, bytes.length);
      line += 1;
      if (line <= skip || count < columns || count <= last) continue;
      for (const column of prices)
        if (seen.sought === undefined || cells.has(bytes, column, seen.sought)) seen.see(cells.text(bytes, column), { line, column });
    }
  }
  return seen.sign();
}

/** The columns of prices and of their spreads, each once, from left to right. */
const pricesOf = ({ bid, ask, low, high, open, spreads }: Layout): readonly number[] =>
  [...new Set([bid, ask, low, high, open, spreads])].filter((column) => column >= 0).sort((one, other) => one - other);

/** False where no cell has a comma: between commas one that has is quoted. */
async function mayHaveCommas(path: string, { separator }: CsvHead): Promise<boolean> {
  const mark = separator === ',' ? '"' : ',';
  for await (const { bytes } of csvChunks(path)) if (bytes.includes(mark)) return true;
  return false;
}

/** A price and where it is. */
interface Seen {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** Which decimal signs the prices of a file have. */
class SignsSeen {
  private readonly path: string;
  private readonly layout: Layout;
  private readonly mend: string;
  /** The first price with each sign. */
  private readonly first: { [Sign in DecimalSign]?: Seen } = {};
  /** The first one whose comma may be either sign. */
  private either: Seen | undefined;

  constructor(path: string, layout: Layout, mend: string) {
    this.path = path;
    this.layout = layout;
    this.mend = mend;
  }

  /** The mark without which a price tells nothing new; undefined as long as any may. */
  get sought(): number | undefined {
    if (this.first.point) return COMMA;
    return this.first.comma && POINT;
  }

  /** Throws DATA_UNREADABLE where a price has the other sign than one before. */
  see(text: string, at: Omit<Seen, 'text'>): void {
    const sign = signIn(text);
    if (sign === undefined) return;
    if (sign === 'either') {
      this.either ??= { text, ...at };
      return;
    }
    const other = this.first[otherSign(sign)];
    if (other !== undefined)
      throw this.fault({ text, ...at }, `has a decimal ${sign} and '${other.text}' of line ${other.line} a decimal ${otherSign(sign)}`);
    this.first[sign] ??= { text, ...at };
  }

  /** A point where nothing speaks for a comma. Throws DATA_UNREADABLE where all that has a comma may be read both ways. */
  sign(): DecimalSign {
    if (this.first.comma) return 'comma';
    if (this.first.point || !this.either) return 'point';
    throw this.fault(this.either, 'can be read as two prices');
  }

  private fault({ text, line, column }: Seen, what: string): Error {
    const cell = `column '${this.layout.titles[column] ?? ''}': '${text.slice(0, 40)}'`;
    return unreadable(`${this.path}:${line}`, `${cell} ${what}: ${this.mend}`);
  }
}

export const otherSign = (sign: DecimalSign): DecimalSign => (sign === 'comma' ? 'point' : 'comma');

/** The only decimal sign that makes a text a price; `either` for a comma that may stand between thousands. A lone point tells nothing there. */
function signIn(text: string): DecimalSign | 'either' | undefined {
  const hasComma = text.includes(',');
  if (!hasComma && !text.includes('.')) return undefined;
  const [comma, point] = [isPrice(localNumber(text, 'comma')), isPrice(localNumber(text, 'point'))];
  if (comma && point) return hasComma ? 'either' : undefined;
  if (comma) return 'comma';
  return point ? 'point' : undefined;
}
