import { createHash } from 'node:crypto';
import type { Millis } from '#domain/names.ts';
import { oncePer } from '#domain/once-per.ts';
import type { PriceColumns, QuoteColumns } from '#domain/quote-columns.ts';
import { benchmarks } from './benchmark/benchmarks.ts';
import type { CoinFlips } from './benchmark/coin-flip.ts';
import { largestPositions } from './benchmark/largest-positions.ts';
import { beyondRecorded, worseShares } from './beyond-recorded.ts';
import { type Convention, conventionsOf } from './conventions.ts';
import { tradedMs } from './equity/empty-times.ts';
import type { Equity } from './equity/equity-value.ts';
import { RateTable } from './equity/rates.ts';
import { metricIn, type Section } from './figures.ts';
import { type Headline, note } from './headline.ts';
import { headlines } from './headlines.ts';
import { inheritedNote } from './inherited.ts';
import { heldAgainstLuck, type TrialStatistics } from './luck.ts';
import { costsOf } from './metrics/costs.ts';
import { breakEvenLatency, type LatencyPoint, latencyOf } from './metrics/latency.ts';
import { type Metric, missing } from './metrics/metric.ts';
import { YEAR_DAYS } from './metrics/returns.ts';
import { signalAge } from './metrics/signal-age.ts';
import type { Significance } from './metrics/significance.ts';
import { decisionsSeen, type Halt, type OrderHistory, type ReasonTally } from './order-history.ts';
import { orderQuotes } from './order-quotes.ts';
import { type Month, monthsOf } from './periods.ts';
import { type PriceChart, priceCharts } from './price-chart.ts';
import { fillQuality, quotesSeen } from './quality.ts';
import type { RunRecord } from './record.ts';
import type { SearchView } from './search-view.ts';
import { costSection } from './sections/costs.ts';
import { latencySection, qualitySection, signalSections } from './sections/orders.ts';
import { returnSection, wholeDays } from './sections/result.ts';
import { tradeSections } from './sections/trades.ts';
import { stoppedWords } from './stopped-words.ts';
import { playedOf, summaryOf } from './summary.ts';
import { tradeRatesNote } from './trade-rates.ts';
import { apartWords, grouped, type OpenPosition, openPositions, type ReportedTrade, reportedTrades, type TradeGroup } from './trades.ts';
import { reportCurrency, runEquity, tripsOfRun } from './valued.ts';

/** What a run is reported with. */
export interface ReportOptions {
  /** Annual risk-free rate, as a share; 0 without it. */
  readonly riskFree?: number;
  /** Seed of the bootstrap and of the coins; the run's id without it. */
  readonly seed?: string;
  /** Results among which this one was chosen; it alone without it. */
  readonly tried?: TrialStatistics | undefined;
  /** Those trials as people read them. */
  readonly trialTable?: TextTable;
  /** What a search found, of which this is the trial that stands first. */
  readonly search?: SearchView;
  /** Orders that a backtest filled by a model, because their size was not recorded. */
  readonly modelled?: ReadonlySet<string>;
  /** Profit of the same run at other latencies, by latency. */
  readonly latencies?: readonly LatencyPoint[];
  /** What the maker of the result knows besides, such as how fills were made. */
  readonly headlines?: readonly Headline[];
  /** How often each strategy was asked to decide; absent where that is not known, as of a run in its journal. */
  readonly asked?: Readonly<Record<string, number>>;
  /** Recorded lanes that a backtest played for strategies; absent: all there are. */
  readonly lanes?: ReadonlySet<string>;
  /** The quotes of amounts that a backtest played by a model: what is held is valued by them as well. */
  readonly modelledLanes?: readonly PriceColumns[];
  /** Quotes that a backtest played; absent: all there are. */
  readonly quotes?: number;
  /** What a halt did to the rest of a backtest. */
  readonly onHalt?: 'end' | 'continue';
  /** True: values are followed quote by quote. The same comes of it, more slowly. */
  readonly everyQuote?: boolean;
}

