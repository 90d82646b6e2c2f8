import path from 'node:path';
import { codeHash, VERSION } from '#assembly/package.ts';
import type { RunReport } from '#assembly/reporting.ts';
import type { DecidingConfig } from '#config/load.ts';
import type { Settings } from '#config/settings.ts';
import type { LoaderOptions } from '#core/strategy/loader.ts';
import { KairosError } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';
import { type Headline, note } from '#report/headline.ts';
import { reportOfBacktest } from '#research/backtest/backtest-report.ts';
import { onlyStrategies } from '#research/backtest/chosen-strategies.ts';
import { openSession } from '#research/backtest/open-session.ts';
import { allOf } from '#research/backtest/played-lanes.ts';
import type { BacktestSession } from '#research/backtest/session.ts';
import { quotedIn } from '#research/backtest/skipped-strategies.ts';
import type { SweepDescription, TrialJob, TrialParams, TrialResult } from '#research/replay/trial.ts';
import { TrialLog } from '#research/replay/trial-log.ts';
import { confirmed, type ScreenedCount, screenedIn } from './confirmation.ts';
import type { FoldSpan } from './folds.ts';
import { type Objective, objectiveValue } from './objective.ts';
import { looksOf, type PruningName } from './pruning.ts';
import { playRounds, type SearchPlan, type SearchResult } from './rounds.ts';
import { type Method, searcherOf, searchOf } from './search-method.ts';
import { type SweepAxes, type SweepRequest, variedOf } from './sweep-axes.ts';
import { type Decisive, decisiveIn, jobOf, searchedConfig, trialLogPath } from './sweep-config.ts';
import { metricsNamed, searchOrder } from './sweep-ranking.ts';
import { TrialThreads } from './sweep-thread.ts';
import { type TrialBase, trialSession } from './sweep-trial.ts';
import type { TrialPlayers } from './trial-players.ts';
import { settingsSwept, settingsTried, type TriedSettings, walksTried } from './tried-settings.ts';

export interface StudyOptions {
  readonly config: DecidingConfig;
  readonly folders: LoaderOptions;
  /** A recording, or a folder of them; the configured one without it. */
  readonly data: string | undefined;
  readonly from: Millis | undefined;
  readonly to: Millis | undefined;
  /** Strategies that are played; all that are configured unless given. */
  readonly only?: readonly string[] | undefined;
  /** Strategies that are varied: one without quotes is an error. */
  readonly asked?: readonly string[] | undefined;
  /** Round trips that a trial needs to be ranked. */
  readonly minTrades?: number | undefined;
  /** A figure of one's own, by which trials can be ranked as \`objective\`. */
  readonly objective?: Objective | undefined;
  /** True to play trials by the screen where it can: those that stand first, and each so-many-th, are then confirmed by the engine. */
  readonly screen?: boolean | undefined;
  /** Who plays trials; threads of this process unless given. */
  readonly players?: (study: StudyBase) => Promise<TrialPlayers>;
}

/** What a player of trials needs to know of a study. */
export interface StudyBase extends TrialBase {
  /** The hash of the playing code. */
  readonly code: string;
}

/** How a batch of trials is played. */
export interface BatchOptions {
  readonly threads: number;
  readonly signal: AbortSignal;
  /** Told the share that is finished. */
  readonly onShare: (share: number) => void;
  /** Told before the run what its result will lack. */
  readonly onNote?: (text: string) => void;
  /** Told once how many trials a search is to play. */
  readonly onTrials?: (count: number) => void;
  /** Told how many screened trials the engine plays again; what it returns is told the share of them that is finished. */
  readonly onReplays?: (count: number) => (share: number) => void;
}

/** The result of a batch. */
export interface BatchResult {
  /** Of each job that is finished, in the order of the jobs. */
  readonly results: readonly TrialResult[];
  /** Number of results that the log had already. */
  readonly known: number;
  readonly wanted: number;
}

