import Table from 'cli-table3';
import { typed } from '#assembly/typed.ts';
import { typeset } from '#domain/money-text.ts';
import type { Millis } from '#domain/names.ts';
import { shown } from '#domain/one-line.ts';
import { type CsvCell, csvText } from '#report/csv.ts';
import { type Colour, painted, signPainted, statesPainted } from './meaning.ts';
import { shortTimes, wrapped } from './terminal-text.ts';

/** Blanks between two columns. */
const COLUMN_GAP = 2;
/** Minimum width of a wrapped last column; with less the row continues on another line. */
const MIN_TEXT = 24;
/** Indent of the further lines of a row. */
const INDENT = '    ';
/** A plain figure with its unit: `-1,234.5`, `0.31 %`, `12 ms`, `0.6 usd`. */
const FIGURE = /^([-+\u2212]?<?[\d,]+)(\.\d+)?( ?(?:%|[a-z]{1,5}))?$/;

/** How a table is drawn. */
interface TableLook {
  /** The terminal; without it the table is as wide as it comes, and its times are as they are recorded. */
  readonly terminal?: { readonly width: number; readonly now: Millis } | undefined;
  /** Columns that a terminal is spared which is too narrow, the first one first. */
  readonly spare?: readonly string[];
  /** Columns in which gains are green and losses are red. */
  readonly signed?: readonly string[];
  /** The colour of a cell, by the places of its row and its column. */
  readonly colourOf?: (row: number, column: number) => Colour | undefined;
  /** What stands below a row, by its first cell. */
  readonly notes?: ReadonlyMap<string, string>;
}

/** Prints a table for people, within the width of the terminal. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[], look: Omit<TableLook, 'terminal'> = {}): void {
  const width = widthOf(process.stdout);
  const terminal = width === undefined ? undefined : { width, now: Date.now() };
  printColoured(statesPainted(tableText(head, rows, { ...look, terminal })));
}

/** Prints a sentence for people: on a terminal with short times, broken between words, and in colours by what it means. */
export function printText(text: string, paint = statesPainted): void {
  printColoured(paint(onTerminal(typed(shown(text)), process.stdout)));
}

/** The width of a terminal; undefined of anything else, and of one that does not know it. */
export const widthOf = (stream: NodeJS.WriteStream): number | undefined => (stream.isTTY ? stream.columns || undefined : undefined);

function onTerminal(text: string, stream: NodeJS.WriteStream): string {
  const width = widthOf(stream);
  if (width === undefined) return text;
  return shortTimes(text, Date.now())
    .split('\n')
    .map((line) => wrapped(line, width))
    .join('\n');
}

/** Prints a result for scripts: one JSON value, indented. */
export function printJson(value: unknown): void {
  printLine(JSON.stringify(value, null, 2));
}

/** Prints a table for spreadsheets and scripts, as CSV. */
export function printCsv(names: readonly string[], rows: readonly (readonly CsvCell[])[]): void {
  process.stdout.write(csvText(names, rows));
}

/** Prints one line of result on standard output. */
export function printLine(line: string): void {
  printColoured(shown(line));
}

/** Prints a result: as JSON where that was asked for, else in one line. */
export function printResult(result: unknown, line: string, { json }: { readonly json?: boolean }): void {
  if (json) printJson(result);
  else printLine(line);
}

/** As `printLine`, for a line whose colours are our own and whose texts are `shown`. */
export function printColoured(line: string): void {
  process.stdout.write(`${typed(line)}\n`);
}

/** Prints a note, which is not part of the result, on standard error. */
export function printNote(line: string): void {
  process.stderr.write(`${onTerminal(shown(typed(line)), process.stderr)}\n`);
}

type Row = readonly string[];

/** Marks of a missing figure. */
const NONE: ReadonlySet<string> = new Set(['', '-', 'n/a']);

/**
 * A table for people: text to the left, figures aligned at their decimal points. One that is wider than the terminal breaks its
 * titles, goes without its spare columns, wraps its last column of text, or continues each row on further lines, like its head.
 */
export function tableText(titles: Row, given: readonly Row[], look: TableLook = {}): string {
  return noted(bareTable(titles, given, look), look);
}

