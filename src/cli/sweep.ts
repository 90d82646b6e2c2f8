import { type Command, Option } from 'commander';
import { KairosError } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';
import { type Headline, headlinesJson } from '#report/headline.ts';
import { instant } from './instant.ts';
import { addLimitsOption, backtestConfig, type LimitsOptions } from './limits-option.ts';
import { latency, wholeNumber } from './numbers.ts';
import { printJson, printNote } from './output.ts';
import { outputFile } from './output-file.ts';
import { jobsOption, queueOption, queuePlayers } from './queue-options.ts';
import { PRUNING_NAMES, SEARCHES, spaceFile } from './search-options.ts';
import { addConfigOptions } from './settings.ts';
import { onStopSignal } from './stop-signal.ts';
import { endFailed, takeUncaught } from './strategy-failures.ts';
import { spanOrNone } from './time-span.ts';

/** Options of every command that tries parameters. */
export interface TrialOptions extends LimitsOptions {
  readonly json?: boolean;
  readonly data?: string;
  readonly from?: Millis;
  readonly to?: Millis;
  readonly vary?: readonly string[];
  readonly random?: number;
  readonly seed: string;
  readonly jobs: number;
  readonly by?: string;
  readonly search?: SearchName;
  readonly trials?: number;
  readonly batch?: number;
  readonly prune?: PruningName;
  readonly space?: string;
  readonly minTrades?: number;
  readonly objective?: string;
  readonly withOthers?: boolean;
  /** Latency in milliseconds, each way. */
  readonly latency?: number;
  /** True to play trials over shared columns where that is exact. */
  readonly screen?: boolean;
  /** Where workers take the trials from; threads of this machine without it. */
  readonly queue?: string;
}

/** The options of the search, for `sweep` and `walk-forward`. */
export const searching = ({ vary = [], random, seed, by, objective, search, trials, batch, prune, space }: TrialOptions): Searching => ({
  ...{
    vary,
    random,
    seed,
    by: by ?? (objective === undefined ? undefined : 'objective'),
    search,
    trials,
    batch,
    prune,
    space: space === undefined ? undefined : spaceFile(space),
  },
});

interface Options extends TrialOptions {
  readonly folds?: number;
  readonly purge: Millis;
  readonly embargo: Millis;
  readonly out?: string;
  readonly report?: string;
}

/** Adds `sweep`: backtests of many parameters, ranked, with the best result that luck would give. */
export function addSweep(command: Command): void {
  addTrialOptions(command)
    .option('--folds <n>', "cross-validate: each of n parts tests the others' best", wholeNumber(2, 100))
    .option('--purge <time>', 'with --folds: left out on both sides of the test', spanOrNone, 0)
    .option('--embargo <time>', 'with --folds: left out behind the test besides', spanOrNone, 0)
    .option('--out <file>', 'write all trials into a file: .csv, or .json', outputFile('trials'))
    .option('--report <file.html>', 'write the result with charts as one HTML file', outputFile('report'))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos sweep --vary cross-btc.fast=5..25:5 --vary cross-btc.slow=40..120:20')
    .action(sweep);
}

/** Adds the options that `sweep` and `walk-forward` share. */
export function addTrialOptions(command: Command): Command {
  return addLimitsOption(addConfigOptions(command))
    .option('--data <path>', 'a recording, or a folder of them (default: recording.dir)')
    .option('--from <time>', 'quotes from this time on', instant)
    .option('--to <time>', 'quotes before this time', instant)
    .addOption(
      new Option(
        '--vary <id.param=values>',
        'FROM..TO:STEP, FROM..TO:x2 or A,B,C; without values the declared range; settings too',
      ).argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value]),
    )
    .option('--space <file.yaml>', 'parameters with low, high, step, log, choices and when')
    .addOption(new Option('--search <way>', 'grid, random, or one that learns: tpe, cmaes (default: grid)').choices(SEARCHES))
    .option('--with-others', 'play the other strategies too: figures of all together')
    .option('--trials <n>', 'settings that a search draws (default: 100)', wholeNumber(1, 100_000))
    .option('--random <n>', 'so many draws instead of every combination', wholeNumber(1, 100_000))
    .addOption(new Option('--prune <rule>', 'stop trials that are behind early: by median, or halving').choices(PRUNING_NAMES))
    .option('--batch <n>', 'settings proposed at a time (default: 8)', wholeNumber(1, 1000))
    .option('--seed <text>', 'decides draws and bootstrap paths', '1')
    .addOption(new Option('--latency <ms>', 'milliseconds until an order arrives, in every trial').argParser(latency))
    .option('--by <figure>', 'rank by these figures, such as sharpe,maxDrawdown (default: sharpe from 30 days on, else profitOverDrawdown)')
    .option('--min-trades <n>', 'rank no trial with fewer round trips', wholeNumber(1, 1_000_000))
    .option('--objective <file>', "rank by a function of the figures: a module's default export")
    .option('--screen', 'play trials over shared columns; the engine confirms the best')
    .addOption(jobsOption())
    .addOption(queueOption('workers elsewhere play the trials'));
}