/** One recording and the configured strategies, with the log of all trials on them. */
export class Study {
  readonly session: BacktestSession;
  readonly log: TrialLog;
  private readonly options: StudyOptions;
  private readonly base: StudyBase;
  private readonly players: TrialPlayers;
  private readonly decisive: Decisive;
  /** Ids of all strategies of the settings that are enabled and have quotes. */
  private readonly configured: readonly string[];
  private closed: Promise<void> | undefined;

  private constructor(options: StudyOptions, session: BacktestSession, { base, players, log, configured }: StudyParts) {
    this.options = options;
    this.session = session;
    this.log = log;
    this.base = base;
    this.players = players;
    this.configured = configured;
    this.decisive = decisiveIn(session, base.code);
  }

  /** Reads the recording once. Throws what opening a backtest throws, and USAGE where the log cannot be kept. */
  static async open(options: StudyOptions): Promise<Study> {
    const { folders, data, from, to, only, asked } = options;
    const whole = searchedConfig(options.config);
    const { settings } = whole;
    const nothing = { against: undefined, outcomesOf: undefined, notice: () => {} };
    const begun = only === undefined ? whole : onlyStrategies(whole, only);
    const session = await openSession({ config: begun, whole: settings, folders, data, from, to, asked, ...nothing });
    const log = TrialLog.open(trialLogPath(settings, session.shared.hash));
    try {
      const quoted = quotedIn(session.data.columns, { from: from ?? Number.NEGATIVE_INFINITY, to: to ?? Number.POSITIVE_INFINITY });
      const configured = idsOf({ strategies: settings.strategies.filter(({ product }) => quoted.has(product)) });
      const played = session.strategies.map(({ strategy }) => strategy.id);
      const config = onlyStrategies(whole, played);
      const base = { config, shared: session.shared, code: codeHash() };
      const players = (await options.players?.(base)) ?? new TrialThreads(base);
      return new Study({ ...options, config }, session, { base, players, log, configured });
    } catch (error) {
      log.close();
      throw error;
    }
  }

  /** The axes of variation, checked against the strategies. Throws USAGE. */
  varied(wanted: Pick<SweepRequest, 'vary' | 'space'>): SweepAxes {
    return variedOf(wanted, this.session.strategies, this.base.config.settings);
  }

  /** The search for settings on one time of the recording. Throws USAGE for what cannot be varied or searched so. */
  plan(wanted: SearchOptions, span: Pick<TrialJob, 'from' | 'to'> = this.span, seed = wanted.seed): SearchPlan {
    const varied = this.varied(wanted);
    const { prune } = wanted;
    const objectives = metricsNamed(wanted.by);
    if (wanted.search === 'cmaes' && objectives.length > 1)
      throw new KairosError('USAGE', `--by ${wanted.by}: cmaes takes one figure; take tpe`);
    return {
      searcher: searcherOf(wanted, varied, { seed, pruned: prune !== undefined }),
      accepts: varied.accepts,
      jobs: (params, to) => [this.job(params, to === undefined ? span : { ...span, to })],
      result: (_params, [result]) => result,
      order: (results) => searchOrder(results, objectives[0], objectives),
      prune: prune === undefined ? null : { by: prune, looks: looksOf(prune, { from: span.from, to: span.to ?? this.end }) },
    };
  }

  /** Plays searches to their end, or until the signal comes. Throws SCREEN_DIFFERS where the engine confirms a screened trial not. */
  async search(plans: readonly SearchPlan[], playing: BatchOptions): Promise<readonly SearchResult[]> {
    playing.onTrials?.(plans.reduce((sum, { searcher }) => sum + searcher.budget, 0));
    const searched = await playRounds(plans, {
      play: async (jobs, onShare) => (await this.play(jobs, { ...playing, onShare })).results,
      isKnown: ({ id }) => this.known(id) !== undefined,
      onShare: playing.onShare,
    });
    if (!this.options.screen) return searched;
    const { players, log } = this;
    return confirmed(plans, searched, { ...playing, players, log, resultsOf: (jobs) => this.ranked(jobs) });
  }

