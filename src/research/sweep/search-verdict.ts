import { fixedText } from '#domain/money-text.ts';
import type { TrialStatistics } from '#report/luck.ts';
import { isKnown, type Metric, missing } from '#report/metrics/metric.ts';
import { needsDays } from '#report/metrics/returns.ts';
import { ENOUGH_DAYS, notDistinct } from '#report/metrics/significance.ts';
import { settingOf, type TrialResult, wholeDaysIn, wholeDaysOf } from '#research/replay/trial.ts';
import { overfitting } from '#research/search/cscv.ts';
import { plateauOf } from '#research/search/plateau.ts';
import { superiorAbility } from '#research/search/spa.ts';
import type { Dimension, ParameterPoint } from '#research/search/space.ts';
import { judged, type LuckVerdict, luckOf, METRICS, type RankMetric, unrankedWhy } from './sweep-ranking.ts';

/** In how many of a hundred searches without any skill the best may do as well. */
const MAX_P_VALUE = 0.05;

/** In how many of a hundred splits of the days what is best on one half may be in the lower half on the other. */
const MAX_OVERFITTING = 0.5;

/** Whether the best of a search is more than the luck of having searched. */
export interface SearchVerdict extends LuckVerdict {
  /** How often the best of as many without any skill does as well (Hansen's test of superior predictive ability). */
  readonly spa: Metric;
  /** How often what is best on one half of the days is in the lower half on the other (CSCV). */
  readonly overfitting: Metric;
  /** The median of its neighbours' figures over its own. */
  readonly plateau: Metric;
}

/** The trials of a search. */
interface SearchTried {
  /** All finished trials that compete with it, of this and of earlier searches. */
  readonly trials: readonly TrialResult[];
  /** Different settings among them. */
  readonly count: number;
  /** True where one of these searches learned: its trials stand close together, and say nothing of how far luck reaches. */
  readonly learned: boolean;
  readonly dimensions: readonly Dimension[];
  /** The figure by which it was chosen. */
  readonly by: RankMetric;
  readonly seed: string;
}

/** Judges the trial that stands first. */
export function judgedSearch(best: TrialResult, tried: SearchTried): SearchVerdict {
  const { series, ...luck } = judgedAmong(best, tried);
  const overfit = enough(wholeDaysOf(best), () => overfitting(series)?.probability ?? missing('needs two trials'));
  const isOverfit = luck.verdict.significant && isKnown(overfit) && overfit > MAX_OVERFITTING;
  const because = `what is best on half of the days is in the lower half on the others in ${isKnown(overfit) ? percent(overfit) : ''} of cases, at most ${percent(MAX_OVERFITTING)} may be`;
  return {
    ...luck,
    ...(isOverfit && { verdict: notDistinct(because) }),
    overfitting: overfit,
    plateau: plateau(best, tried),
  };
}

/** A trial held against the luck of all that were tried, and the daily returns of those that were played on the same days, its own included. */
interface AmongTried extends LuckVerdict, Pick<SearchVerdict, 'spa'> {
  readonly series: readonly (readonly number[])[];
}

/** Holds a trial against the luck of having tried as many. */
export function judgedAmong(best: TrialResult, tried: Pick<SearchTried, 'trials' | 'count' | 'learned' | 'seed'>): AmongTried {
  const { count, learned, seed } = tried;
  const returns = wholeDaysOf(best);
  const others = returnsBeside(best, tried.trials);
  const series = others.filter(({ length }) => length === returns.length);
  const luck = judged(returns, { tried: count, others, learned, seed, stopped: best.stopped });
  const spa = enough(returns, () => superiorAbility(series, seed)?.pValue ?? missing('no two daily returns differ'));
  const isLucky = luck.verdict.significant && !(isKnown(spa) && spa <= MAX_P_VALUE);
  const because = isKnown(spa)
    ? `the best of as many without skill does as well in ${percent(spa)} of cases, at most ${percent(MAX_P_VALUE)} may`
    : spa.why;
  return { ...luck, ...(isLucky && { verdict: notDistinct(because) }), spa, series };
}

