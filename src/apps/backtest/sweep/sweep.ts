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
import { planned, type Wanted } from './sweep-axes.ts';
import { type Decisive, jobOf, shortHash } from './sweep-config.ts';
import { sweepHeadlines } from './sweep-headlines.ts';
import { bestOf, daySharpes, type Judged, judged, type MetricName, metricNamed, type Ranking, ranked } from './sweep-ranking.ts';
import { trialTable } from './sweep-table.ts';
import { playTrials } from './sweep-thread.ts';
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
  private readonly decisive: Decisive;

  private constructor(options: StudyOptions, session: BacktestSession, log: TrialLog) {
    const { config } = options;
    this.options = options;
    this.session = session;
    this.log = log;
    this.base = { config, shared: session.shared };
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

  /** Combinations of parameters, checked against the strategies. Throws USAGE. */
  planned(wanted: Wanted): ReturnType<typeof planned> {
    return planned(wanted, this.session.strategies);
  }

  /** A trial as a job, on the study's own time unless another is given. */
  job(params: TrialParams, span: Pick<TrialJob, 'from' | 'to'> = this.span): TrialJob {
    const { base, decisive } = this;
    return jobOf({ config: base.config, decisive, params, ...span });
  }

  /** Plays what the log does not have, and keeps each trial as soon as it is finished. */
  async play(jobs: readonly TrialJob[], { threads, signal, onShare }: Playing): Promise<Played> {
    const { log, base } = this;
    const left = jobs.filter(({ id }) => log.trial(id) === undefined);
    let done = jobs.length - left.length;
    const known = done;
    onShare(done / jobs.length);
    await playTrials({
      base,
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
  description(wanted: Wanted, by: string | undefined): SweepDescription {
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
      by: by ?? null,
      from: from ?? null,
      to: to ?? null,
    };
  }

  /** The report of one trial, that knows among how many it was chosen. */
  async reportOf(trial: TrialResult, { ranking, best, headlines }: Pick<Sweep, 'ranking' | 'best' | 'headlines'>): Promise<RunReport> {
    const session = await trialSession(this.base, trial);
    const count = this.log.setups;
    const place = best ? 'the best' : 'none is best, this one stands first';
    const chosen = note(`chosen among ${count} trials (${place}): ${paramsText(trial.params)}`);
    const trials = { count, sharpes: daySharpes(ranking.trials.map(wholeDaysOf)), table: trialTable(ranking) };
    const ofSweep = headlines.filter(({ level }) => level !== 'note');
    return reportOfBacktest(session, session.play(), { curve: undefined, headlines: [...ofSweep, chosen], trials });
  }

  /** What every result of the study says of its data and of what it assumes. */
  get headlines(): readonly Headline[] {
    return [note(`latency: ${this.session.latencyText}`), ...this.session.headlines];
  }

  close(): void {
    this.log.close();
  }

  private get span(): Pick<TrialJob, 'from' | 'to'> {
    return { from: this.session.from, to: this.options.to ?? null };
  }
}

interface SweepOptions extends Wanted {
  /** The figure to rank by. */
  readonly by: string | undefined;
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
  readonly played: Omit<Played, 'results'> & { readonly finished: number; readonly refused: number };
  readonly ranking: Ranking;
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
  const by: MetricName | undefined = wanted.by === undefined ? undefined : metricNamed(wanted.by);
  const { params, refused } = study.planned(wanted);
  log.begin(study.description(wanted, by));
  const {
    results,
    known,
    wanted: asked,
  } = await study.play(
    params.map((one) => study.job(one)),
    playing,
  );
  const ranking = ranked(results, by);
  const leading = ranking.ranked > 0 ? ranking.trials[0] : undefined;
  const others = results.map(wholeDaysOf);
  const seed = `${wanted.seed} sweep`;
  const first = leading ? { trial: leading, ...judged(wholeDaysOf(leading), { tried: log.setups, others, seed }) } : null;
  return {
    quotes: session.columns.reduce((sum, { length }) => sum + length, 0),
    from: session.from,
    vary: wanted.vary,
    played: { wanted: asked, known, finished: results.length, refused },
    ranking,
    first,
    best: bestOf(ranking) ? first : null,
    headlines: sweepHeadlines(ranking, study.headlines),
    log: log.file,
    remarks: session.remarks,
  };
}

function lastOf({ last, file }: TrialLog, { vary, by }: SweepOptions): Wanted & { readonly by: string | undefined } {
  if (vary.length > 0) throw new KairosError('USAGE', '--resume takes --vary from the last sweep; leave out one of the two');
  if (!last) throw new KairosError('NOT_FOUND', `no sweep of these quotes and strategies was begun (${file}); name what to --vary`);
  return { vary: last.vary, random: last.random ?? undefined, seed: last.seed, by: by ?? last.by ?? undefined };
}
