import { createHash } from 'node:crypto';
import type { RecoveryState } from '#adapters/journal/recovery.ts';
import { amountFaults, isForPrice, type LoadedStrategy, lanesOf, rateFaults } from '#assembly/assemble.ts';
import { shownInputs, signalSchemas } from '#assembly/bound-inputs.ts';
import { warmUpFeed } from '#assembly/warm-ups.ts';
import type { DecidingConfig } from '#config/load.ts';
import { KairosError } from '#domain/errors.ts';
import type { ProductText, WarmUpFeed } from '#domain/event.ts';
import type { FreshnessOf } from '#domain/freshness.ts';
import type { Lane } from '#domain/lane.ts';
import type { LaneId, Millis } from '#domain/names.ts';
import type { PriceColumns, QuoteColumns } from '#domain/quote-columns.ts';
import { emptyHeadlines, playAPart } from '#report/equity/empty-headlines.ts';
import { emptyTimes, holesWithin, type TimeSpan } from '#report/equity/empty-times.ts';
import { type Headline, note } from '#report/headline.ts';
import { drawnLatency, fixedLatency, type LatencyModel, latencyText, measuredLatency } from '../replay/latency.ts';
import { QuoteSources } from '../replay/quote-sources.ts';
import { Backtest, type BacktestRun } from './backtest.ts';
import type { BacktestOptions } from './backtest-options.ts';
import { type BacktestData, partOf, playedBy, productsByCode } from './data.ts';
import { flowHeadlines } from './deposits.ts';
import { feeHeadlines } from './fee-headlines.ts';
import { backtestFreshness, importNotes, narrowHeadlines, withRanges } from './imports.ts';
import { inputHeadlines } from './input-headlines.ts';
import { lackingText } from './lacking.ts';
import { laneHeadlines } from './lane-headlines.ts';
import { withValuingQuotes } from './last-quotes.ts';
import { LIMITS_SAID } from './limits-held.ts';
import { strategiesFrom } from './modules.ts';
import { overlapHeadlines } from './overlap-headlines.ts';
import { NO_PAST_RUN, type PastRun } from './past-run.ts';
import { allOf, isOfLeftOut, lastOf, namesOf, type PlayedLane, playedLanes } from './played-lanes.ts';
import { playedPast } from './played-past.ts';
import { productsFor } from './product-limits.ts';
import type { SharedData } from './shared-data.ts';
import { signalHeadlines } from './signal-file.ts';
import { NONE_LEFT_OUT, quotedIn, type SkippedStrategies, unquoted, unquotedRates } from './skipped-strategies.ts';

/** The round trip before any run has measured one, in milliseconds. */
export const UNMEASURED_ROUND_TRIP_MS = 200;

/** Options of one session. */
export interface SessionOptions extends Pick<BacktestOptions, 'everyQuote' | 'onEmission' | 'notice'> {
  readonly config: DecidingConfig;
  readonly from: Millis | undefined;
  readonly to: Millis | undefined;
  /** True where signals begin warmed up by what the recording has before `from`, as those of a daemon that starts then. */
  readonly isWarm?: boolean;
  /** Called now and then with the played share of the recording. */
  readonly onShare?: (share: number) => void;
}

/** Everything that several backtests of one configuration on the same quotes share. */
export class BacktestSession {
  /** Data for further sessions on the same quotes. */
  readonly shared: SharedData;
  readonly strategies: readonly LoadedStrategy[];
  readonly from: Millis;
  /** Quotes from this time on are left out, but for bars that end then. */
  readonly to: Millis;
  /** Times without a quote that are no part of what is played. */
  readonly empty: readonly TimeSpan[];
  /** What a reader should know of the data, one line each. */
  readonly remarks: readonly string[];
  /** Headlines of every result of this session, on its data and settings. */
  readonly headlines: readonly Headline[];
  /** Strategies of the settings that it does not play, since they have no quotes in it. */
  readonly leftOut: SkippedStrategies;
  /** Products with the limits that they are played with. */
  readonly products: readonly ProductText[];
  private readonly options: SessionOptions;
  private readonly past: PastRun;
  /** Products of its strategies, their inputs and its rates. */
  readonly played: ReadonlySet<string>;
  /** The recorded lanes that are played for its amounts. */
  readonly lanes: readonly PlayedLane[];
  /** Those of strategies, which decide the time that is played: without those of `account.rates` alone. */
  readonly traded: readonly PlayedLane[];
  private readonly hash: string;
  private part: readonly QuoteColumns[] | undefined;
  private made: readonly PriceColumns[] | undefined;