  /** What the screen played of a search; undefined where it was not asked for. */
  screenedIn(searched: readonly SearchResult[]): ScreenedCount | undefined {
    return this.options.screen ? screenedIn(searched) : undefined;
  }

  /** What is known of a trial: of the engine, and where trials are screened of the screen as well. */
  private known(id: string): TrialResult | undefined {
    return this.options.screen ? this.log.known(id) : this.log.trial(id);
  }

  /** Results as they are ranked: under the names that were asked for. */
  private ranked(jobs: readonly TrialJob[]): readonly TrialResult[] {
    return jobs.flatMap(({ id, params }): readonly TrialResult[] => {
      const result = this.known(id);
      return result ? [this.marked({ ...result, params })] : [];
    });
  }

  /** A result with the objective, and marked where it has fewer round trips than were asked for. */
  marked(result: TrialResult): TrialResult {
    if (result.failed !== null) return result;
    const { objective, minTrades = 0 } = this.options;
    const { figures } = result;
    const own = objective && { figures: { ...figures, objective: objectiveValue(objective, figures) } };
    return { ...result, ...own, ...((figures.trades ?? 0) < minTrades && { isThin: true }) };
  }

  /** What else decides which trial a training picks, beside the figure; empty where nothing was asked for. */
  get picking(): readonly unknown[] {
    const { objective, minTrades } = this.options;
    return objective || minTrades ? [minTrades ?? 0, objective?.source ?? null] : [];
  }

  /** The instant after the last quote. Throws NOT_FOUND without quotes. */
  get end(): Millis {
    const last = this.session.columns.reduce((latest, { at, length }) => Math.max(latest, at[length - 1] ?? 0), 0);
    if (last > 0) return last + 1;
    throw new KairosError('NOT_FOUND', `${this.session.data.path} holds no quotes of that time: check --data, --from and --to`);
  }

  /** True where a strategy has a quote in a time: without one no trial can be played on it. */
  isQuoted(time: FoldSpan): boolean {
    return quotedIn(allOf(this.session.traded), time).size > 0;
  }

  /** A trial as a job, on the study's own time unless another is given. */
  job(params: TrialParams, span: Pick<TrialJob, 'from' | 'to' | 'isWarm'> = this.span): TrialJob {
    const { base, decisive } = this;
    return jobOf({ config: base.config, decisive, params, ...span });
  }

  /** Plays the jobs that the log lacks, and logs each trial as it finishes. */
  async play(jobs: readonly TrialJob[], { threads, signal, onShare }: BatchOptions): Promise<BatchResult> {
    const { log } = this;
    const left = jobs.filter(({ id }) => this.known(id) === undefined);
    const known = jobs.length - left.length;
    // A trial of twice the time takes twice as long, as the trainings of a walk-forward that is anchored do.
    const length = ({ from, to }: TrialJob): number => Math.max(1, (to ?? this.end) - from);
    const sum = (of: readonly TrialJob[]): number => of.reduce((all, job) => all + length(job), 0);
    const whole = sum(jobs);
    let done = whole - sum(left);
    if (jobs.length > 0) onShare(done / whole);
    await this.players.play({
      jobs: left,
      threads,
      signal,
      ...(this.options.screen && { way: 'screen' as const }),
      onResults: (results) => {
        log.keep(results);
        done += sum(results);
        onShare(Math.min(1, done / whole));
      },
    });
    return { results: this.ranked(jobs), known, wanted: jobs.length };
  }

