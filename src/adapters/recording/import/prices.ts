import { statSync } from 'node:fs';
import { readCsv } from './csv.ts';
import { csvHead, firstBytes, unreadable } from './csv-head.ts';
import { formatNamed } from './formats.ts';
import { type Layout, type LayoutFault, layoutOf } from './layout.ts';
import { openParquet } from './parquet.ts';
import { type ColumnMap, FORMATS, type LinesLeft, type PriceIs, type TakeRow } from './row.ts';

/** A file of prices whose columns are known. */
export interface Prices {
  readonly layout: Layout;
  /** Which one a lone price is, as files of its format have it. */
  readonly priceIs: PriceIs;
  /** Reads all rows, telling the share that was read and waiting until that is over. Throws DATA_UNREADABLE. */
  read(take: TakeRow, onShare: (share: number) => Promise<void>): Promise<LinesLeft>;
}

/** Finds out what a file is. Throws DATA_UNREADABLE. */
export async function openPrices(path: string, map: ColumnMap): Promise<Prices> {
  if (isParquet(path)) {
    const { layout, read } = await openParquet(path, map);
    return { layout, priceIs: priceIsIn(layout), read };
  }
  const head = csvHead(path);
  const layout = told(path, layoutOf(head.lines, map));
  const zoned = withZone(map, layout);
  const size = Math.max(1, statSync(path).size);
  return {
    layout,
    priceIs: priceIsIn(layout),
    read: (take, onShare) => readCsv(path, { head, layout, map: zoned }, take, (bytes) => onShare(bytes / size)),
  };
}

/** Throws DATA_UNREADABLE where the columns are not known. */
function told(path: string, layout: Layout | LayoutFault): Layout {
  if ('what' in layout) throw unreadable(`${path}:${layout.line}`, layout.what);
  return layout;
}

/** Some makers write the time of one zone all the year. */
function withZone(map: ColumnMap, layout: Layout): ColumnMap {
  const { offsetMinutes } = formatIn(layout);
  if (map.toUtc !== undefined || offsetMinutes === 0) return map;
  return { ...map, toUtc: (local) => local - offsetMinutes * 60_000 };
}

const priceIsIn = (layout: Layout): PriceIs => layout.priceIs ?? formatIn(layout).priceIs;

function formatIn({ format }: Layout): ReturnType<typeof formatNamed> {
  return formatNamed(FORMATS.find((one) => one === format) ?? 'ohlc');
}

/** By its content; a name that promises it must not lie, since its bytes would be read as lines of text. */
function isParquet(file: string): boolean {
  const is = firstBytes(file, 4).toString('latin1') === 'PAR1';
  if (!is && /\.(parquet|pq)$/i.test(file))
    throw unreadable(file, 'its name ends as that of a Parquet file, and it does not begin with PAR1');
  return is;
}
