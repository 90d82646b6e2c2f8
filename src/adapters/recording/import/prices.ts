import { statSync } from 'node:fs';
import type { ImportTimes } from '#adapters/recording/manifest.ts';
import { pointIn, readCsv } from './csv.ts';
import { csvHead, firstBytes, unreadable } from './csv-head.ts';
import { decimalSignOf } from './decimal-sign.ts';
import { formatIn } from './formats.ts';
import { type Layout, type LayoutFault, layoutOf } from './layout.ts';
import { openParquet } from './parquet.ts';
import type { ClocksSeen, ColumnMap, LinesLeft, PriceIs, TakeRow } from './row.ts';
import { priceIsIn } from './spread.ts';

/** A file of prices whose columns are known. */
export interface Prices {
  readonly layout: Layout;
  /** Which one a lone price is. */
  readonly priceIs: PriceIs;
  /** What a point is worth in price, where the decimals of the first prices tell it. */
  readonly point: string | undefined;
  /** In which zone times were read, once they were. */
  times(): ImportTimes;
  /** Reads all rows, telling the share that was read and waiting until that is over. Throws DATA_UNREADABLE. */
  read(take: TakeRow, onShare: (share: number) => Promise<void>): Promise<LinesLeft>;
}

/** Finds out what a file is. Throws DATA_UNREADABLE. */
export async function openPrices(path: string, map: ColumnMap): Promise<Prices> {
  const clocks: ClocksSeen = { counted: false, zoned: false, unzoned: false };
  if (isParquet(path)) {
    const { layout, read } = await openParquet(path, withZone({ ...map, clocks }, map));
    return { layout, priceIs: priceIsIn(layout, map), point: undefined, times: () => timesOf(layout, map, clocks), read };
  }
  const head = csvHead(path);
  const layout = told(path, layoutOf(head.lines, map));
  const zoned = withZone({ ...map, clocks }, layout);
  const sign = await decimalSignOf(path, { head, layout, map });
  const size = Math.max(1, statSync(path).size);
  return {
    layout,
    priceIs: priceIsIn(layout, map),
    point: pointIn(head, layout),
    times: () => timesOf(layout, map, clocks),
    read: (take, onShare) => readCsv(path, { head, layout, map: zoned, sign }, take, (bytes) => onShare(bytes / size)),
  };
}

/** Throws DATA_UNREADABLE where the columns are not known. */
function told(path: string, layout: Layout | LayoutFault): Layout {
  if ('what' in layout) throw unreadable(`${path}:${layout.line}`, layout.what);
  return layout;
}

/** Some makers write the time of one zone all the year. */
function withZone(map: ColumnMap, of: Pick<ColumnMap, 'format'> | Layout): ColumnMap {
  const { offsetMinutes } = formatIn(of);
  if (map.toUtc !== undefined || offsetMinutes === 0) return map;
  return { ...map, toUtc: (local) => local - offsetMinutes * 60_000 };
}

/** The zone of times that name none goes before those of others: it is the one that may be another. */
function timesOf(layout: Layout, { zone }: ColumnMap, { counted, unzoned }: ClocksSeen): ImportTimes {
  const unused = zone === undefined ? {} : { unused: zone };
  if (!unzoned) return counted ? { zone: 'UTC', from: 'count', ...unused } : { zone: 'as named', from: 'file', ...unused };
  const { offsetMinutes, maker } = formatIn(layout);
  const makes = maker === undefined ? {} : { maker, makerZone: offsetText(offsetMinutes) };
  if (zone !== undefined) return { zone, from: 'said', ...makes };
  if (makes.maker !== undefined) return { zone: makes.makerZone, from: 'format', ...makes };
  const title = layout.hasTitles ? (layout.titles[layout.time] ?? '') : '';
  return /\b(gmt|utc)\b/i.test(title.replaceAll('_', ' ')) ? { zone: 'UTC', from: 'title', title } : { zone: 'UTC', from: 'assumed' };
}

const offsetText = (minutes: number): string => `UTC${minutes < 0 ? '-' : '+'}${Math.abs(minutes) / 60}`;

/** By its content; a name that promises it must not lie, since its bytes would be read as lines of text. */
function isParquet(file: string): boolean {
  const is = firstBytes(file, 4).toString('latin1') === 'PAR1';
  if (!is && /\.(parquet|pq)$/i.test(file))
    throw unreadable(file, 'its name ends as that of a Parquet file, and it does not begin with PAR1');
  return is;
}