/** What a report of a judged trial counts, so that it shows the figures by which the trial was judged. */
export function triedBeside(
  best: TrialResult,
  { trials, verdict }: Pick<LuckVerdict, 'trials' | 'verdict'>,
  log: Pick<SearchTried, 'trials' | 'learned'>,
): TrialStatistics {
  return { count: trials, sharpes: luckOf(returnsBeside(best, log.trials), log.learned), verdict };
}

/** Daily returns of what was tried on the days of a trial, its own included: of each setting those that it has of these days, if they are half of them. */
function returnsBeside(best: TrialResult, trials: readonly TrialResult[]): readonly (readonly number[])[] {
  const days = new Set(wholeDaysIn(best).map(({ at }) => at));
  const bySetting = new Map<string, { readonly id: string; readonly returns: readonly number[] }>();
  for (const trial of [...trials, best]) {
    if (trial.failed !== null) continue;
    const returns = wholeDaysIn(trial).flatMap((day) => (days.has(day.at) ? day.return : []));
    const setting = settingOf(trial);
    // Of two results of one setting the longer counts, and of equal ones the newer: that is the trial itself, if it is among them.
    const known = bySetting.get(setting)?.returns.length ?? 0;
    if (returns.length >= known && returns.length * 2 >= days.size) bySetting.set(setting, { id: trial.id, returns });
  }
  // Sorted, so that no figure depends on which finished first.
  return [...bySetting.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ returns }) => returns);
}

/** What was played on just the days of a trial, each setting once: by its newest result, and the trial's own setting by that trial. */
function playedBeside(best: TrialResult, trials: readonly TrialResult[]): readonly TrialResult[] {
  const alike = [...trials, best].filter((trial) => sameDays(trial, best));
  return [...new Map(alike.map((trial) => [settingOf(trial), trial])).values()];
}

/** Notes on a search beside its verdict, as sentences. */
export function searchLines({ spa, overfitting: share, plateau: score }: SearchVerdict): readonly string[] {
  const said = (metric: Metric, of: string): string => (isKnown(metric) ? `${percent(metric)} of ${of}` : `n/a (${metric.why})`);
  return [
    `best of as many without skill does as well (Hansen's test): ${said(spa, 'cases')}`,
    `best on half of the days is in the lower half on the others (overfitting): ${said(share, 'cases')}`,
    `its neighbours keep (plateau): ${said(score, 'its figure')}`,
  ];
}

const percent = (share: number): string => `${fixedText(share * 100, 1)} %`;

const enough = (returns: readonly number[], of: () => Metric): Metric =>
  returns.length < ENOUGH_DAYS ? missing(needsDays(ENOUGH_DAYS, returns.length)) : of();

function sameDays(a: TrialResult, b: TrialResult): boolean {
  const [one, other] = [a.days, b.days];
  return a.from === b.from && a.to === b.to && one.length === other.length && one.every(({ at }, n) => at === other[n]?.at);
}

function plateau(best: TrialResult, { trials, dimensions, by }: SearchTried): Metric {
  const figureOf = (trial: TrialResult): number => (unrankedWhy(trial) === undefined ? (trial.figures[by] ?? 0) : 0);
  const valued = (trial: TrialResult) => ({ point: pointOf(trial), value: figureOf(trial) });
  const others = playedBeside(best, trials).filter(({ id }) => id !== best.id);
  if ('least' in METRICS[by]) return missing('is known of figures of which the most is best');
  return plateauOf(valued(best), others.map(valued), dimensions)?.score ?? missing('needs three neighbours and a figure above 0');
}

/** A trial's parameters by `ID.PARAM`. */
const pointOf = ({ params }: TrialResult): ParameterPoint =>
  Object.fromEntries(
    Object.entries(params).flatMap(([id, values]) => Object.entries(values).map(([name, value]) => [`${id}.${name}`, value])),
  );
