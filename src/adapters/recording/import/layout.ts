import { formatByTitles, headlessIn, ONE_SIDE, OWN, USUAL } from './formats.ts';
import { subjectsIn } from './one-subject.ts';
import { type ColumnMap, OPTIONS_MEND, type PriceIs } from './row.ts';

/** Where the wanted columns of a file are, by their places, and what they are called. -1: there is none. */
export interface Layout {
  /** `ticks`, or what kind of bars. */
  readonly format: string;
  readonly isBars: boolean;
  /** Lines before the first row. */
  readonly skip: number;
  /** True where columns were found by their titles, so that options can name others. */
  readonly hasTitles: boolean;
  readonly titles: readonly string[];
  /** So many a whole row has. */
  readonly columns: number;
  readonly time: number;
  /** Hours and minutes where the date has a column of its own. */
  readonly clock: number;
  readonly bid: number;
  /** The same as `bid` where there is one price alone. */
  readonly ask: number;
  /** True where bid and ask, which nobody named, stand beside the prices of a bar: they may be of its begin or of its end. */
  readonly isBesideBars: boolean;
  /** Which one a lone price is, where its title says so. */
  readonly priceIs?: PriceIs;
  readonly low: number;
  readonly high: number;
  readonly open: number;
  /** The column of distances from bid to ask, where they are used. */
  readonly spreads: number;
  /** The same by its title, used or not. */
  readonly spreadsSeen: number;
  /** 0 in it: the bar is not over. */
  readonly whole: number;
  /** True where an empty cell of a side says that it stands, as in MetaTrader's ticks, which have flags of what changed. */
  readonly keepsSides: boolean;
  /** True where prices without a point count billionths, as Databento writes them. */
  readonly countsBillionths: boolean;
  /** These say what prices are of: the same in all rows. */
  readonly subjects: readonly number[];
}

/** Why columns cannot be told, and at which line of the file. */
export interface LayoutFault {
  readonly line: number;
  readonly what: string;
}

type ColumnRole = 'time' | 'bid' | 'ask' | 'price' | 'low' | 'high' | 'open' | 'spread';

/** Finds the columns of a file by its first lines, split into cells. */
export function layoutOf(lines: readonly (readonly string[])[], map: ColumnMap): Layout | LayoutFault {
  const some = lines.findIndex((cells) => cells.length > 0);
  if (lines.every((cells) => cells.length <= 1)) return { line: some + 1, what: unseparated(lines[some]?.[0] ?? '') };
  const first = lines.findIndex((cells) => cells.length >= 3);
  const at = Math.max(0, first);
  const cells = lines[at] ?? [];
  if (isHeader(cells)) return titled(lines, at, map);
  const { format, width } = headlessIn(lines.slice(at), map.format);
  if (!format)
    return {
      line: at + 1,
      what: `the file has no header, and its ${width} columns are those of no known format: add a header, or name --format; ${KNOWN}`,
    };
  const roles = format.columns;
  if (map.spread !== undefined)
    return {
      line: at + 1,
      what: `the file has no header, so that no column is called '${map.spread}': add a header, or take --spread-bps`,
    };
  const place = (...wanted: readonly string[]): number => roles.findIndex((role) => wanted.includes(role));
  const [bid, ask] = [place('bid', 'close', 'price'), place('ask', 'close', 'price')];
  const last = Math.max(bid, ask, place('high'), place('low'));
  if (width <= last) return { line: at + 1, what: `has ${width} columns, too few for the format ${format.name}` };
  return {
    format: format.name,
    isBars: roles.includes('close'),
    // A row that was cut short is a row.
    skip: lines.findIndex((row, line) => line === at || (row.length > 1 && /^\d/.test(row[0] ?? ''))),
    hasTitles: false,
    titles: Array.from({ length: width }, (_, column) => (roles[column] ?? '-').replace(/^-$/, `column ${column + 1}`)),
    columns: width,
    time: place('time'),
    clock: place('clock'),
    bid,
    ask,
    low: place('low'),
    high: place('high'),
    open: place('open'),
    isBesideBars: false,
    spreads: -1,
    spreadsSeen: -1,
    whole: place('whole'),
    keepsSides: false,
    countsBillionths: false,
    subjects: roles.includes('pair') ? [place('pair')] : [],
  };
}

const unseparated = (line: string): string =>
  `no comma, semicolon, tab or bar separates columns in '${line.slice(0, 40)}': write the file with one of them`;

const KNOWN = 'kairos data formats lists what is known';

