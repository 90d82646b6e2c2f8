import { FORMATS, type FormatName, type PriceIs } from './row.ts';

/** A kind of file that is known by name. */
export interface Format {
  readonly name: FormatName;
  /** Which price it has; the middle stands for last prices. */
  readonly priceIs: PriceIs;
  /** What its times are ahead of UTC, in minutes. */
  readonly offsetMinutes: number;
  /** Who writes times of such an offset, by the name that people know. */
  readonly maker?: string;
}

const LAST: Omit<Format, 'name'> = { priceIs: 'mid', offsetMinutes: 0 };

const ODD: Partial<Readonly<Record<FormatName, Omit<Format, 'name'>>>> = {
  dukascopy: { priceIs: 'bid', offsetMinutes: 0 },
  // Eastern standard time all the year.
  histdata: { priceIs: 'bid', offsetMinutes: -300, maker: 'HistData' },
  metatrader: { priceIs: 'bid', offsetMinutes: 0 },
};

const formatNamed = (name: FormatName): Format => ({ name, ...(ODD[name] ?? LAST) });

/** The format of a layout; of ticks and of two sides, one that is like any other. */
export const formatIn = ({ format }: { readonly format?: string | undefined }): Format =>
  formatNamed(FORMATS.find((one) => one === format) ?? 'ohlc');

/** The columns of files without a header, as their makers list them. */
export const HEADLESS: Partial<Readonly<Record<FormatName, readonly string[]>>> = {
  ohlc: ['time', 'open', 'high', 'low', 'close'],
  binance: ['time', 'open', 'high', 'low', 'close', 'volume', 'end'],
  kraken: ['time', 'open', 'high', 'low', 'close', 'volume', 'trades'],
  coinbase: ['time', 'low', 'high', 'open', 'close', 'volume'],
  bybit: ['time', 'open', 'high', 'low', 'close', 'volume', 'turnover'],
  okx: ['time', 'open', 'high', 'low', 'close', 'volume', 'volume_base', 'volume_quote', 'whole'],
  dukascopy: ['time', 'open', 'high', 'low', 'close', 'volume'],
  histdata: ['time', 'open', 'high', 'low', 'close', 'volume'],
  metatrader: ['time', 'clock', 'open', 'high', 'low', 'close', 'volume'],
  tradingview: ['time', 'open', 'high', 'low', 'close', 'volume'],
};

/** Titles that columns usually have, without case and blanks; the first that is there counts. */
export const USUAL = {
  time: [
    'time',
    'timestamp',
    'ts',
    'ts_ms',
    'ts_ms_open',
    'datetime',
    'date_time',
    'open_time',
    'opentime',
    'start',
    'start_time',
    'starttime',
    'start_at',
    'unix',
    'date',
    'gmt_time',
    'local_time',
    'time_utc',
    'timestamp_ms',
    '',
  ],
  bid: ['bid', 'bid_close', 'close_bid', 'bidclose', 'bid_c', 'bid_price', 'best_bid'],
  ask: ['ask', 'ask_close', 'close_ask', 'askclose', 'ask_c', 'ask_price', 'best_ask'],
  price: ['close', 'c', 'close_price', 'closeprice', 'last', 'last_price', 'price', 'mid', 'mid_close'],
  low: ['low', 'l', 'low_price', 'lowprice', 'mid_low'],
  high: ['high', 'h', 'high_price', 'highprice', 'mid_high'],
  open: ['open', 'o', 'open_price', 'openprice', 'mid_open'],
} as const;

/** Titles of the bars of one side, as an export of candles writes them. */
export const ONE_SIDE = {
  bid: { price: 'bid_close', low: 'bid_low', high: 'bid_high', open: 'bid_open' },
  ask: { price: 'ask_close', low: 'ask_low', high: 'ask_high', open: 'ask_open' },
} as const;

/** Rows that are looked at before a file without a header is taken for something. */
const SAMPLE = 50;

/** What a file without a header is. */
interface Headless {
  readonly format: Format | undefined;
  /** Cells that most of its first rows have. */
  readonly columns: number;
  /** The format whose times most rows have, where the prices of most rows contradict it. */
  readonly contradicted?: FormatName;
}

/**
 * What a file without a header is, by what most of its first rows are: by the number of their columns and by which of their figures
 * is least and most. A few bad rows among them change nothing; who reads the rows tells them.
 */
export function headlessBySample(lines: readonly (readonly string[])[], named?: FormatName): Headless {
  const rows = lines.filter((cells) => cells.length > 1).slice(0, SAMPLE);
  const columns = most(rows.map((cells) => cells.length)) ?? 0;
  if (named !== undefined) return { format: formatNamed(named), columns };
  const usual = rows.filter((cells) => cells.length === columns);
  const name = most(usual.map((cells) => nameBy(columns, cells)));
  // Four equal prices fit any order of columns.
  const telling = rows.filter((cells) => new Set(cells.slice(1, 5)).size > 1);
  const fitting = (which: FormatName): number => telling.filter((cells) => isBar(cells, HEADLESS[which] ?? [])).length;
  const swapped = columns === 6 ? fitting('coinbase') : 0;
  const told = name === undefined ? 0 : fitting(name);
  const format = swapped > told ? 'coinbase' : name;
  const isKnown = format !== undefined && 2 * Math.max(told, swapped) >= telling.length;
  if (isKnown) return { format: formatNamed(format), columns };
  return { format: undefined, columns, ...((name === 'histdata' || name === 'metatrader') && { contradicted: name }) };
}

/** The value that is there most often; of several the first. */
export function most<Value>(values: readonly Value[]): Value | undefined {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const highest = Math.max(...counts.values());
  return [...counts].find(([, count]) => count === highest)?.[0];
}

function nameBy(columns: number, [first = '', second = '']: readonly string[]): FormatName | undefined {
  if (/^\d{8} \d{6}$/.test(first)) return 'histdata';
  if (/^\d{1,2}:\d{2}/.test(second)) return 'metatrader';
  if (columns >= 11) return 'binance';
  if (columns === 9) return 'okx';
  if (columns === 7 || columns === 8) return Number(first) > 1e11 ? 'bybit' : 'kraken';
  return columns === 5 || columns === 6 ? 'ohlc' : undefined;
}

/** The prices of a row whose columns are these. */
export function barOf(cells: readonly string[], roles: readonly string[]): Readonly<Record<'open' | 'high' | 'low' | 'close', number>> {
  const of = (role: string): number => Number((cells[roles.indexOf(role)] ?? '').replace(',', '.'));
  return { open: of('open'), high: of('high'), low: of('low'), close: of('close') };
}

function isBar(cells: readonly string[], roles: readonly string[]): boolean {
  const { open, high, low, close } = barOf(cells, roles);
  return low > 0 && low <= Math.min(open, close) && high >= Math.max(open, close);
}
