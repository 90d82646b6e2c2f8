import { KairosError } from '#domain/errors.ts';
import { DAY_MS } from '#domain/utc-day.ts';
import { TRADE_SORTS, type TradeSort } from './history-view.ts';
import { REPLAY_STEPS, type ReplayStep } from './replay-view.ts';

/** The filter of round trips; null matches any. */
export interface TradeFilter {
  readonly strategy: string | null;
  readonly product: string | null;
  readonly outcome: 'won' | 'lost' | null;
  readonly sort: TradeSort;
  readonly isUpwards: boolean;
}

/** The page's checked queries of the past. Times are milliseconds since 1970. */
export type HistoryAsk =
  | { readonly kind: 'equity'; readonly run: string }
  | {
      readonly kind: 'prices';
      readonly run: string;
      readonly strategy: string;
      readonly from: number | null;
      readonly to: number | null;
      readonly points: number;
    }
  | {
      readonly kind: 'decisions';
      readonly before: number | null;
      /** Only rows after this one; null: back to the first. */
      readonly after: number | null;
      readonly limit: number;
      readonly strategy: string | null;
      /** Of these kinds alone, or of all but some; null: of every kind. */
      readonly kinds: readonly string[] | null;
      readonly without: readonly string[] | null;
    }
  | (TradeFilter & { readonly kind: 'trades'; readonly offset: number; readonly limit: number })
  | (TradeFilter & { readonly kind: 'trades-csv' })
  | { readonly kind: 'profit' }
  | {
      readonly kind: 'chart';
      readonly product: string;
      readonly from: number;
      readonly to: number;
      readonly bars: number;
      readonly refusals: boolean;
      /** The run whose strategies it is about, as it was at `to`; null: the last one, with all that came later. */
      readonly run: string | null;
    }
  | {
      readonly kind: 'replay';
      readonly run: string;
      /** A time or a row to be at; null for both: the begin of the run. */
      readonly at: number | null;
      readonly seq: number | null;
      /** The next row of a kind from there, or the last one; null: stay. */
      readonly to: ReplayStep | null;
      readonly back: boolean;
    }
  | { readonly kind: 'replay-marks'; readonly run: string }
  | { readonly kind: 'order'; readonly order: string }
  | { readonly kind: 'runs' }
  /** The report of a run, or one in a file of the folder of reports, as a page of HTML. */
  | { readonly kind: 'run-report'; readonly run: string }
  /** Runs side by side, as a page of HTML. */
  | { readonly kind: 'comparison'; readonly runs: readonly string[] }
  | { readonly kind: 'report-file'; readonly name: string }
  /** A page of the documentation, as HTML. */
  | { readonly kind: 'document'; readonly name: string }
  /** What a search in the documentation finds, as HTML. */
  | { readonly kind: 'search'; readonly words: string };

type Query = Readonly<Record<string, unknown>>;

/** A file name that cannot leave its folder: no slash, not only dots. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const FILE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}\.html$/;

const DAY_POINTS = 600;
const MAX_POINTS = 5_000;
const ROWS = 100;
const MAX_ROWS = 1_000;

export const equityAsk = (query: Query): HistoryAsk => ({ kind: 'equity', run: runIn(only(query, 'run').run) });

/** Reads the query of `/api/history/prices`. Throws USAGE naming the parameter at fault. */
export function pricesAsk(query: Query): HistoryAsk {
  const { run, strategy, from, to, points } = only(query, 'run strategy from to points');
  return {
    kind: 'prices',
    run: runIn(run),
    strategy: named('strategy', strategy),
    from: timeIn('from=', from),
    to: timeIn('to=', to),
    points: wholeIn('points', points, { least: 2, most: MAX_POINTS }) ?? DAY_POINTS,
  };
}

/** Reads the query of `/api/history/decisions`. Throws USAGE naming the parameter at fault. */
export function decisionsAsk(query: Query): HistoryAsk {
  const { before, after, limit, strategy, kind, without } = only(query, 'before after limit strategy kind without');
  return {
    kind: 'decisions',
    before: wholeIn('before', before, { least: 0, most: Number.MAX_SAFE_INTEGER }),
    after: wholeIn('after', after, { least: 0, most: Number.MAX_SAFE_INTEGER }),
    limit: wholeIn('limit', limit, { least: 1, most: MAX_ROWS }) ?? ROWS,
    strategy: strategy === undefined ? null : named('strategy', strategy),
    kinds: listed('kind', kind),
    without: listed('without', without),
  };
}

/** Reads the query of `/api/history/trades`. Throws USAGE naming the parameter at fault. */
export function tradesAsk(query: Query): HistoryAsk {
  const { offset, limit, ...filter } = only(query, `${TRADE_FILTER} offset limit`);
  return {
    kind: 'trades',
    ...tradeFilter(filter),
    offset: wholeIn('offset', offset, { least: 0, most: Number.MAX_SAFE_INTEGER }) ?? 0,
    limit: wholeIn('limit', limit, { least: 1, most: MAX_ROWS }) ?? ROWS,
  };
}

export const tradesCsvAsk = (query: Query): HistoryAsk => ({ kind: 'trades-csv', ...tradeFilter(only(query, TRADE_FILTER)) });

const TRADE_FILTER = 'strategy product outcome sort order';