/** A table for people. */
export interface TextTable {
  /** Lines above and below it. */
  readonly above: string;
  readonly below: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Everything that a report says of a run; text, JSON and page are made from it. */
export interface RunReport {
  readonly run: Pick<
    RunRecord,
    'run' | 'book' | 'mode' | 'version' | 'configHash' | 'config' | 'startedAt' | 'endedAt' | 'endState' | 'isRunning' | 'strategies'
  >;
  /** What came of it, in one sentence. */
  readonly summary: string;
  /** What was played, in one line: strategies with their parameters and products. */
  readonly title: string;
  /** Each strategy of it. */
  readonly played: readonly string[];
  /** Its length without empty times. */
  readonly tradedMs: Millis;
  /** What must be read first. */
  readonly headlines: readonly Headline[];
  readonly currency: string;
  readonly verdict: Significance;
  readonly sections: readonly Section[];
  readonly conventions: readonly Convention[];
  /** A text: why there is none. */
  readonly equity: Equity | string;
  /** All capital in what was traded. */
  readonly buyAndHold: Equity | string;
  /** As much as the largest position of each product, bought and held: of a run that was short the opposite. */
  readonly heldAtSize: Equity | string;
  readonly coinFlips: CoinFlips | string;
  readonly months: readonly Month[];
  readonly prices: readonly PriceChart[];
  readonly trades: readonly ReportedTrade[];
  readonly open: readonly OpenPosition[];
  readonly groups: {
    readonly byStrategy: readonly TradeGroup[];
    readonly byProduct: readonly TradeGroup[];
    readonly byTag: readonly TradeGroup[];
    readonly byExit: readonly TradeGroup[];
  };
  readonly refusals: readonly ReasonTally[];
  readonly halts: readonly Halt[];
  /** Times in which only exits passed. */
  readonly reducings: readonly Halt[];
  /** Every order, executed or not, in the order in which they were approved; first those of earlier runs that it was told the fill of. */
  readonly orders: readonly OrderHistory[];
  readonly latencies: readonly LatencyPoint[];
  /** Trials among which it was chosen; null where there were none. */
  readonly trials: TextTable | null;
  /** What the search found that chose it; null where there was none. */
  readonly search: SearchView | null;
}

/** The report of a run: a function of its journal, its recorded quotes and what was asked. */
export function makeReport(journaled: RunRecord, columns: readonly QuoteColumns[], options: ReportOptions = {}): RunReport {
  const read = readRun(journaled, columns, options);
  const { record, seen, equity, trades, open, currency } = read;
  const benchmark = benchmarkOf(read);
  const { held: buyAndHold, heldAtSize, coins: coinFlips } = benchmark;
  const returns = typeof equity === 'string' ? [] : wholeDays(equity);
  const luck = luckOf(read, returns);
  const { verdict } = luck;
  const length = tradedMs({ from: record.startedAt, to: record.endedAt }, typeof equity === 'string' ? [] : equity.empty);
  const { run, book, mode, version, configHash, config, startedAt, endedAt, endState, isRunning, strategies } = record;
  return {
    run: { run, book, mode, version, configHash, config, startedAt, endedAt, endState, isRunning, strategies },
    summary: summaryOf({
      ...{ record, seen, trades, open, equity, held: buyAndHold, heldAtSize },
      ...{ tradedMs: length, wholeDays: returns.length, verdict, trials: options.tried?.count ?? 1 },
    }),
    ...playedOf(record),
    tradedMs: length,
    headlines: headlinesOf(read),
    ...{ currency, verdict },
    sections: sectionsOf(read, { benchmark: benchmark.section, luck: luck.section }),
    conventions: conventionsOf({
      ...{ annual: read.annual, seed: read.seed, dataHash: dataHash(columns), days: returns.length },
      quotes: options.quotes ?? columns.reduce((sum, { length }) => sum + length, 0),
      ...{ decisions: seen.count, quality: read.quality, paths: luck.paths, coins: coinFlips, isBeyond: read.beyond.size > 0 },
    }),
    ...{ equity, buyAndHold, heldAtSize, coinFlips },
    months: typeof equity === 'string' ? [] : monthsOf(equity.days),
    prices: priceCharts({ orders: seen.orders, signals: seen.signals, columns, played: options.lanes, from: startedAt, to: endedAt }),
    ...{ trades, open },
    groups: {
      byStrategy: grouped(trades, ({ strategy }) => strategy),
      byProduct: grouped(trades, ({ product }) => product),
      byTag: grouped(trades, ({ tag }) => tag ?? '-'),
      byExit: grouped(trades, ({ exitReason }) => exitReason),
    },
    ...{ refusals: seen.tallies, halts: seen.halts, reducings: seen.reducings, orders: seen.orders },
    ...{ latencies: options.latencies ?? [], trials: options.trialTable ?? null, search: options.search ?? null },
  };
}

type RunEvidence = ReturnType<typeof readRun>;

/** What journal and quotes say of a run, before it is held against anything. */
function readRun(journaled: RunRecord, columns: readonly QuoteColumns[], options: ReportOptions) {
  const { everyQuote = false, modelledLanes = [], modelled = new Set<string>() } = options;
  const record = { ...journaled, endedAt: endOf(journaled, columns) };
  const seen = decisionsSeen(record.decisions, record);
  const quotes = orderQuotes(seen.orders, columns);
  const { currency, note: valuedIn } = reportCurrency(record, columns);
  const equity = runEquity(record, columns, { currency, everyQuote, played: options.lanes, modelled: modelledLanes });
  const books = tripsOfRun(record);
  // An exit by rule names the rule, then its figures, which no other trade has.
  const whyOf = new Map(seen.orders.map(({ order, why, tag }) => [order.id, tag === 'exit' ? why.replace(/: .*$/, '') : why]));
  const trades = reportedTrades({ trades: books.trades, columns, modelled: modelledLanes, currency, whyOf });
  return {
    ...{ record, columns, modelledLanes, options, seen, quotes, currency, valuedIn, equity, books, trades },
    seed: options.seed ?? record.run,
    annual: { periods: YEAR_DAYS, riskFree: options.riskFree ?? 0 },
    apart: apartWords(trades, currency),
    beyond: beyondRecorded(seen.orders, columns, modelled),
    quality: columns.length === 0 ? NO_QUOTES : fillQuality(seen.orders, quotes, modelled),
    open: openPositions(books.holdings, [...columns, ...modelledLanes], record.endedAt),
  };
}

const NO_QUOTES = 'no quotes were recorded';

/** What holding, and luck, would have come to. */
function benchmarkOf({
  record,
  seen,
  columns,
  modelledLanes,
  options,
  equity,
  trades,
  apart,
  open,
  currency,
  seed,
  annual,
  beyond,
}: RunEvidence) {
  return benchmarks({
    ...{ equity, open, columns, currency, seed, annual, modelled: modelledLanes, everyQuote: options.everyQuote ?? false },
    products: [...new Set(record.fills.map(({ product }) => product))],
    sizes: largestPositions(record),
    trades: apart === undefined ? trades : [],
    worse: worseShares(seen.orders, beyond),
  });
}

function luckOf({ record, seen, options, equity, trades, apart, seed, annual }: RunEvidence, returns: readonly number[]) {
  const stopped = stoppedWords(record.strategies, seen);
  return heldAgainstLuck({
    equity,
    returns,
    profits: apart ?? trades.map(({ profit }) => profit),
    seed,
    annual,
    tried: options.tried,
    stopped,
  });
}

function headlinesOf({
  record,
  columns,
  modelledLanes,
  options,
  seen,
  equity,
  books,
  trades,
  open,
  apart,
  valuedIn,
  quality,
}: RunEvidence) {
  const inherited = inheritedNote(trades, open, record.startedAt);
  const atRates =
    apart === undefined && typeof equity !== 'string'
      ? tradeRatesNote(books.trades, trades, { rates: new RateTable([...columns, ...modelledLanes]), equity })
      : undefined;
  return headlines({
    ...{ mode: record.mode, quality, seen, strategies: record.strategies, equity },
    ...(options.asked && { asked: options.asked }),
    ...(options.onHalt && { onHalt: options.onHalt }),
    valuedIn: valuedIn ?? apart,
    more: [...[inherited, atRates].flatMap((text) => (text === undefined ? [] : [note(text)])), ...(options.headlines ?? [])],
  });
}

function sectionsOf(
  { record, columns, options, seen, quotes, equity, trades, apart, currency, annual, seed, beyond, quality }: RunEvidence,
  { benchmark, luck }: { readonly benchmark: Section; readonly luck: Section },
): readonly Section[] {
  const costs = costsOf({ orders: seen.orders, columns, currency, ledger: record.ledger, beyond });
  const results = returnSection(equity, annual);
  const approved = seen.orders.filter(({ order }) => order.intentAt >= record.startedAt);
  const came = countsOf(approved.map(({ outcome }) => outcome));
  const haltedMs = seen.halts.reduce((sum, { from, to }) => sum + (to ?? record.endedAt) - from, 0);
  return [
    ...results,
    benchmark,
    ...tradeSections(trades, metricIn(results, 'days'), { apart, currency }),
    costSection(costs, averageOf(equity)),
    latencySection(latencyOf(seen.orders, quotes), breakEvenLatency(options.latencies ?? [])),
    ...signalSections(signalAge(seen.orders, columns, seed)),
    luck,
    qualitySection(
      quality,
      columns.length === 0 ? NO_QUOTES : { ...quotesSeen(columns), ...(options.quotes !== undefined && { seen: options.quotes }) },
      { ...came, all: approved.length, haltedMs },
    ),
  ];
}

/** A run that goes on, or crashed, was there at least until its last quote. */
function endOf({ endedAt, endState }: RunRecord, columns: readonly QuoteColumns[]): Millis {
  if (endState !== null && endState !== 'crashed') return endedAt;
  return columns.reduce((last, { at, length }) => Math.max(last, at[length - 1] ?? 0), endedAt);
}

function averageOf(equity: Equity | string): Metric {
  if (typeof equity === 'string') return missing(equity);
  const { days, capital } = equity;
  return days.length === 0 ? capital : (capital + days.reduce((sum, day) => sum + day.equity, 0)) / (days.length + 1);
}

function countsOf(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

/** Names the quotes that a report rests on: SHA-256 over times and prices of each lane. */
const dataHash = oncePer((columns: readonly QuoteColumns[]): string => {
  const hash = createHash('sha256');
  for (const { lane, length, at, buy, sell } of [...columns].sort((a, b) => (a.lane < b.lane ? -1 : 1))) {
    hash.update(`${lane} ${length} `);
    for (const column of [at, buy.price, sell.price]) hash.update(new Uint8Array(column.buffer, column.byteOffset, length * 8));
  }
  return hash.digest('hex').slice(0, 16);
});