  /** Throws a KairosError if the time has no quotes, or the strategies do not fit the products. */
  constructor(options: SessionOptions, shared: SharedData, { strategies, past, leftOut = NONE_LEFT_OUT }: SessionParts) {
    const { data } = shared;
    this.options = options;
    this.shared = shared;
    this.strategies = strategies;
    this.past = past;
    const { settings } = options.config;
    const { rates } = settings.account;
    this.played = playedBy(settings);
    const { products, remarks } = productsFor(
      settings.strategies.map(({ product }) => product),
      data,
    );
    this.products = products;
    this.lanes = playedLanes(lanesOf(settings), this.sources({ from: 0, to: 0 }));
    this.traded = this.lanes.filter(({ lane }) => !isForPrice(settings, lane.id));
    // A run that is compared with was there for each of its lanes.
    const timed = past.startedAt === undefined ? this.traded : this.lanes;
    const standing = allOf(timed);
    // A bar is stamped with its end, and began a width before.
    const first = Math.min(...standing.map(({ at, barMs = 0 }) => (at[0] ?? Number.POSITIVE_INFINITY) - barMs));
    this.from = Math.max(first, options.from ?? Number.NEGATIVE_INFINITY);
    const last = lastOf(timed);
    this.to = Math.min(options.to ?? Number.POSITIVE_INFINITY, lastOf(this.lanes) > last ? last + 1 : Number.POSITIVE_INFINITY);
    this.empty = emptyTimes(standing, { from: this.from, to: Math.min(this.to, last) });
    const limits = LIMITS_SAID[settings.backtest.limits];
    const told = [
      ...importNotes(data.imports, namesOf(this.lanes), settings.lanes.staleAfterMs),
      ...data.leftOut,
      ...[...remarks].flatMap(([product, remark]) => (this.played.has(product) ? remark : [])),
      ...silentInputs(strategies, shared).map((id) => `the recording has nothing of the input ${id}: it brings no values`),
    ];
    this.remarks = [...limits.map(({ text }) => text), ...told];
    const known = [...productsByCode(products).values()];
    const quoted = quotedIn(allOf(this.lanes), this);
    const [unfit] = [
      ...amountFaults(settings.strategies, known),
      ...rateFaults(
        rates.filter(({ product }) => quoted.has(product)),
        known,
      ),
    ];
    if (unfit) throw unfit;
    const lacks = (products: string): string => lackingText(data, products, options);
    const recorded = quotedIn(standing, this);
    const given = options.from === undefined && options.to === undefined ? '--data' : '--data, --from and --to';
    if (recorded.size === 0)
      throw new KairosError('NOT_FOUND', `${lacks([...this.played].filter((product) => !quoted.has(product)).join(', '))}: check ${given}`);
    const unrecorded = [...unquoted(settings.strategies, recorded, lacks), ...unquotedRates(rates, quoted, lacks)];
    const span = { from: past.startedAt ?? this.from, to: Math.min(this.to, last) };
    const lanes = [
      ...laneHeadlines(data, this, options),
      ...emptyHeadlines(this.empty, playAPart(recorded.size)),
      ...overlapHeadlines(data, this),
      ...feeHeadlines(data, this),
      ...narrowHeadlines(data.imports, namesOf(this.lanes)),
      ...inputHeadlines(this, span.to),
      ...(shared.signals ? signalHeadlines(shared.signals, span, options) : []),
      ...flowHeadlines(shared.flows, span, options),
    ];
    this.leftOut = leftOut;
    this.headlines = [...limits, ...leftOut.headlines, ...unrecorded, ...lanes, ...told.map(note)];
    this.hash = hashOf([shared.hash, options.config.hash, ...strategies.map(({ sourceHash }) => sourceHash), this.from, this.to]);
  }