/** By the titles of a line; of yfinance, by those of three: the third has that of times, and the second one ticker. */
function titled(lines: readonly (readonly string[])[], at: number, map: ColumnMap): Layout | LayoutFault {
  const [cells = [], [mark, ...tickers] = [], [time = ''] = []] = lines.slice(at, at + 3);
  if (mark !== 'Ticker') return byTitles(cells, { at, rows: lines.slice(at + 1), map });
  const other = tickers.find((one) => one !== tickers[0]);
  if (other !== undefined)
    return {
      line: at + 2,
      what: `has prices of '${tickers[0]}' and '${other}', and an import has those of one: keep the columns of one alone`,
    };
  return byTitles([time, ...cells.slice(1)], { at: at + 2, rows: lines.slice(at + 3), map });
}

/** The columns that are needed and not there. */
function lackingIn(found: {
  readonly time: number;
  readonly bid: number;
  readonly ask: number;
  readonly isSided: boolean;
  readonly isOhlc: boolean;
}): readonly Lacking[] {
  const { time, bid, ask, isSided, isOhlc } = found;
  return [
    ...(time < 0 ? [['time', 'time'] as const] : []),
    ...(isOhlc ? [['close', 'price'] as const] : isSided && bid < 0 ? [['bid', 'bid'] as const] : []),
    ...(isSided && bid >= 0 && ask < 0 ? [['ask', 'ask'] as const] : []),
  ];
}

/** Finds the columns of a file by their titles. */
export function byTitles(
  titles: readonly string[],
  { at, rows, map }: { readonly at: number; readonly rows: readonly (readonly string[])[]; readonly map: ColumnMap },
): Layout | LayoutFault {
  const plain = titles.map(plainTitle);
  let fault: LayoutFault | undefined;
  const named = (wanted: ColumnRole): number | undefined => {
    const name = map[wanted];
    if (name === undefined) return undefined;
    const column = titles.indexOf(name);
    if (column < 0) fault ??= missing(name, wanted);
    return column;
  };
  const known = titles.slice(0, 20).join(', ').slice(0, 200);
  const missing = (name: string, wanted: ColumnRole): LayoutFault => ({ line: at + 1, what: lackingText([[name, wanted]], known, map) });
  const usual = (names: readonly string[]): number => names.map((name) => plain.indexOf(name)).find((column) => column >= 0) ?? -1;
  const isOwn = Object.values(OWN).every((title) => plain.includes(title));
  const found = (wanted: keyof typeof OWN): number => named(wanted) ?? usual(isOwn ? [OWN[wanted]] : USUAL[wanted]);
  const date = named('time') ?? usual(DATES);
  const clock = clockBeside(date, plain, rows);
  const time = clock < 0 ? found('time') : date;
  const price = named('price');
  const [bid, ask] = price === undefined ? [found('bid'), found('ask')] : [-1, -1];
  const side = price === undefined && map.bid === undefined && map.ask === undefined ? oneSideOf(plain) : undefined;
  const titlesOf = (wanted: 'price' | 'low' | 'high' | 'open'): readonly string[] => (side ? [ONE_SIDE[side][wanted]] : USUAL[wanted]);
  const single = price ?? (side || (bid < 0 && ask < 0) ? usual(titlesOf('price')) : -1);
  const isSided = single < 0;
  const low = named('low') ?? usual(isSided ? ['bidlow', 'lowbid', 'bidl'] : titlesOf('low'));
  const high = named('high') ?? usual(isSided ? ['askhigh', 'highask', 'askh'] : titlesOf('high'));
  const open = named('open') ?? (isSided ? -1 : usual(titlesOf('open')));
  const spread = named('spread');
  if (fault) return fault;
  // Bars whose last price is not found, and not quotes without a bid.
  const isOhlc = isSided && bid < 0 && ask < 0 && usual(USUAL.low) >= 0 && usual(USUAL.high) >= 0;
  const lacking = lackingIn({ time, bid, ask, isSided, isOhlc });
  if (lacking.length > 0) return { line: at + 1, what: lackingText(lacking, known, map) };
  const looksLikeBars = map.format === undefined && (low < 0 || high < 0) ? barsUnsaid(titles, single, rows) : undefined;
  if (looksLikeBars !== undefined) return { line: at + 1, what: looksLikeBars };
  const isBars = map.format !== undefined || (low >= 0 && high >= 0) || CLOSES.test(plain[isSided ? bid : single] ?? '');
  const format = map.format ?? (isBars ? (isSided ? 'bid and ask bars' : formatByTitles(plain)) : 'ticks');
  const spreadsSeen = plain.indexOf('spread');
  return {
    format,
    isBars,
    skip: at + 1,
    hasTitles: true,
    titles,
    columns: titles.findLastIndex((title) => title !== '') + 1,
    time,
    clock,
    bid: isSided ? bid : single,
    ask: isSided ? ask : single,
    isBesideBars: isSided && !isBars && map.bid === undefined && map.ask === undefined && areBarsIn(plain, rows),
    ...(side && { priceIs: side }),
    low,
    high,
    open,
    spreads: spread ?? (format === 'metatrader' && map.point !== undefined ? spreadsSeen : -1),
    spreadsSeen,
    whole: usual(['confirm', 'complete']),
    keepsSides: isSided && plain.includes('flags'),
    countsBillionths: plain.includes('publisherid'),
    subjects: subjectsIn(plain),
  };
}

