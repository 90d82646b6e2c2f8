import { z } from 'zod';
import { DAY_MS, instantOf } from '#domain/utc-day.ts';
import { textLike } from '#server/control/bodies.ts';
import { TRADE_SORTS } from './history-view.ts';
import { REPLAY_STEPS } from './replay-view.ts';

const DAY_POINTS = 600;
const MAX_POINTS = 5_000;
const ROWS = 100;
const MAX_ROWS = 1_000;
const MAX_CHART_MS = 31 * DAY_MS;
const BARS = 300;
const MAX_BARS = 2_000;
const MAX_COMPARED = 6;
const MAX_SEARCH = 100;

/** A name that cannot leave its folder: no slash, not only dots. */
const name = textLike(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, 'be a name of letters, digits, dots, dashes and underscores');
const file = textLike(/^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._-]{0,127}\.html$/, 'be a file name such as report-20260101T000000Z.html');
const nameOrAny = name.nullable().default(null);
const run = name.default('last');
/** Names with commas between. */
const names = z.coerce
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(name));
const namesOrAny = names.nullable().default(null);

const TIME = 'be a time such as 2026-01-01T00:00:00Z';
/** In milliseconds since 1970. */
const time = textLike(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, TIME)
  .transform(instantOf)
  .refine((at) => !Number.isNaN(at), `must ${TIME}`);
const timeOrNone = time.nullable().default(null);

function whole(least: number, most: number) {
  const must = `be a whole number from ${least} to ${most}`;
  return textLike(/^\d{1,16}$/, must)
    .transform(Number)
    .refine((number) => number >= least && number <= most, `must ${must}`);
}
const row = whole(0, Number.MAX_SAFE_INTEGER);
const rowOrNone = row.nullable().default(null);
const rows = whole(1, MAX_ROWS).default(ROWS);

const oneOf = <const Words extends readonly string[]>(words: Words) => z.enum(words, `must be one of ${words.join(', ')}`);
const flag = oneOf(['true', 'false'])
  .default('false')
  .transform((word) => word === 'true');

const tradeFilter = z.strictObject({
  strategy: nameOrAny,
  product: nameOrAny,
  outcome: oneOf(['won', 'lost']).nullable().default(null),
  sort: oneOf(TRADE_SORTS).default('closed'),
  order: oneOf(['asc', 'desc']).default('desc'),
});

const asKind =
  <const Kind extends string>(kind: Kind) =>
  <Asked extends object>(asked: Asked) => ({ kind, ...asked });

/** Queries of the past, which `readBody` reads from the parameters of a request. */
export const ASKS = {
  equity: z.strictObject({ run }).transform(asKind('equity')),
  prices: z
    .strictObject({ run, strategy: name, from: timeOrNone, to: timeOrNone, points: whole(2, MAX_POINTS).default(DAY_POINTS) })
    .transform(asKind('prices')),
  /** Rows between two, of some kinds alone, or of all but some. */
  decisions: z
    .strictObject({ before: rowOrNone, after: rowOrNone, limit: rows, strategy: nameOrAny, kind: namesOrAny, without: namesOrAny })
    .transform(({ kind: kinds, ...asked }) => ({ kind: 'decisions' as const, kinds, ...asked })),
  trades: tradeFilter
    .extend({ offset: row.default(0), limit: rows })
    .transform(({ order, ...asked }) => ({ kind: 'trades' as const, isUpwards: order === 'asc', ...asked })),
  tradesCsv: tradeFilter.transform(({ order, ...asked }) => ({ kind: 'trades-csv' as const, isUpwards: order === 'asc', ...asked })),
  profit: z.object({}).transform(asKind('profit')),
  /** With `run` as its strategies were at `to`; else with all that came later. */
  chart: z
    .strictObject({ product: name, from: time, to: time, bars: whole(2, MAX_BARS).default(BARS), refusals: flag, run: nameOrAny })
    .refine(({ from, to }) => from < to && to - from <= MAX_CHART_MS, 'a chart needs from= before to=, at most 31 days apart')
    .transform(asKind('chart')),
  /** At a time or a row, or at the begin of the run; from there to the next row of a kind, or back to the last one. */
  replay: z
    .strictObject({ run, at: timeOrNone, seq: rowOrNone, to: oneOf(REPLAY_STEPS).nullable().default(null), back: flag })
    .refine(({ at, seq }) => at === null || seq === null, 'a replay takes at or seq, not both')
    .transform(asKind('replay')),
  replayMarks: z.strictObject({ run }).transform(asKind('replay-marks')),
  order: z.strictObject({ order: name }).transform(asKind('order')),
  runs: z.object({}).transform(asKind('runs')),
  /** The report of a run, or one in a file of the folder of reports, as a page of HTML. */
  runReport: z.strictObject({ run }).transform(asKind('run-report')),
  reportFile: z.strictObject({ name: file }).transform(asKind('report-file')),
  /** Runs side by side, as a page of HTML. */
  comparison: z
    .strictObject({ runs: names.default([]).transform((all) => [...new Set(all)]) })
    .refine(({ runs }) => runs.length >= 2 && runs.length <= MAX_COMPARED, `a comparison needs runs=A,B: two runs to ${MAX_COMPARED}`)
    .transform(asKind('comparison')),
  /** A page of the documentation, as HTML. */
  document: z.strictObject({ '*': z.string() }).transform(({ '*': document }) => ({ kind: 'document' as const, name: document })),
  /** What a search in the documentation finds, as HTML; without words the page that leads to all others. */
  search: z
    .strictObject({ q: z.string().catch('') })
    .transform(({ q }) =>
      q.trim() === '' ? { kind: 'document' as const, name: '' } : { kind: 'search' as const, words: q.slice(0, MAX_SEARCH) },
    ),
};

export type HistoryAsk = z.output<(typeof ASKS)[keyof typeof ASKS]>;

/** Of which strategy the parameters are told that a sweep can vary. */
export const strategyAsk = z.strictObject({ strategy: name });
