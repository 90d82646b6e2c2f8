import type { BarStamp } from './bars.ts';
import TABLE from './formats.json' with { type: 'json' };
import type { FormatName, PriceIs } from './row.ts';

/** A kind of file that is known. */
interface Format {
  readonly name: FormatName | 'ticks' | 'bid and ask bars';
  /** Who writes it, and what is in it. */
  readonly of: string;
  /** Which price it has; the middle, which stands for last prices, unless said. */
  readonly priceIs?: PriceIs;
  /** What its times are ahead of UTC, in minutes. */
  readonly offsetMinutes?: number;
  /** Who writes times of such an offset. */
  readonly maker?: string;
  /** What the time of a bar is; its begin unless said. */
  readonly stamp?: BarStamp;
  /** A title that tells it, without case and marks. */
  readonly title?: RegExp;
  /** What its columns are, where it has no header; a role that is not wanted is `-`. */
  readonly columns?: readonly string[];
  /** How many of them there may be; all unless said. */
  readonly widths?: readonly number[];
  /** How its times are written, where it has no header. */
  readonly time?: RegExp;
  /** Options that its example needs, apart from product, size, fee and spread. */
  readonly options?: string;
  readonly example: readonly string[];
}

/** Every kind of file that is read. Of files without a header, the first one that fits most of the first rows is taken. */
export const FORMATS: readonly Format[] = (TABLE as readonly FormatRow[]).map(({ columns, title, time, ...format }) => ({
  ...format,
  ...(columns !== undefined && { columns: columns.split(',') }),
  ...(title !== undefined && { title: new RegExp(title) }),
  ...(time !== undefined && { time: new RegExp(time) }),
}));

/** A format in the table: with its columns in one text, and expressions as texts. */
type FormatRow = Omit<Format, 'columns' | 'title' | 'time'> & { readonly [key in 'columns' | 'title' | 'time']?: string };

/** What is odd about the files of a format, where it is one of bars. */
export const formatIn = ({ format }: { readonly format?: string | undefined }): Partial<Format> =>
  FORMATS.find(({ name, priceIs, offsetMinutes, stamp }) => name === format && (priceIs ?? offsetMinutes ?? stamp) !== undefined) ?? {};

/** The name of a file of bars of one price, by its titles. */
export const formatByTitles = (plain: readonly string[]): Format['name'] =>
  FORMATS.find(({ title }) => title && plain.some((one) => title.test(one)))?.name ?? 'ohlc';

/** Titles that columns usually have, without case and marks; the first that is there counts. */
export const USUAL = {
  time: [
    ...['timeopen', 'time', 'timestamp', 'ts', 'tsms', 'tsmsopen', 'datetime', 'opentime', 'start', 'starttime', 'startat'],
    ...['unix', 'unixtimestamp', 'windowstart', 'tsrecv', 'tsevent', 'siptimestamp', 'quotetimestamp', 'ratedatetime'],
    ...['transactiontime', 'transacttime', 'date', 'gmttime', 'localtime', 'timeutc', 'timestampms', 't', ''],
  ],
  bid: ['bid', 'bidclose', 'closebid', 'bidc', 'bidprice', 'bestbid', 'bestbidprice', 'ratebid', 'bidpx00'],
  ask: ['ask', 'askclose', 'closeask', 'askc', 'askprice', 'bestask', 'bestaskprice', 'rateask', 'askpx00'],
  price: ['close', 'c', 'closeprice', 'closelast', 'last', 'lastprice', 'price', 'mid', 'midclose', 'midc'],
  low: ['low', 'l', 'lowprice', 'midlow', 'midl'],
  high: ['high', 'h', 'highprice', 'midhigh', 'midh'],
  open: ['open', 'o', 'openprice', 'midopen', 'mido'],
} as const;

/** Titles of the quotes that Kairos exports: only together, since others may call their bids `buy price`. */
export const OWN = { time: 'arrivedat', bid: 'sellprice', ask: 'buyprice' } as const;

/** Titles of the bars of one side, as an export of candles writes them. */
export const ONE_SIDE = {
  bid: { price: 'bidclose', low: 'bidlow', high: 'bidhigh', open: 'bidopen' },
  ask: { price: 'askclose', low: 'asklow', high: 'askhigh', open: 'askopen' },
} as const;

/** Rows that are looked at before a file without a header is taken for something. */
const SAMPLE = 50;

/** What a file without a header is, by what most of its first rows are: a few bad ones change nothing, and who reads the rows tells them. */
export function headlessIn(lines: readonly (readonly string[])[], named?: FormatName) {
  const rows = lines.filter((cells) => cells.length > 1).slice(0, SAMPLE);
  const width = most(rows.map((cells) => cells.length)) ?? 0;
  // Four equal prices fit any order of columns.
  const told = rows.filter((cells) => new Set(cells.slice(1, 5)).size > 1);
  const telling = told.length > 0 ? told : rows;
  const known = FORMATS.flatMap((format) =>
    format.columns && (named ?? format.name) === format.name ? [{ ...format, columns: format.columns }] : [],
  );
  const counts = known.map((format) => telling.filter((cells) => fits(cells, format)).length);
  const highest = Math.max(0, ...counts);
  const isKnown = named !== undefined || (highest > 0 && 2 * highest >= telling.length);
  return { format: isKnown ? known[counts.indexOf(highest)] : undefined, width };
}

/** True for a row of a format: as wide, with a time in its place, and with prices that can be those of one bar or quote. */
function fits(
  cells: readonly string[],
  { columns, widths = [columns.length], time = /\d/ }: Pick<Format, 'widths' | 'time'> & Required<Pick<Format, 'columns'>>,
) {
  const text = (role: string): string => cells[columns.indexOf(role)] ?? '';
  const number = (role: string): number => Number(text(role).replace(',', '.'));
  if (!widths.includes(cells.length) || !time.test(text('time'))) return false;
  if (columns.includes('clock') && !/^\d{1,2}:\d{2}/.test(text('clock'))) return false;
  if (columns.includes('bid')) return number('bid') > 0 && number('ask') >= number('bid') && number('ask') < 1.1 * number('bid');
  if (columns.includes('price')) return number('price') > 0;
  const [open, high, low, close] = [number('open'), number('high'), number('low'), number('close')];
  return low > 0 && low <= Math.min(open, close) && high >= Math.max(open, close);
}

/** The value that is there most often; of several the first. */
function most<Value>(values: readonly Value[]): Value | undefined {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const highest = Math.max(...counts.values());
  return [...counts].find(([, count]) => count === highest)?.[0];
}
