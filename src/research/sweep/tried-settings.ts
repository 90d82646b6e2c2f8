import path from 'node:path';
import type { Settings } from '#config/settings.ts';
import type { Headline } from '#report/headline.ts';
import type { SharedData } from '#research/backtest/shared-data.ts';
import { type SweepDescription, settingOf, type TrialResult } from '#research/replay/trial.ts';
import { KeptTrials } from '#research/replay/trial-log.ts';
import type { FoldSpan } from './folds.ts';
import { isAdaptive } from './search-method.ts';
import { strategiesIn, trialLogs } from './sweep-config.ts';

/** Settings that compete with a result: what it must be held against to be told from luck. */
export interface TriedSettings {
  /** What was played on a day of the result with one of its strategies, the oldest first. */
  readonly trials: readonly TrialResult[];
  /** Different settings among them. */
  readonly count: number;
  /** True where one of their sweeps chose what to try by what came before. */
  readonly learned: boolean;
  /** The sweep that was begun last; undefined without any. */
  readonly last: SweepDescription | undefined;
  readonly files: readonly string[];
  /** What is to be said of the logs. */
  readonly headlines: readonly Headline[];
}

/**
 * What sweeps and walk-forwards tried on the time of a result with any of these strategies, whatever else was configured, on its quotes or on
 * what its recordings were before. A strategy is known by its module and product. Throws USAGE where a log cannot be read.
 */
export function settingsTried(
  settings: Pick<Settings, 'strategies' | 'journal'>,
  of: TrialSpan,
  on: TriedOn,
  logs = logsOf(settings, on),
): TriedSettings {
  const found = logs.map(({ trials, ...log }) => ({ ...log, trials: trials.filter((one) => overlaps(one, of)) }));
  const counted = found.filter(({ trials }) => trials.length > 0);
  const trials = counted.flatMap((one) => one.trials);
  const sweeps = counted.flatMap((one) => one.sweeps);
  return {
    trials,
    count: new Set(trials.map(settingOf)).size,
    learned: sweeps.some(({ search }) => isAdaptive(search)),
    last: sweeps.at(-1),
    files: counted.map(({ log }) => log.file),
    headlines: found.flatMap(({ log }) => log.headlines),
  };
}

/** The logs of trials with any of these strategies, each with those that varied one of them. Throws USAGE where a log cannot be read. */
export function logsOf({ strategies, journal }: Pick<Settings, 'strategies' | 'journal'>, on: TriedOn) {
  const names = new Set(strategies.map(nameOf));
  const isOf = sweepsWith(names, on);
  return KeptTrials.readAll(trialLogs({ journal }), isOf).map((log) => {
    const all = log.sweeps.flatMap(({ config }) => strategiesIn(config));
    const others = new Set<string>(all.flatMap((one) => (names.has(nameOf(one)) ? [] : one.id)));
    for (const one of all) if (names.has(nameOf(one))) others.delete(one.id);
    // A setting that is no strategy's, such as a limit, is varied for all of them.
    const isVaried = ({ params }: TrialResult): boolean =>
      Object.keys(params).length === 0 || Object.keys(params).some((id) => !others.has(id));
    return { log, trials: log.all.filter(isVaried), sweeps: log.sweeps.filter(isOf) };
  });
}

/** How many different settings sweeps tried on a day of some tests, as `settingsTried` counts them: the range of a walk-forward may come from these. */
export function settingsSwept(settings: Pick<Settings, 'strategies' | 'journal'>, tests: readonly FoldSpan[], on: TriedOn): number {
  const isTested = (trial: TrialResult): boolean => tests.some((test) => overlaps(trial, { ...test, days: [] }));
  const swept = logsOf(settings, on).flatMap(({ log, trials }) => trials.filter((one) => log.isSwept(one) && isTested(one)));
  return new Set(swept.map(settingOf)).size;
}

/** How many different walk-forwards were made with any of these strategies and tested on that time, as `settingsTried` counts settings. */
export function walksTried({ strategies, journal }: Pick<Settings, 'strategies' | 'journal'>, of: FoldSpan, on: TriedOn): number {
  const isOf = sweepsWith(new Set(strategies.map(nameOf)), on);
  const walks = KeptTrials.readAll(trialLogs({ journal }), isOf).flatMap(({ walkForwards }) => walkForwards);
  const counted = walks.filter(
    ({ sweep, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }) =>
      sweep !== undefined && isOf(sweep) && from < of.to && of.from < to,
  );
  return new Set(counted.map(({ id }) => id)).size;
}

/** Whether a sweep was of one of these strategies, on these quotes, or where one place holds the other. */
const sweepsWith = (names: ReadonlySet<string>, { hash, data }: TriedOn) => {
  const place = path.resolve(data.path);
  return (one: SweepDescription): boolean => {
    const other = path.resolve(one.data);
    const isSame = one.dataHash === hash || liesIn(other, place) || liesIn(place, other);
    return isSame && strategiesIn(one.config).some((strategy) => names.has(nameOf(strategy)));
  };
};

/** Whether a place is a folder or within it: a folder of recordings has those of one run in another. */
const liesIn = (place: string, folder: string): boolean => {
  const between = path.relative(folder, place);
  return between !== '..' && !between.startsWith(`..${path.sep}`) && !path.isAbsolute(between);
};

/** The hash of quotes, and where they are. */
type TriedOn = Pick<SharedData, 'hash'> & { readonly data: { readonly path: string } };

type TrialSpan = Pick<TrialResult, 'from' | 'to' | 'days'>;

const nameOf = ({ use, product }: Settings['strategies'][number]): string => `${use} ${product}`;

const overlaps = (a: TrialSpan, b: TrialSpan): boolean => a.from < endOf(b) && b.from < endOf(a);

/** One that played nothing has no end of its own. */
const endOf = ({ to, days }: TrialSpan): number => to ?? days.at(-1)?.at ?? Number.POSITIVE_INFINITY;
