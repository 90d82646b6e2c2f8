import Papa from 'papaparse';
import { csvChunks } from './csv-chunks.ts';
import type { CsvHead } from './csv-head.ts';
import { unreadable } from './csv-head.ts';
import type { Layout } from './layout.ts';
import type { ColumnMap, DecimalSign, LinesLeft, TakeRow } from './row.ts';
import { RowReader } from './row-reader.ts';

/** What lines to read, and as what. */
interface CsvShape {
  readonly head: CsvHead;
  readonly layout: Layout;
  readonly map: ColumnMap;
  readonly sign: DecimalSign | undefined;
}

/**
 * Reads the rows of a CSV, gzipped or not, telling how many bytes of the file were read and waiting until that is over.
 * Throws DATA_UNREADABLE with file, line and column.
 */
export async function readCsv(path: string, shape: CsvShape, take: TakeRow, onBytes: (bytes: number) => Promise<void>): Promise<LinesLeft> {
  const { head, layout, map, sign } = shape;
  const { time, clock, bid, ask, low, high, open, spreads, whole, subjects } = layout;
  const last = Math.max(time, clock, bid, ask, low, high, open, spreads, whole, ...subjects);
  const columns = Math.max(last + 1, layout.columns);
  const titles = layout.titles.length;
  const decimals = fewestDecimals(head, layout);
  const reader = new RowReader({ path, counted: 'line', layout, map, sign }, take);
  let cells: readonly string[] = [];
  const cell = (column: number): string | undefined => cells[column];
  let line = 0;
  for await (const { text, isOpen, read } of csvChunks(path)) {
    const rows = Papa.parse(text, { delimiter: head.separator, newline: '\n' }).data;
    const lines = text.split('\n').length;
    if (rows.length !== lines) throw unreadable(path, `a quote is not closed within its line, behind line ${line}`);
    // Nothing is behind the last newline.
    const count = isOpen ? lines : lines - 1;
    for (let row = 0; row < count; row += 1) {
      line += 1;
      cells = rows[row] ?? [];
      if (line <= layout.skip || (cells.length <= 1 && (cells[0] ?? '').trim() === '')) continue;
      const isLast = isOpen && row === count - 1;
      const has = `has ${cells.length} ${cells.length === 1 ? 'column' : 'columns'}`;
      if (cells.length < columns) reader.refuse(line, `${has}, and ${columns} are needed`);
      else if (layout.hasTitles && cells.slice(titles).some((text) => text.trim() !== ''))
        reader.refuse(line, `${has}, and ${titles} are expected${head.separator === ',' && !map.mends ? COMMAS : ''}`);
      else if (isLast && cells.length <= last + 1 && decimalsOf(cells[last] ?? '') < decimals)
        reader.refuse(line, reader.fault(cell, last, CUT));
      else reader.read(line, cell);
    }
    await onBytes(read);
  }
  return reader.end();
}

const COMMAS = ': a number with a comma needs quotes; for decimal commas also --decimal comma';
const CUT = 'has fewer decimals than the rows before, and no newline ends it: it may be cut; if it is whole, end the file with a newline';

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