  /** A session on already read quotes, with fresh copies of the strategies. Throws a KairosError. */
  static async over(options: SessionOptions, shared: SharedData, leftOut?: SkippedStrategies): Promise<BacktestSession> {
    const strategies = await strategiesFrom(options.config.settings, shared.modules);
    return new BacktestSession(options, shared, { strategies, past: NO_PAST_RUN, ...(leftOut && { leftOut }) });
  }

  /** The same session with fresh copies of its strategies, for another play: modules may keep variables. */
  async anew(): Promise<BacktestSession> {
    const { options, shared, past, leftOut } = this;
    const strategies = await strategiesFrom(options.config.settings, shared.modules);
    return new BacktestSession(options, shared, { strategies, past, leftOut });
  }

  get data(): BacktestData {
    return this.shared.data;
  }

  get config(): DecidingConfig {
    return this.options.config;
  }

  get everyQuote(): boolean {
    return this.options.everyQuote ?? false;
  }

  /** Settings that results mention. */
  get facts(): { readonly onHalt: 'end' | 'continue'; readonly journal: string } {
    const { backtest, journal } = this.options.config.settings;
    return { onHalt: backtest.onHalt, journal: journal.path };
  }

  /** The configured latency in words, with where measured ones come from. */
  get latencyText(): string {
    return latencyText(this.configuredLatency());
  }

  /** Plays everything once, with the configured latency or a fixed one in milliseconds each way. Another play is one of a session `anew`. */
  play(latencyMs?: number): BacktestRun {
    const { from, to, strategies } = this;
    const latency = latencyMs === undefined ? this.configuredLatency() : fixedLatency(latencyMs);
    const past = this.options.isWarm ? { ...this.past, warmUps: this.warmUps() } : this.past;
    return withValuingQuotes(this.run(strategies, { from, to }, latency, past), this.columns);
  }

  private warmUps(): readonly WarmUpFeed[] {
    const { from, traded, strategies, shared } = this;
    const begin = lastHoleEnd(holesWithin(allOf(traded), { from: 0, to: from }));
    const newest = playedPast({ before: from, begin, lanes: traded, inputs: shared.inputs, sources: (span) => this.sources(span) });
    const feed = warmUpFeed(strategies, { newest, maxGapMs: Number.POSITIVE_INFINITY, now: from });
    return feed ? [feed] : [];
  }

  /** Plays everything from the state that the past run continued, for comparison only; undefined if it began from nothing. */
  playOn(): BacktestRun | undefined {
    const { from, to, strategies, past } = this;
    return past.recovered && this.run(strategies, { from, to }, this.configuredLatency(), past, past.recovered);
  }

  /** Plays a part of the recording to one strategy alone. */
  playAlone(strategy: LoadedStrategy, span: Span): BacktestRun {
    return this.run([strategy], span, fixedLatency(0), NO_PAST_RUN);
  }

  /** Times of the first `count` quotes of a lane, or of all there are. */
  quoteTimes(lane: Lane, count: number): readonly Millis[] {
    const source = this.sources(this).of(lane);
    const times: Millis[] = [];
    while (source && times.length < count && Number.isFinite(source.nextAt)) {
      const at = source.nextAt;
      if (source.next()) times.push(at);
    }
    return times;
  }

  /** The recorded quotes of the products and the time that are played, for reports: without recordings that are left out. */
  get columns(): readonly QuoteColumns[] {
    this.part ??= this.partPlayed();
    return this.part;
  }

  /** The quotes of its amounts that were not recorded: what is held is valued by them as well. */
  get modelled(): readonly PriceColumns[] {
    this.made ??= this.sources(this).modelled(this.lanes.map(({ lane }) => lane));
    return this.made;
  }

