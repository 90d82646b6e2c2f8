import path from 'node:path';
import { codeHash, VERSION } from '#apps/assembly/package.ts';
import type { RunReport } from '#apps/assembly/reporting.ts';
import { reportOfBacktest } from '#apps/backtest/backtest-report.ts';
import { openSession } from '#apps/backtest/open-session.ts';
import type { TrialParams } from '#apps/backtest/replay/sweep.ts';
import { paramsText, type SweepDescription, type TrialJob, type TrialResult, wholeDaysOf } from '#apps/backtest/replay/trial.ts';
import { TrialLog } from '#apps/backtest/replay/trial-log.ts';
import type { BacktestSession } from '#apps/backtest/session.ts';
import type { LoadedConfig } from '#config/load.ts';
import type { LoaderOptions } from '#core/strategy/loader.ts';
import { KairosError } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';
import { type Headline, note } from '#report/headline.ts';
import { looksOf, type Pruned, type PruningName } from './pruning.ts';
import { playRounds, type Searched, type SearchPlan } from './rounds.ts';
import { type Method, SEARCHES, type SearchName, searcherOf, searchOf } from './search-method.ts';
import { type Varied, variedOf, type Wanted } from './sweep-axes.ts';
import { type Decisive, jobOf, shortHash } from './sweep-config.ts';
import { sweepHeadlines } from './sweep-headlines.ts';
import { bestOf, daySharpes, type Judged, judged, metricsNamed, type Ranking, ranked, searchOrder } from './sweep-ranking.ts';
import { trialTable } from './sweep-table.ts';
import { TrialThreads } from './sweep-thread.ts';
import { type TrialBase, trialSession } from './sweep-trial.ts';

export interface StudyOptions {
  readonly config: LoadedConfig;
  readonly folders: LoaderOptions;
  /** A recording, or a folder of them; the configured one without it. */
  readonly data: string | undefined;
  readonly from: Millis | undefined;
  readonly to: Millis | undefined;
}

/** How a batch of trials is played. */
export interface Playing {
  readonly threads: number;
  readonly signal: AbortSignal;
  /** Told the share that is finished. */
  readonly onShare: (share: number) => void;
}

/** What a batch came to. */
interface Played {
  /** Of each job that is finished, in the order of the jobs. */
  readonly results: readonly TrialResult[];
  /** How many of them were in the log already. */
  readonly known: number;
  readonly wanted: number;
}

/** One recording and the configured strategies, with the log of everything that was ever tried on them. */
export class Study {
  readonly session: BacktestSession;
  readonly log: TrialLog;
  private readonly options: StudyOptions;
  private readonly base: TrialBase;
  private readonly threads: TrialThreads;
  private readonly decisive: Decisive;

  private constructor(options: StudyOptions, session: BacktestSession, log: TrialLog) {
    const { config } = options;
    this.options = options;
    this.session = session;
    this.log = log;
    this.base = { config, shared: session.shared };
    this.threads = new TrialThreads(this.base);
    const sources = Object.fromEntries(session.strategies.map(({ strategy, sourceHash }) => [strategy.id, sourceHash]));
    this.decisive = { code: codeHash(), dataHash: session.shared.hash, sources, measured: session.shared.measured };
  }

  /** Reads the recording once. Throws what opening a backtest throws, and USAGE where the log cannot be kept. */
  static async open(options: StudyOptions): Promise<Study> {
    const { config, folders, data, from, to } = options;
    const nothing = { against: undefined, outcomesOf: undefined, notice: () => {} };
    const session = await openSession({ config, folders, data, from, to, ...nothing });
    const { settings } = config;
    const uses = [...new Set(settings.strategies.map(({ use }) => use))].sort();
    const name = `${shortHash([session.shared.hash, uses])}.jsonl`;
    return new Study(options, session, TrialLog.open(path.join(path.dirname(settings.journal.path), 'sweeps', name)));
  }

  /** What is to be varied, checked against the strategies. Throws USAGE. */
  varied(wanted: Pick<Wanted, 'vary' | 'space'>): Varied {
    return variedOf(wanted, this.session.strategies);
  }