function tradeFilter({ strategy, product, outcome, sort, order }: Query): TradeFilter {
  return {
    strategy: strategy === undefined ? null : named('strategy', strategy),
    product: product === undefined ? null : named('product', product),
    outcome: outcome === undefined ? null : oneOf('outcome', outcome, ['won', 'lost']),
    sort: sort === undefined ? 'closed' : oneOf('sort', sort, TRADE_SORTS),
    isUpwards: order !== undefined && oneOf('order', order, ['asc', 'desc']) === 'asc',
  };
}

function oneOf<const Word extends string>(what: string, word: unknown, words: readonly Word[]): Word {
  const found = words.find((one) => one === word);
  if (found !== undefined) return found;
  throw usage(`${what} must be one of ${words.join(', ')}`);
}

/** Reads the query of `/api/history/chart`. Throws USAGE naming the parameter at fault. */
export function chartAsk(query: Query): HistoryAsk {
  const { product, from, to, bars, refusals, run } = only(query, 'product from to bars refusals run');
  const begin = timeIn('from=', from);
  const end = timeIn('to=', to);
  if (begin === null || end === null || begin >= end || end - begin > MAX_CHART_MS)
    throw usage('a chart needs from= and to=, times such as 2026-01-01T00:00:00Z, at most 31 days apart');
  return {
    kind: 'chart',
    product: named('product', product),
    from: begin,
    to: end,
    bars: wholeIn('bars', bars, { least: 2, most: MAX_BARS }) ?? BARS,
    refusals: isTrue('refusals', refusals),
    run: run === undefined ? null : runIn(run),
  };
}

/** Reads the query of `/api/replay`. Throws USAGE naming the parameter at fault. */
export function replayAsk(query: Query): Extract<HistoryAsk, { kind: 'replay' }> {
  const { run, at, seq, to, back } = only(query, 'run at seq to back');
  if (at !== undefined && seq !== undefined) throw usage('a replay takes at or seq, not both');
  return {
    kind: 'replay',
    run: runIn(run),
    at: timeIn('at=', at),
    seq: wholeIn('seq', seq, { least: 0, most: Number.MAX_SAFE_INTEGER }),
    to: to === undefined ? null : oneOf('to', to, REPLAY_STEPS),
    back: isTrue('back', back),
  };
}

/** Where orders and alarms of a run are. Throws USAGE. */
export const replayMarksAsk = (query: Query): Extract<HistoryAsk, { kind: 'replay-marks' }> => ({
  kind: 'replay-marks',
  run: runIn(only(query, 'run').run),
});

const isTrue = (what: string, word: unknown): boolean => word !== undefined && oneOf(what, word, ['true', 'false']) === 'true';

const MAX_CHART_MS = 31 * DAY_MS;
const BARS = 300;
const MAX_BARS = 2_000;

export const orderAsk = (order: string): HistoryAsk => ({ kind: 'order', order: named('the order', order) });

export const runReportAsk = (run: string): HistoryAsk => ({ kind: 'run-report', run: runIn(run) });

/** Reads the query of `/api/compare`. Throws USAGE unless it names two runs to six. */
export function comparisonAsk(query: Query): HistoryAsk {
  const runs = [...new Set(listed('runs', only(query, 'runs').runs) ?? [])];
  if (runs.length >= 2 && runs.length <= MAX_COMPARED) return { kind: 'comparison', runs };
  throw usage(`a comparison needs runs=A,B: two runs to ${MAX_COMPARED}`);
}

const MAX_COMPARED = 6;

/** Reads the name of a report's file. Throws USAGE for any other name, also one that leads out of the folder. */
export function reportFileAsk(name: string): HistoryAsk {
  if (FILE.test(name) && !name.includes('..')) return { kind: 'report-file', name };
  throw usage('the report must be a file name such as report-20260101T000000Z.html');
}

/** Reads the query of what a sweep can vary. Throws USAGE. */
export const strategyAsk = (query: Query): string => named('strategy', only(query, 'strategy').strategy);

/** Reads the query of `/docs`: a search, or none for the page that leads to all others. Throws USAGE. */
export function docsAsk(query: Query): HistoryAsk {
  const { q } = only(query, 'q');
  return typeof q === 'string' && q.trim() !== '' ? { kind: 'search', words: q.slice(0, MAX_SEARCH) } : { kind: 'document', name: '' };
}

const MAX_SEARCH = 100;

const runIn = (run: unknown): string => named('run', run ?? 'last');

/** Names with commas between; null where nothing is said. */
function listed(what: string, names: unknown): readonly string[] | null {
  if (names === undefined) return null;
  return String(names)
    .split(',')
    .map((name) => named(what, name));
}

function named(what: string, name: unknown): string {
  if (typeof name === 'string' && NAME.test(name)) return name;
  throw usage(`${what} must be a name of letters, digits, dots, dashes and underscores`);
}

function timeIn(what: string, text: unknown): number | null {
  if (text === undefined) return null;
  const at = typeof text === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) throw usage(`${what} must be a time such as 2026-01-01T00:00:00Z`);
  return at;
}

function wholeIn(what: string, text: unknown, { least, most }: { readonly least: number; readonly most: number }): number | null {
  if (text === undefined) return null;
  const number = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw usage(`${what} must be a whole number from ${least} to ${most}`);
}

/** `known`: names with a space between. */
function only(query: Query, known: string): Query {
  const foreign = Object.keys(query).find((name) => !known.split(' ').includes(name));
  if (foreign === undefined) return query;
  throw usage(`unknown parameter ${JSON.stringify(foreign.slice(0, 50))}; there are ${known.split(' ').join(', ')}`);
}

const usage = (text: string): KairosError => new KairosError('USAGE', text);
