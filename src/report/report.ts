import { createHash } from 'node:crypto';
import type { Millis } from '#domain/names.ts';
import type { PriceColumns, QuoteColumns } from '#domain/quote-columns.ts';
import { benchmarks } from './benchmark/benchmarks.ts';
import type { CoinFlips } from './benchmark/coin-flip.ts';
import { largestPositions } from './benchmark/largest-positions.ts';
import { beyondRecorded, worseShares } from './beyond-recorded.ts';
import { type Convention, conventionsOf } from './conventions.ts';
import { tradedMs } from './equity/empty-times.ts';
import type { Equity } from './equity/equity-value.ts';
import { Rates } from './equity/rates.ts';
import { metricIn, type Section } from './figures.ts';
import { type Headline, note } from './headline.ts';
import { headlines } from './headlines.ts';
import { inheritedNote } from './inherited.ts';
import { heldAgainstLuck, type Tried } from './luck.ts';
import { costsOf } from './metrics/costs.ts';
import { breakEvenLatency, type LatencyPoint, latencyOf } from './metrics/latency.ts';
import { type Metric, missing } from './metrics/metric.ts';
import { type Annual, YEAR_DAYS } from './metrics/returns.ts';
import { signalAge } from './metrics/signal-age.ts';
import type { Significance } from './metrics/significance.ts';
import { orderQuotes } from './order-quotes.ts';
import { decisionsSeen, type Halt, type OrderSeen, type ReasonTally } from './orders-seen.ts';
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
  readonly tried?: Tried | undefined;
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
  /** Its length without times that have no quotes. */
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
  /** The largest position of each product, held throughout. */
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
  /** Every order, executed or not, in the order in which they were approved. */
  readonly orders: readonly OrderSeen[];
  readonly latencies: readonly LatencyPoint[];
  /** Trials among which it was chosen; null where there were none. */
  readonly trials: TextTable | null;
  /** What the search found that chose it; null where there was none. */
  readonly search: SearchView | null;
}