/** A table with notes below its rows, of which further lines are indented; what is said of several in a row stands below the last. */
function noted(table: string, { notes = new Map(), terminal }: TableLook): string {
  if (notes.size === 0) return table;
  let note: string | undefined;
  const lines: string[] = [];
  const tell = (): void => {
    if (note !== undefined)
      lines.push(terminal ? wrapped(`${INDENT}${shortTimes(note, terminal.now)}`, terminal.width, INDENT) : INDENT + note);
    note = undefined;
  };
  for (const line of table.split('\n')) {
    if (!line.startsWith(INDENT)) {
      const next = notes.get(/^\S+/.exec(line)?.[0] ?? '');
      if (next !== note) tell();
      note = next;
    }
    lines.push(line);
  }
  tell();
  return lines.join('\n');
}

function bareTable(titles: Row, given: readonly Row[], look: TableLook): string {
  const { terminal, spare: [spared, ...spare] = [] } = look;
  const short = (cell: string): string => (terminal ? shortTimes(shown(cell), terminal.now) : shown(cell));
  const whole = titles.map(short);
  const texts = given.map((row) => row.map(short));
  const isFigures = whole.map((_, column) => areFigures(texts.map((row) => row[column] ?? '')));
  const plain = aligned(texts, isFigures);
  const cells = whole.map((_, column) => widest(plain.map((row) => row[column] ?? '')));
  const width = terminal?.width ?? Number.POSITIVE_INFINITY;
  const asWide = (names: Row): readonly number[] => names.map((title, column) => Math.max(widest([title]), cells[column] ?? 0));
  const narrow = whole.map((title, column) => brokenTitle(title, cells[column] ?? 0));
  const head = wide(asWide(whole)) > width && wide(asWide(narrow)) <= width ? narrow : whole;
  const widths = asWide(head);
  const total = wide(widths);
  if (total > width && spared !== undefined) {
    const without = (row: Row): Row => row.filter((_, column) => titles[column] !== spared);
    return bareTable(without(titles), given.map(without), { ...look, spare });
  }
  const rows = inColours(plain, titles, look);
  const columns = head.map((_, column) => column);
  const table = (how: Pick<Drawing, 'wrapped'> = {}): string => drawn({ head, rows, isFigures, widths }, { columns, ...how }).join('\n');
  if (total <= width) return table();
  const last = head.length - 1;
  const room = width - (total - (widths[last] ?? 0));
  if (!isFigures[last] && room >= MIN_TEXT) return table({ wrapped: room });
  const [headHeight = 1, ...heights] = [narrow, ...rows].map((row) => Math.max(1, ...row.map((cell) => cell.split('\n').length)));
  const parts = { head: narrow, rows, isFigures, widths: asWide(narrow) };
  const groups = folded(parts.widths, width).map((group) => drawn(parts, { columns: group, heights, headHeight }));
  return woven(groups, [headHeight, 1, ...heights]).join('\n');
}

function inColours(rows: readonly Row[], titles: Row, { signed = [], colourOf }: TableLook): readonly Row[] {
  return rows.map((row, n) =>
    row.map((cell, column) => {
      const colour = colourOf?.(n, column);
      return colour !== undefined ? painted(colour, cell) : signed.includes(titles[column] ?? '') ? signPainted(cell) : cell;
    }),
  );
}

/** A title on as many lines as its column is narrow; words stay whole. */
function brokenTitle(title: string, width: number): string {
  const words = title.split(' ');
  const room = Math.max(width, widest(words));
  return words.reduce((lines, word) => {
    const last = lines.slice(lines.lastIndexOf('\n') + 1);
    return `${lines}${last.length + 1 + word.length <= room ? ' ' : '\n'}${word}`;
  });
}

interface Parts {
  readonly head: Row;
  readonly rows: readonly Row[];
  readonly isFigures: readonly boolean[];
  readonly widths: readonly number[];
}

interface Drawing {
  readonly columns: readonly number[];
  /** Lines of the head, and of each row, in other columns. */
  readonly headHeight?: number;
  readonly heights?: readonly number[];
  /** Width of the last column. */
  readonly wrapped?: number;
}

/** Rows that are drawn at once: the time grows with their square. */
const AT_ONCE = 50;

