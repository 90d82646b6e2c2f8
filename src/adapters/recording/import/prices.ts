import { statSync } from 'node:fs';
import type { ImportTimes } from '#adapters/recording/manifest.ts';
import type { LocalToUtc } from '#domain/clock-change.ts';
import { KairosError } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';
import { signOf } from './cells.ts';
import { pointIn, readCsv } from './csv.ts';
import { type CsvHead, csvHead, firstBytes, unreadable } from './csv-head.ts';
import { formatIn } from './formats.ts';
import { type Layout, type LayoutFault, layoutOf } from './layout.ts';
import { openParquet } from './parquet.ts';
import { type ColumnMap, type LinesLeft, OPTIONS_MEND, type PriceIs, type TakeRow, type ZoneEvidence } from './row.ts';
import { priceIsIn } from './spread.ts';

/** A file of prices whose columns are known. */
export interface Prices {
  readonly layout: Layout;
  /** Which one a lone price is. */
  readonly priceIs: PriceIs;
  /** True once a date had no time of day. */
  isDated(): boolean;
  /** What a point is worth in price, where the decimals of the first prices tell it. */
  readonly point: string | undefined;
  /** In which zone times were read, once they were. */
  times(): ImportTimes;
  /** Reads all rows, telling the share that was read and waiting until that is over. Throws DATA_UNREADABLE. */
  read(take: TakeRow, onShare: (share: number) => Promise<void>): Promise<LinesLeft>;
}

/** Finds out what a file is. Throws DATA_UNREADABLE. */
export async function openPrices(path: string, map: ColumnMap): Promise<Prices> {
  const clocks: ZoneEvidence = { counted: false, zoned: false, unzoned: false, dated: false };
  if (isParquet(path)) {
    const zoned = withZone({ ...map, clocks }, map);
    const { layout, read } = await openParquet(path, zoned);
    return {
      layout,
      priceIs: priceIsIn(layout, map),
      point: undefined,
      times: () => timesOf(layout, zoned, clocks),
      isDated: () => clocks.dated,
      read,
    };
  }
  const head = csvHead(path);
  const layout = told(path, layoutOf(head.lines, map));
  const zoned = withZone({ ...map, clocks }, layout);
  const sign = map.decimal ?? signIn(path, head, layout, map);
  const size = Math.max(1, statSync(path).size);
  return {
    layout,
    priceIs: priceIsIn(layout, map),
    point: pointIn(head, layout),
    times: () => timesOf(layout, zoned, clocks),
    isDated: () => clocks.dated,
    read: (take, onShare) => readCsv(path, { head, layout, map: zoned, sign }, take, (bytes) => onShare(bytes / size)),
  };
}

/** The decimal sign of the first rows. Throws DATA_UNREADABLE where they do not tell it. */
function signIn(path: string, { lines }: CsvHead, { skip, columns, bid, ask, low, high, open, spreads }: Layout, { mends }: ColumnMap) {
  const whole = lines.slice(skip).filter((cells) => cells.length >= columns);
  const prices = [...new Set([bid, ask, low, high, open, spreads])].flatMap((column) => whole.map((cells) => cells[column] ?? ''));
  const { sign, unclear } = signOf(prices);
  if (unclear !== undefined) throw unreadable(path, `${unclear}: ${(mends ?? OPTIONS_MEND).decimal(undefined)}`);
  return sign;
}

/** Throws DATA_UNREADABLE where the columns are not known. */
function told(path: string, layout: Layout | LayoutFault): Layout {
  if ('what' in layout) throw unreadable(`${path}:${layout.line}`, layout.what);
  return layout;
}

/** Some makers write the time of one zone all the year, and some titles name a zone. */
function withZone(map: ColumnMap, of: Pick<ColumnMap, 'format'> | Layout): ColumnMap {
  const zones = map.zones && oneEach(map.zones);
  const { offsetMinutes = 0 } = formatIn(of);
  const title = 'titles' in of && of.hasTitles ? zoneOfTitle(of.titles[of.time] ?? '', zones) : undefined;
  const toUtc = map.toUtc ?? title?.toUtc ?? (offsetMinutes === 0 ? undefined : (local: Millis) => local - offsetMinutes * 60_000);
  return { ...map, zones, toUtc };
}

/** Knows each zone once; none that is no zone. */
function oneEach(zones: NonNullable<ColumnMap['zones']>): (zone: string) => LocalToUtc | undefined {
  const known = new Map<string, LocalToUtc | undefined>();
  return (zone) => {
    if (!known.has(zone))
      known.set(
        zone,
        tried(() => zones(zone)),
      );
    return known.get(zone);
  };
}

/** Undefined where a file names what is no zone: it may be any word. */
function tried<Value>(make: () => Value): Value | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof KairosError) return undefined;
    throw error;
  }
}

/** The zone that a title has in brackets, such as `Time (EET)`. */
function zoneOfTitle(title: string, zones: ColumnMap['zones']) {
  const zone = /\(([A-Za-z][\w/+-]*)\)/.exec(title)?.[1];
  const toUtc = zone === undefined ? undefined : zones?.(zone);
  return zone === undefined || toUtc === undefined ? undefined : { zone, toUtc };
}

/** The zone of times that name none goes before those of others: it is the one that may be another. */
function timesOf(layout: Layout, { zone, zones }: ColumnMap, { counted, unzoned }: ZoneEvidence): ImportTimes {
  const unused = zone === undefined ? {} : { unused: zone };
  if (!unzoned) return counted ? { zone: 'UTC', from: 'count', ...unused } : { zone: 'as named', from: 'file', ...unused };
  const { offsetMinutes = 0, maker } = formatIn(layout);
  const makes = maker === undefined ? {} : { maker, makerZone: offsetText(offsetMinutes) };
  if (zone !== undefined) return { zone, from: 'said', ...makes };
  if (makes.maker !== undefined) return { zone: makes.makerZone, from: 'format', ...makes };
  const title = layout.hasTitles ? (layout.titles[layout.time] ?? '') : '';
  const titled = zoneOfTitle(title, zones);
  if (titled) return { zone: titled.zone, from: 'title', title };
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