/** The report of a run: a function of its journal, its recorded quotes and what was asked. */
export function makeReport(journaled: RunRecord, columns: readonly QuoteColumns[], options: ReportOptions = {}): RunReport {
  const record = { ...journaled, endedAt: endOf(journaled, columns) };
  const seen = decisionsSeen(record.decisions, record.latches, record.startedAt);
  const quotes = orderQuotes(seen.orders, columns);
  const { currency, note: valuedIn } = reportCurrency(record, columns);
  const seed = options.seed ?? record.run;
  const annual: Annual = { periods: YEAR_DAYS, riskFree: options.riskFree ?? 0 };
  const { tried, everyQuote = false, modelledLanes = [] } = options;
  const trials = tried?.count ?? 1;

  const equity = runEquity(record, columns, { currency, everyQuote, played: options.lanes, modelled: modelledLanes });
  const books = tripsOfRun(record);
  // An exit by rule names the rule, then its figures, which no other trade has.
  const whyOf = new Map(seen.orders.map(({ order, why, tag }) => [order.id, tag === 'exit' ? why.replace(/: .*$/, '') : why]));
  const trades = reportedTrades({ trades: books.trades, columns, currency, whyOf });
  const apart = apartWords(trades, currency);
  const modelled: ReadonlySet<string> = options.modelled ?? new Set();
  const beyond = beyondRecorded(seen.orders, columns, modelled);
  const worse = worseShares(seen.orders, beyond);
  const costs = costsOf({ orders: seen.orders, columns, currency, ledger: record.ledger, beyond });
  const quality = columns.length === 0 ? 'no quotes were recorded' : fillQuality(seen.orders, quotes, modelled);

  const products = [...new Set(record.fills.map(({ product }) => product))];
  const open = openPositions(books.holdings, [...columns, ...modelledLanes], record.endedAt);
  const inherited = inheritedNote(trades, open, record.startedAt);
  const isAtRates = apart === undefined && typeof equity !== 'string';
  const atRates = isAtRates
    ? tradeRatesNote(books.trades, trades, { rates: new Rates([...columns, ...modelledLanes]), equity })
    : undefined;
  const sizes = largestPositions(record);
  const played = { columns, modelled: modelledLanes, everyQuote };
  const benchmark = benchmarks({
    equity,
    products,
    sizes,
    trades: apart === undefined ? trades : [],
    open,
    ...played,
    currency,
    seed,
    annual,
    worse,
  });
  const returns = typeof equity === 'string' ? [] : wholeDays(equity);
  const stopped = stoppedWords(record.strategies, seen);
  const profits = apart ?? trades.map(({ profit }) => profit);
  const { verdict, paths, section: luck } = heldAgainstLuck({ equity, returns, profits, seed, annual, tried, stopped });

  const results = returnSection(equity, annual);
  const sections: readonly Section[] = [
    ...results,
    benchmark.section,
    ...tradeSections(trades, metricIn(results, 'days'), { apart, currency }),
    costSection(costs, averageOf(equity)),
    latencySection(latencyOf(seen.orders, quotes), breakEvenLatency(options.latencies ?? [])),
    ...signalSections(signalAge(seen.orders, columns, seed)),
    luck,
    qualitySection(
      quality,
      columns.length === 0
        ? 'no quotes were recorded'
        : { ...quotesSeen(columns), ...(options.quotes !== undefined && { seen: options.quotes }) },
      {
        ...countsOf(seen.orders.map(({ outcome }) => outcome)),
        all: seen.orders.length,
        haltedMs: seen.halts.reduce((sum, { from, to }) => sum + (to ?? record.endedAt) - from, 0),
      },
    ),
  ];
  const length = tradedMs(
    { from: record.startedAt, to: record.endedAt },
    typeof equity === 'string' ? [] : [...equity.empty, ...equity.unrecorded],
  );
  const { run, book, mode, version, configHash, config, startedAt, endedAt, endState, isRunning, strategies } = record;
  return {
    run: { run, book, mode, version, configHash, config, startedAt, endedAt, endState, isRunning, strategies },
    summary: summaryOf({
      ...{ record, seen, trades, open, equity, held: benchmark.held, heldAtSize: benchmark.heldAtSize },
      ...{ tradedMs: length, wholeDays: returns.length, verdict, trials },
    }),
    ...playedOf(record),
    tradedMs: length,
    headlines: headlines({
      mode: record.mode,
      quality,
      seen,
      strategies,
      equity,
      ...(options.asked && { asked: options.asked }),
      ...(options.onHalt && { onHalt: options.onHalt }),
      valuedIn: valuedIn ?? apart,
      more: [...[inherited, atRates].flatMap((text) => (text === undefined ? [] : [note(text)])), ...(options.headlines ?? [])],
    }),
    currency,
    verdict,
    sections,
    conventions: conventionsOf({
      annual,
      seed,
      dataHash: dataHash(columns),
      days: returns.length,
      quotes: options.quotes ?? columns.reduce((sum, { length }) => sum + length, 0),
      decisions: seen.count,
      quality,
      paths,
      coins: benchmark.coins,
      isBeyond: beyond.size > 0,
    }),
    equity,
    buyAndHold: benchmark.held,
    heldAtSize: benchmark.heldAtSize,
    coinFlips: benchmark.coins,
    months: typeof equity === 'string' ? [] : monthsOf(equity.days),
    prices: priceCharts({
      ...{ orders: seen.orders, signals: seen.signals, columns, played: options.lanes },
      ...{ from: record.startedAt, to: record.endedAt },
    }),
    trades,
    open,
    groups: {
      byStrategy: grouped(trades, ({ strategy }) => strategy),
      byProduct: grouped(trades, ({ product }) => product),
      byTag: grouped(trades, ({ tag }) => tag ?? '-'),
      byExit: grouped(trades, ({ exitReason }) => exitReason),
    },
    refusals: seen.tallies,
    halts: seen.halts,
    reducings: seen.reducings,
    orders: seen.orders,
    latencies: options.latencies ?? [],
    trials: options.trialTable ?? null,
    search: options.search ?? null,
  };
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

const hashes = new WeakMap<readonly QuoteColumns[], string>();

/** Names the quotes that a report rests on: SHA-256 over times and prices of each lane. Further reports on the same list know it. */
function dataHash(columns: readonly QuoteColumns[]): string {
  const known = hashes.get(columns);
  if (known !== undefined) return known;
  const hash = createHash('sha256');
  for (const { lane, length, at, buy, sell } of [...columns].sort((a, b) => (a.lane < b.lane ? -1 : 1))) {
    hash.update(`${lane} ${length} `);
    for (const column of [at, buy.price, sell.price]) hash.update(new Uint8Array(column.buffer, column.byteOffset, length * 8));
  }
  const name = hash.digest('hex').slice(0, 16);
  hashes.set(columns, name);
  return name;
}