async function sweep(options: Options): Promise<void> {
  takeUncaught('ends');
  if (options.folds !== undefined) return crossValidated(options, options.folds);
  const { sweep: play, reportOfSweep } = await import('#research/sweep/sweep.ts');
  const { printSweep, writeTrials } = await import('./sweep-lines.ts');
  await withStudy(options, 'sweep', async (study, playing) => {
    const result = await play(study, searching(options), playing);
    if (options.out !== undefined) writeTrials(result, options.out);
    const report = options.report === undefined ? null : await reportOfSweep(study, result);
    if (options.report !== undefined && report) {
      const { keepForPage, writeReportPage } = await import('#assembly/reporting.ts');
      writeReportPage(report, options.report);
      keepForPage(options.report, backtestConfig(options).settings);
    }
    if (options.json) printJson({ ...result, ...headlinesJson(result.headlines) });
    else printSweep(result);
    if (options.out !== undefined) printNote(`wrote ${options.out}`);
    if (options.report !== undefined) printNote(report ? `wrote ${options.report}` : 'no trial is finished: no report is written');
    return { ...result.played, headlines: result.headlines };
  });
}

/** Purged cross-validation, shown as a walk-forward is. */
async function crossValidated(options: Options, folds: number): Promise<void> {
  const { purge, embargo, out, report } = options;
  if (out !== undefined) throw new KairosError('USAGE', '--folds shows folds, not trials: it takes no --out');
  const { crossValidation } = await import('#research/sweep/cross-validation.ts');
  const { foldsJson, printWalkForward, writeFolds } = await import('./walk-forward-lines.ts');
  await withStudy(options, 'cross-validation', async (study, playing) => {
    const result = await crossValidation(study, { ...searching(options), folds, purgeMs: purge, embargoMs: embargo }, playing);
    if (options.json) printJson(foldsJson(result));
    else printWalkForward(result, 'validation');
    if (report !== undefined) await writeFolds(result, { file: report, of: 'validation', title: `Cross-validation in ${folds} folds` });
    return result;
  });
}

/** The progress of a study, and the headlines of its result, which has been printed. */
interface StudyProgress {
  readonly finished: number;
  readonly wanted: number;
  readonly headlines: readonly Headline[];
}

type Objective = import('#research/sweep/objective.ts').Objective;
type Searching = import('#research/sweep/study.ts').SearchOptions;
type SearchName = import('#research/sweep/search-method.ts').SearchName;
type PruningName = import('#research/sweep/pruning.ts').PruningName;
type Study = import('#research/sweep/study.ts').Study;
type StudyBase = import('#research/sweep/study.ts').StudyBase;
type Playing = import('#research/sweep/study.ts').BatchOptions;

/** A screened trial has no figures that need each quote of a trade. */
async function refuseUnscreened({ screen, by = '' }: TrialOptions): Promise<void> {
  if (!screen) return;
  const { isUnscreened } = await import('#research/sweep/screened-result.ts');
  const named = by.split(',').find(isUnscreened);
  if (named !== undefined)
    throw new KairosError('USAGE', `--by ${named}: a screened trial does not have it; leave out --screen, or name another`);
}

async function ownObjective({ objective, by = '', screen }: TrialOptions): Promise<Objective | undefined> {
  if (objective === undefined && by.split(',').includes('objective'))
    throw new KairosError('USAGE', '--by objective: name the file that makes it, --objective FILE.ts');
  if (objective === undefined) return undefined;
  if (screen) throw new KairosError('USAGE', `--objective ${objective}: a screened trial does not have every figure; leave out --screen`);
  return (await import('#research/sweep/objective.ts')).objectiveIn(objective);
}

/** Opens the recording and lets `work` play trials. After Ctrl-C, finished trials are kept and shown, and the next call continues from them. Throws USAGE. */
export async function withStudy(
  options: TrialOptions,
  title: string,
  work: (study: Study, playing: Playing) => Promise<StudyProgress>,
): Promise<void> {
  const { Study } = await import('#research/sweep/study.ts');
  const { sweptIn } = await import('#research/sweep/sweep-axes.ts');
  const { PACKAGED_STRATEGIES } = await import('#assembly/package.ts');
  const { SCREEN_LEAST, trialProgress } = await import('./progress.ts');
  const { data, from, to, jobs, latency: ms, queue: address, screen, withOthers } = options;
  await refuseUnscreened(options);
  const objective = await ownObjective(options);
  const progress = trialProgress(title, printNote, screen ? SCREEN_LEAST : 0);
  let replays: typeof progress | undefined;
  const abort = new AbortController();
  let exitCode: number | undefined;
  const off = onStopSignal((signal) => {
    exitCode = signal.exitCode;
    abort.abort();
  });
  const config = backtestConfig({ ...options, set: [...(options.set ?? []), ...(ms === undefined ? [] : [`backtest.latency=${ms}`])] });
  const onStop = (): void => {
    exitCode ??= 130;
    abort.abort();
  };
  const asked = sweptIn(searching(options), config.settings.strategies);
  // Those that are varied, unless others are asked for.
  const only = withOthers ? undefined : asked;
  const study = await Study.open({
    ...{ config, data, from, to, asked, only, screen, objective, minTrades: options.minTrades },
    folders: { cwd: process.cwd(), packaged: PACKAGED_STRATEGIES },
    ...(address !== undefined && {
      players: (base: StudyBase) => queuePlayers(address, { base, settings: config.settings, onStop, signal: abort.signal }),
    }),
  });
  try {
    const playing: Playing = {
      threads: jobs,
      signal: abort.signal,
      onTrials: progress.begin,
      onNote: printNote,
      onShare: progress.show,
      onReplays: (count) => {
        progress.end();
        replays = trialProgress('replay', printNote);
        replays.begin(count);
        return replays.show;
      },
    };
    const { finished, wanted, headlines } = await work(study, playing);
    if (exitCode !== undefined) {
      printNote(`interrupted: ${finished} of ${wanted} trials are kept in ${study.log.file}; the same command goes on from there`);
      process.exitCode = exitCode;
    } else endFailed(headlines, options.json);
  } finally {
    progress.end();
    replays?.end();
    await study.close();
    off();
  }
}
