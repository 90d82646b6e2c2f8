import type { ImportRepeatedHours } from '#adapters/recording/manifest.ts';
import type { LocalToUtc } from '#domain/clock-change.ts';
import type { Decimal } from '#domain/decimal.ts';
import type { Millis } from '#domain/names.ts';

/** One line of a file of prices. The same object is used for each: what is to be kept is copied. */
export interface PriceRow {
  /** As the file has it: of a bar, its begin. */
  at: Millis;
  bid: number;
  /** As `bid` where the file has one price alone. */
  ask: number;
  /** Lowest bid of a bar; the bid where it is not known. */
  low: number;
  /** Highest ask of a bar; the ask where it is not known. */
  high: number;
  /** First price of a bar; no number where it is not known. */
  open: number;
}

/**
 * Why the prices of a row cannot be those of one bar; undefined where they can. Ask below bid is another matter. `hasTitles`: true where
 * options can name other columns.
 */
export function misshapen({ bid, ask, low, high, open }: PriceRow, { hasTitles }: { readonly hasTitles: boolean }): string | undefined {
  const swapped = hasTitles ? '; where columns are swapped, name them with --low and --high' : '';
  if (low > high && bid <= ask) return `low ${low} is above high ${high}${swapped}`;
  if (low > bid) return `last price ${bid} is below low ${low}`;
  if (high < ask) return `last price ${ask} is above high ${high}`;
  if (open < low || open > high) return `open ${open} is not between low ${low} and high ${high}`;
  return undefined;
}

/** Takes the rows of a file. Returns what is wrong with a row where that ends the import. */
export type TakeRow = (row: PriceRow) => string | undefined;

/** What becomes of lines that cannot be read. */
export type BadRows = 'fail' | 'drop';

/** Which one a lone price is: the bid, the ask, or the middle between them (a last price stands for that). */
export type PriceIs = 'mid' | 'bid' | 'ask';

/** What stands before decimals. */
export type DecimalSign = 'point' | 'comma';

/** Which columns of a file are what. A name that is absent is looked for among those that are usual. */
export interface ColumnMap {
  readonly time?: string | undefined;
  readonly bid?: string | undefined;
  readonly ask?: string | undefined;
  /** The one price of files that have no bid and ask: last, close or mid. */
  readonly price?: string | undefined;
  readonly low?: string | undefined;
  readonly high?: string | undefined;
  readonly open?: string | undefined;
  /** The distance from bid to ask, where there is one price a row. */
  readonly spread?: string | undefined;
  /** What one unit of that distance is worth in price; 1 unless said. */
  readonly point?: Decimal | undefined;
  /** Which one a lone price is; as the file's format has it unless said. */
  readonly priceIs?: PriceIs | undefined;
  readonly unit: TimeUnit;
  /** True where only the distances of times count, so that they may begin in any year. */
  readonly isRelative?: boolean;
  /** A known kind of file; found by its columns unless named. */
  readonly format?: FormatName | undefined;
  /** Which of a date such as 3/4/2026 is the day. */
  readonly dates?: 'dmy' | 'mdy' | undefined;
  /** What stands before the decimals of prices. The rows of a CSV tell it unless said. */
  readonly decimal?: DecimalSign | undefined;
  /** UTC of a time that names no zone, which is given as if it were UTC. UTC unless said. */
  readonly toUtc?: LocalToUtc | undefined;
  /** The zone of `toUtc`, as a person named it. */
  readonly zone?: string | undefined;
  /** The clocks of a zone that a file names; undefined, or an error of USAGE, for one that is not known. */
  readonly zones?: ((zone: string) => LocalToUtc | undefined) | undefined;
  /** Marked by who reads times, with what these say of their zone. */
  readonly clocks?: ZoneEvidence | undefined;
  readonly bad?: BadRows | undefined;
  /** How a person says what the file leaves open; as options of `data import` unless given. */
  readonly mends?: Mends | undefined;
}

/** What the times of a file say of their zone: each is true once there was one such. */
export interface ZoneEvidence {
  /** Counts since 1970 UTC. */
  counted: boolean;
  /** Dates that name their zone. */
  zoned: boolean;
  /** Dates that name none. */
  unzoned: boolean;
  /** Dates without a time of day. */
  dated: boolean;
}

/** Ends of errors. */
interface Mends {
  readonly column: (wanted: 'time' | 'bid' | 'ask' | 'price' | 'low' | 'high' | 'open' | 'spread') => string;
  readonly unit: string;
  readonly dates: string;
  /** Of prices whose sign is not the declared one, or, where none was, not known. */
  readonly decimal: (declared: DecimalSign | undefined) => string;
}

/** How errors say the mend to who uses `data import`. */
export const OPTIONS_MEND: Mends = {
  column: (wanted) => `name it with --${wanted}${wanted === 'bid' ? ', or one price for both sides with --price' : ''}`,
  unit: ' (--unit says which it is)',
  dates: 'add --dates dmy or mdy',
  decimal: (declared) =>
    declared === undefined
      ? 'add --decimal comma or point'
      : `write it with a ${declared}, or import with --decimal ${declared === 'comma' ? 'point' : 'comma'}`,
};

/** What a time column counts: units since 1970 UTC, or ISO 8601; `auto` tells them apart. */
export type TimeUnit = 'auto' | 's' | 'ms' | 'us' | 'ns' | 'iso';

/** Kinds of files that are known by name. */
export const FORMAT_NAMES = [
  ...(['ohlc', 'binance', 'bybit', 'coinbase', 'databento', 'dukascopy', 'gateio', 'histdata', 'kraken'] as const),
  ...(['metatrader', 'okx', 'tradestation', 'yahoo'] as const),
];
export type FormatName = (typeof FORMAT_NAMES)[number];

/** What a file has beside good rows: those that could not be read, with what was wrong with the first ones, and bars that are not over. */
export interface LinesLeft {
  readonly bad: number;
  readonly badRows: readonly string[];
  readonly unfinished: number;
  /** Rows of an hour that comes twice, where their order does not tell which one they are of; null where there are none. */
  readonly repeatedHours: ImportRepeatedHours | null;
}

/** Rows that could not be read and are told one by one. */
export const BAD_ROWS_TOLD = 10;