  /** What decides a sweep beside its jobs, for the log. */
  description(wanted: SearchOptions): SweepDescription {
    const { config, from, to } = this.options;
    const { shared } = this.session;
    return {
      dataHash: shared.hash,
      data: path.resolve(shared.data.path),
      config: config.json,
      sources: this.decisive.sources,
      version: VERSION,
      code: this.decisive.code,
      latency: JSON.stringify(config.settings.backtest.latency),
      vary: wanted.vary,
      random: wanted.random ?? null,
      seed: wanted.seed,
      by: wanted.by ?? null,
      search: searchOf(wanted),
      trials: wanted.trials ?? null,
      batch: wanted.batch ?? null,
      prune: wanted.prune ?? null,
      space: wanted.space ?? null,
      screen: this.options.screen === true,
      from: from ?? null,
      to: to ?? null,
    };
  }

  /** What was tried with the played strategies on the days of a trial, in this and all earlier sweeps. Throws USAGE where a log cannot be read. */
  triedWith(trial: TrialJob & Pick<TrialResult, 'days'>): TriedSettings {
    const tried = settingsTried(this.options.config.settings, trial, this.session.shared);
    return { ...tried, trials: tried.trials.map((one) => this.marked(one)) };
  }

  /** How many walk-forwards were made with the played strategies and tested on a time, as `triedWith` counts settings. */
  walksOn(time: FoldSpan): number {
    return walksTried(this.options.config.settings, time, this.session.shared);
  }

  /** How many settings sweeps tried with the played strategies on the days of tests. */
  sweptOn(tests: readonly FoldSpan[]): number {
    return settingsSwept(this.options.config.settings, tests, this.session.shared);
  }

  /** The report of one trial, played again. */
  async reportOf(trial: TrialResult, more: Omit<Parameters<typeof reportOfBacktest>[2], 'curve'>): Promise<RunReport> {
    const session = await trialSession(this.base, trial);
    const headlines = [...this.session.leftOut.headlines, ...(more.headlines ?? [])];
    return reportOfBacktest(session, session.play(), { curve: undefined, ...more, headlines });
  }

  /** Ids of the strategies that every trial plays. */
  get strategies(): readonly string[] {
    return idsOf(this.options.config.settings);
  }

  /** Which strategies the figures are of, if several are configured. */
  private get playedNotes(): readonly Headline[] {
    const { strategies, configured } = this;
    const others = configured.filter((id) => !strategies.includes(id));
    const along =
      strategies.length > 1 ? [note(`every figure is of ${strategies.length} strategies together: ${strategies.join(', ')}`)] : [];
    const alone = `played without ${others.join(', ')} of the settings, which nothing varies; --with-others plays ${others.length === 1 ? 'it' : 'them'} along`;
    return others.length === 0 ? along : [...along, note(alone)];
  }

  /** Notes of every result of the study on its data and assumptions. */
  get headlines(): readonly Headline[] {
    return [...this.playedNotes, note(`latency: ${this.session.latencyText}`), ...this.session.headlines];
  }

  /** Idempotent. */
  close(): Promise<void> {
    this.closed ??= Promise.resolve(this.players.close()).finally(() => this.log.close());
    return this.closed;
  }

  private get span(): Pick<TrialJob, 'from' | 'to'> {
    return { from: this.session.from, to: this.options.to ?? null };
  }
}

interface StudyParts {
  readonly base: StudyBase;
  readonly players: TrialPlayers;
  readonly log: TrialLog;
  readonly configured: readonly string[];
}

/** Ids of the strategies that a backtest of these settings plays. */
const idsOf = ({ strategies }: Pick<Settings, 'strategies'>): readonly string[] =>
  strategies.filter(({ enabled }) => enabled).map(({ id }) => id);

/** How settings are searched: what is varied, in which way, and what counts. */
export interface SearchOptions extends SweepRequest, Method {
  /** The figure to rank by, or several with commas. */
  readonly by: string | undefined;
  /** How trials that are behind are stopped; undefined: none is. */
  readonly prune?: PruningName | undefined;
}