/** The lines of some columns. The rule below the head is as wide as each column, so that parts stand under each other. */
function drawn(parts: Parts, drawing: Drawing): string[] {
  const { rows } = parts;
  const lines = drawnAtOnce({ ...parts, rows: rows.slice(0, AT_ONCE) }, drawing);
  for (let n = AT_ONCE; n < rows.length; n += AT_ONCE) {
    const heights = drawing.heights?.slice(n, n + AT_ONCE);
    const more = drawnAtOnce({ ...parts, rows: rows.slice(n, n + AT_ONCE) }, { ...drawing, ...(heights && { heights }) });
    for (const line of more.slice(more.findIndex(isRule) + 1)) lines.push(line);
  }
  return lines;
}

const isRule = (line: string): boolean => /^[- ]*-[- ]*$/.test(line);

function drawnAtOnce({ head, rows, isFigures, widths }: Parts, { columns, headHeight = 1, heights, wrapped }: Drawing): string[] {
  const of = (row: Row): string[] => columns.map((column) => row[column] ?? '');
  const rule = columns.map((column) => '-'.repeat(column === columns.at(-1) ? (wrapped ?? widths[column] ?? 0) : (widths[column] ?? 0)));
  const table = new Table({
    head: raised(of(head), headHeight),
    chars: BARE,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colAligns: columns.map((column) => (isFigures[column] ? 'right' : 'left')),
    ...(wrapped !== undefined && { wordWrap: true, colWidths: columns.map((column) => (column === columns.at(-1) ? wrapped : null)) }),
  });
  table.push(rule, ...rows.map((row, index) => raised(of(row), heights?.[index] ?? 1)));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}

/** A row padded to the height of its other parts. */
function raised(cells: string[], height: number): string[] {
  const [first = '', ...others] = cells;
  const missing = height - first.split('\n').length;
  return [missing > 0 ? first + '\n'.repeat(missing) : first, ...others];
}

/** Splits columns over lines, as many in each as fit. */
function folded(widths: readonly number[], width: number): readonly (readonly number[])[] {
  const groups: number[][] = [];
  let left = 0;
  for (const [column, own] of widths.entries()) {
    const group = groups.at(-1);
    const joins = group !== undefined && own + COLUMN_GAP <= left;
    if (joins) group.push(column);
    else groups.push([column]);
    left = (joins ? left - COLUMN_GAP : width - (groups.length > 1 ? INDENT.length : 0)) - own;
  }
  return groups;
}

/** Joins the parts of a table row by row. */
function woven(parts: readonly (readonly string[])[], heights: readonly number[]): readonly string[] {
  const lines: string[] = [];
  let at = 0;
  for (const height of heights) {
    for (const [n, part] of parts.entries()) {
      const own = part.slice(at, at + height);
      lines.push(...(n === 0 ? own : own.map((line) => INDENT + line)).filter((line) => line.trim() !== ''));
    }
    at += height;
  }
  return lines;
}

const areFigures = (cells: readonly string[]): boolean =>
  cells.some((cell) => FIGURE.test(cell)) && cells.every((cell) => FIGURE.test(cell) || NONE.has(cell));

/** Figures of a column, padded to the same number of decimals. */
function aligned(rows: readonly Row[], isFigures: readonly boolean[]): readonly Row[] {
  const parts = (cell = ''): readonly [string, string, string] => {
    const [, whole = cell, places = '', unit = ''] = FIGURE.exec(cell) ?? [];
    return [whole, places, unit];
  };
  const [places, units] = [1, 2].map((part) => isFigures.map((_, column) => widest(rows.map((row) => parts(row[column])[part] ?? ''))));
  return rows.map((row) =>
    row.map((cell, column) => {
      if (!isFigures[column] || NONE.has(cell)) return cell;
      const [whole, point, unit] = parts(cell);
      return typeset(whole) + point.padEnd(places?.[column] ?? 0) + unit.padEnd(units?.[column] ?? 0);
    }),
  );
}

const widest = (cells: readonly string[]): number =>
  cells.flatMap((cell) => cell.split('\n')).reduce((most, line) => Math.max(most, line.length), 0);

const wide = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width + COLUMN_GAP, -COLUMN_GAP);

/** A table without a frame. */
const BARE = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' '.repeat(COLUMN_GAP),
};