  /** The search for settings on one time of the recording. Throws USAGE for what cannot be varied or searched so. */
  plan(wanted: Searching, span: Pick<TrialJob, 'from' | 'to'> = this.span, seed = wanted.seed): SearchPlan {
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

  /** Plays searches to their end, or until the signal comes. */
  search(plans: readonly SearchPlan[], playing: Playing): Promise<readonly Searched[]> {
    return playRounds(plans, {
      play: async (jobs, onShare) => (await this.play(jobs, { ...playing, onShare })).results,
      isKnown: ({ id }) => this.log.trial(id) !== undefined,
      onShare: playing.onShare,
    });
  }

  /** Behind the last quote that is played. Throws NOT_FOUND where there is none. */
  get end(): Millis {
    const last = this.session.columns.reduce((latest, { at, length }) => Math.max(latest, at[length - 1] ?? 0), 0);
    if (last > 0) return last + 1;
    throw new KairosError('NOT_FOUND', `${this.session.data.path} holds no quotes of that time: check --data, --from and --to`);
  }

  /** A trial as a job, on the study's own time unless another is given. */
  job(params: TrialParams, span: Pick<TrialJob, 'from' | 'to'> = this.span): TrialJob {
    const { base, decisive } = this;
    return jobOf({ config: base.config, decisive, params, ...span });
  }

  /** Plays what the log does not have, and keeps each trial as soon as it is finished. */
  async play(jobs: readonly TrialJob[], { threads, signal, onShare }: Playing): Promise<Played> {
    const { log } = this;
    const left = jobs.filter(({ id }) => log.trial(id) === undefined);
    let done = jobs.length - left.length;
    const known = done;
    if (jobs.length > 0) onShare(done / jobs.length);
    await this.threads.play({
      jobs: left,
      threads,
      signal,
      onResult: (result) => {
        log.keep(result);
        done += 1;
        onShare(done / jobs.length);
      },
    });
    return { results: jobs.flatMap(({ id }) => log.trial(id) ?? []), known, wanted: jobs.length };
  }

  /** What besides the jobs decides a sweep, for the log. */
  description(wanted: Searching): SweepDescription {
    const { config, from, to } = this.options;
    const { shared } = this.session;
    return {
      dataHash: shared.hash,
      data: shared.data.path,
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
      from: from ?? null,
      to: to ?? null,
    };
  }

  /** The report of one trial, that knows among how many it was chosen. */
  async reportOf(
    trial: TrialResult,
    { ranking, pruned, best, headlines }: Pick<Sweep, 'ranking' | 'pruned' | 'best' | 'headlines'>,
  ): Promise<RunReport> {
    const session = await trialSession(this.base, trial);
    const count = this.log.setups;
    const place = best ? 'the best' : 'none is best, this one stands first';
    const chosen = note(`chosen among ${count} trials (${place}): ${paramsText(trial.params)}`);
    const trials = { count, sharpes: daySharpes(ranking.trials.map(wholeDaysOf)), table: trialTable(ranking, pruned) };
    const ofSweep = headlines.filter(({ level }) => level !== 'note');
    return reportOfBacktest(session, session.play(), { curve: undefined, headlines: [...ofSweep, chosen], trials });
  }

  /** What every result of the study says of its data and of what it assumes. */
  get headlines(): readonly Headline[] {
    return [note(`latency: ${this.session.latencyText}`), ...this.session.headlines];
  }

  close(): void {
    this.threads.close();
    this.log.close();
  }

  private get span(): Pick<TrialJob, 'from' | 'to'> {
    return { from: this.session.from, to: this.options.to ?? null };
  }
}

/** How settings are searched: what is varied, in which way, and what counts. */
export interface Searching extends Wanted, Method {
  /** The figure to rank by, or several with commas. */
  readonly by: string | undefined;
  /** How trials that are behind are stopped; undefined: none is. */
  readonly prune?: PruningName | undefined;
}

interface SweepOptions extends Searching {
  /** True: the last sweep of the study is gone on with, and `vary` is left empty. */
  readonly resume: boolean;
}

/** A trial, held against luck. */
interface Best extends Judged {
  readonly trial: TrialResult;
}

/** What a sweep came to. */
export interface Sweep {
  readonly quotes: number;
  readonly from: Millis;
  readonly vary: readonly string[];
  readonly played: Omit<Played, 'results'> & { readonly finished: number; readonly refused: number; readonly pruned: number };
  readonly search: SearchName;
  readonly ranking: Ranking;
  /** What was stopped before the end of the recording, in the order in which it was proposed. */
  readonly pruned: readonly Pruned[];
  /** The first that is ranked; null where none is. */
  readonly first: Best | null;
  /** The same where it has a profit; null where there is nothing to name as best. */
  readonly best: Best | null;
  readonly headlines: readonly Headline[];
  readonly log: string;
  readonly remarks: readonly string[];
}

/** Tries combinations of parameters and ranks what came of them. What is finished when the signal comes is ranked as well. */
export async function sweep(study: Study, options: SweepOptions, playing: Playing): Promise<Sweep> {
  const { log, session } = study;
  const wanted = options.resume ? lastOf(log, options) : options;
  const objectives = metricsNamed(wanted.by);
  const plan = study.plan(wanted);
  log.begin(study.description(wanted));
  const [searched] = await study.search([plan], playing);
  const { results, pruned, known, wanted: asked } = searched ?? { results: [], pruned: [], known: 0, wanted: 0 };
  const ranking = ranked(results, objectives[0], objectives);
  const leading = ranking.ranked > 0 ? ranking.trials[0] : undefined;
  const others = results.map(wholeDaysOf);
  const seed = `${wanted.seed} sweep`;
  const first = leading ? { trial: leading, ...judged(wholeDaysOf(leading), { tried: log.setups, others, seed }) } : null;
  return {
    quotes: session.columns.reduce((sum, { length }) => sum + length, 0),
    from: session.from,
    vary: wanted.vary,
    search: searchOf(wanted),
    played: { wanted: asked, known, finished: results.length + pruned.length, refused: plan.searcher.refused, pruned: pruned.length },
    ranking,
    pruned,
    first,
    best: bestOf(ranking) ? first : null,
    headlines: sweepHeadlines(ranking, study.headlines),
    log: log.file,
    remarks: session.remarks,
  };
}

function lastOf({ last, file }: TrialLog, { vary, space, by }: SweepOptions): Searching {
  if (vary.length > 0 || space)
    throw new KairosError('USAGE', '--resume takes --vary and --space from the last sweep; leave out one of the two');
  if (!last) throw new KairosError('NOT_FOUND', `no sweep of these quotes and strategies was begun (${file}); name what to --vary`);
  const prune = last.prune;
  return {
    vary: last.vary,
    space: last.space ?? undefined,
    random: last.random ?? undefined,
    seed: last.seed,
    by: by ?? last.by ?? undefined,
    search: SEARCHES.find((one) => one === last.search),
    trials: last.trials ?? undefined,
    batch: last.batch ?? undefined,
    prune: prune === 'median' || prune === 'halving' ? prune : undefined,
  };
}