type Lacking = readonly [name: string, wanted: ColumnRole];

/** What says that columns are missing, each with its mend. */
function lackingText(lacking: readonly Lacking[], known: string, { mends = OPTIONS_MEND }: Pick<ColumnMap, 'mends'>): string {
  const [[name, wanted] = ['time', 'time'] as const] = lacking;
  if (lacking.length === 1) return `no column '${name}' in the header (${known}); ${mends.column(wanted)}`;
  const all = lacking.map(([name, wanted]) => `no column '${name}' (${mends.column(wanted)})`);
  return `${all.join(' and ')} in the header (${known})${mends === OPTIONS_MEND ? `; ${KNOWN}` : ''}`;
}

/**
 * That a lone price is the last of four that are a bar in every row, the highest and the lowest among them, where nobody said so: as a
 * tick it would be known at the begin of its bar.
 */
function barsUnsaid(titles: readonly string[], close: number, rows: readonly (readonly string[])[]): string | undefined {
  if (close < 3) return undefined;
  const bars = rows
    .filter((cells) => cells.length > close)
    .map((cells) => cells.slice(close - 3, close + 1).map((cell) => Number(cell.replace(',', '.'))));
  const areBars = bars.every(
    ([open = 0, high = 0, low = 0, last = 0]) => low > 0 && high >= Math.max(open, last) && low <= Math.min(open, last),
  );
  if (bars.length < 2 || !areBars || bars.every(([, high, low]) => high === low)) return undefined;
  const [open, high, low] = titles.slice(close - 3, close);
  const range = `--high ${quotedTitle(high)} --low ${quotedTitle(low)} --open ${quotedTitle(open)}`;
  return `'${open}', '${high}', '${low}' and '${titles[close]}' are bars: name their range with ${range}`;
}

/** A title as it is typed behind an option. */
export const quotedTitle = (title = ''): string => (/^[\p{L}\d_]+$/u.test(title) ? title : `'${title}'`);

/** That the prices of a bar are there by their titles, or a last one by what stands beside it. */
function areBarsIn(plain: readonly string[], rows: readonly (readonly string[])[]): boolean {
  const placed = (names: readonly string[]): number => plain.findIndex((title) => names.includes(title));
  const last = placed(USUAL.price);
  return (last >= 0 && placed(USUAL.low) >= 0 && placed(USUAL.high) >= 0) || barsUnsaid(plain, last, rows) !== undefined;
}

const CLOSES = /close|^c$/;

/** The side whose bars a file has, where it names no price of the other. */
function oneSideOf(plain: readonly string[]): 'bid' | 'ask' | undefined {
  const sides = (['bid', 'ask'] as const).filter((side) => plain.some((title) => title.includes(side)));
  const [side] = sides;
  return sides.length === 1 && side && Object.values(ONE_SIDE[side]).every((title) => plain.includes(title)) ? side : undefined;
}

/** Titles of a date that has its time of day in another column. */
const DATES = ['date', 'dtyyyymmdd'];

/** The times of day beside a column of dates alone, in most rows: with colons, or under a title of times without. -1: there is none. */
function clockBeside(date: number, plain: readonly string[], rows: readonly (readonly string[])[]): number {
  const whole = rows.filter((cells) => cells.length > 1);
  const isMostly = (column: number, form: RegExp): boolean =>
    2 * whole.filter((cells) => form.test(cells[column] ?? '')).length > whole.length;
  if (!isMostly(date, /^(\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{8})$/)) return -1;
  return plain.findIndex(
    (title, column) =>
      column !== date && (isMostly(column, /^\d{1,2}:\d{2}/) || (title.includes('time') && isMostly(column, /^(\d{4}|\d{6})$/))),
  );
}

/** A title without case, marks, blanks, and what stands in brackets. */
export const plainTitle = (title: string): string =>
  title
    .toLowerCase()
    .replace(/\(.*\)/, '')
    .replace(/[^\p{L}\d]/gu, '');

/** A line of titles has no cell that is a price or a time, and names something. */
const isHeader = (cells: readonly string[]): boolean =>
  !cells.some((cell) => /^[\s"]*\d/.test(cell)) && !cells.every((cell) => NOTHING.test(cell));

/** How programs write that a cell has no value. */
const NOTHING = /^(null|nan|n\/?a|none|-|)$/i;