  /** How long its lanes may be silent. */
  get freshnessOf(): FreshnessOf {
    return backtestFreshness(this.data.imports, this.config.settings.lanes.staleAfterMs);
  }

  private partPlayed(): readonly QuoteColumns[] {
    const { data, lanes, played: products, from, to } = this;
    return partOf(
      data.columns.filter((one) => !isOfLeftOut(one, data, lanes)),
      { products, from, to: Math.min(to, lastOf(lanes) + 1) },
    );
  }

  private run(
    strategies: readonly LoadedStrategy[],
    { from, to }: Span,
    latency: LatencyModel,
    { startedAt, endedAt, conditions, warmUps, own }: PastRun,
    recovered?: RecoveryState,
  ): BacktestRun {
    const { config, notice, onEmission, onShare } = this.options;
    const { products, shared, everyQuote } = this;
    const sources = this.sources({ from, to });
    const run = `backtest-${createHash('sha256').update(`${this.hash} ${latency.name}`).digest('hex').slice(0, 12)}`;
    const whole = this.data.columns.reduce((sum, { length }) => sum + length, 0);
    const played = new Backtest({
      config,
      strategies,
      run,
      sources,
      freshnessOf: this.freshnessOf,
      products,
      flows: shared.flows,
      holes: holesWithin(allOf(this.traded), { from, to }),
      inputs: shared.inputs,
      warmUps,
      conditions,
      latency,
      outcomes: this.past.outcomes,
      own,
      from: Math.min(from, startedAt ?? from),
      until: endedAt && Math.min(to, endedAt),
      everyQuote,
      notice,
      onEmission,
      ...(recovered && { recovered }),
      ...(onShare && { onQuotes: (count: number) => onShare(count / Math.max(1, whole)) }),
    }).play();
    onShare?.(1);
    return played;
  }

  private sources({ from, to }: Span): QuoteSources {
    const { slippagePct } = this.options.config.settings.backtest;
    const { freshnessOf } = this;
    const { columns, imports } = this.data;
    const products = productsByCode(this.products);
    return new QuoteSources({ columns, products, from, to, slippagePct, freshnessOf, withRanges: withRanges(imports) });
  }

  private configuredLatency(): LatencyModel {
    const { backtest, trading, journal } = this.options.config.settings;
    const { latency } = backtest;
    if (typeof latency === 'number') return fixedLatency(latency);
    if (latency !== 'measured') return drawnLatency(latency, trading.seed);
    const fixed = 'it changes with what is measured there, unless backtest.latency names one';
    const measured = measuredLatency(this.shared.measured, trading.seed);
    if (measured !== undefined) return { ...measured, from: ` of orders in ${journal.path} (${measured.from}); ${fixed}` };
    return { ...fixedLatency(UNMEASURED_ROUND_TRIP_MS / 2), from: `, since no order in ${journal.path} has measured any; ${fixed}` };
  }
}

const lastHoleEnd = (holes: readonly TimeSpan[]): Millis => Math.max(0, ...holes.map(({ to }) => to));

/** Display inputs and sources of signals of which nothing was recorded. */
function silentInputs(strategies: readonly LoadedStrategy[], { inputs }: Pick<SharedData, 'inputs'>): readonly LaneId[] {
  const looked = [...shownInputs(strategies).map(({ id }) => id), ...signalSchemas(strategies).keys()];
  return looked.filter((id) => !inputs.some(({ event }) => event.source === id));
}

/** The strategies of a session, and its journaled run. */
interface SessionParts {
  readonly strategies: readonly LoadedStrategy[];
  readonly past: PastRun;
  readonly leftOut?: SkippedStrategies;
}

/** A time from its first instant to before its last. */
interface Span {
  readonly from: Millis;
  readonly to: Millis;
}

/** What decides a backtest, as one hash. */
const hashOf = (parts: readonly (string | number)[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');
