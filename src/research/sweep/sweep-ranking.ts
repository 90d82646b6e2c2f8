import { KairosError } from '#domain/errors.ts';
import { nearest } from '#domain/nearest.ts';
import { type Band, blockBootstrap } from '#report/metrics/bootstrap.ts';
import { isKnown, type Metric, missing } from '#report/metrics/metric.ts';
import { periodSharpe, sharpe, yearlyRatio } from '#report/metrics/returns.ts';
import { deflatedSharpe, ENOUGH_DAYS, type Significance, significanceOf } from '#report/metrics/significance.ts';
import { type TrialResult, wholeDaysOf } from '#research/replay/trial.ts';
import { crowding, frontsOf } from '#research/search/pareto.ts';

/**
 * Figures that trials can be ranked by, as `kairos report` names them, and the order of each among trials with a profit: the
 * most first, or the least; `never`: what lost nothing has no value, since there is nothing to divide by, and is best of all. `objective` is the user's own.
 */
export const METRICS = {
  sharpe: { label: 'Sharpe' },
  sortino: { label: 'Sortino', never: noDayLost },
  calmar: { label: 'Calmar', never: noneOf('maxDrawdown') },
  omega: { label: 'omega', never: noDayLost },
  profitOverDrawdown: { label: 'net profit / equity drawdown', never: noneOf('maxDrawdownMoney') },
  netProfit: { label: 'net profit' },
  totalReturn: { label: 'return' },
  profitFactor: { label: 'profit factor', never: noneOf('lost') },
  winRate: { label: 'win rate' },
  expectancy: { label: 'expectancy' },
  sqn: { label: 'SQN' },
  maxDrawdown: { label: 'equity drawdown', least: true },
  volatility: { label: 'volatility', least: true },
  objective: { label: 'objective' },
} as const satisfies Readonly<Record<string, MetricOrder>>;

interface MetricOrder {
  readonly label: string;
  readonly least?: true;
  readonly never?: (trial: TrialResult) => boolean;
}

function noneOf(figure: string): (trial: TrialResult) => boolean {
  return ({ figures }) => figures[figure] === 0;
}

function noDayLost(trial: TrialResult): boolean {
  const returns = wholeDaysOf(trial);
  return returns.length > 0 && returns.every((one) => one >= 0);
}

export type RankMetric = keyof typeof METRICS;

const isMetric = (name: string): name is RankMetric => Object.hasOwn(METRICS, name);

/** Reads `--by`: one figure, or several with commas; none without it. Throws USAGE naming the nearest figure. */
export function metricsNamed(text: string | undefined): readonly RankMetric[] {
  const names = text === undefined ? [] : text.split(',').map((name) => metricNamed(name.trim()));
  const twice = names.find((name, place) => names.indexOf(name) < place);
  if (twice !== undefined) throw new KairosError('USAGE', `--by ${text}: ${twice} is named twice`);
  return names;
}

/** A figure by its name. Throws USAGE naming the nearest one. */
export function metricNamed(name: string): RankMetric {
  if (isMetric(name)) return name;
  const names = Object.keys(METRICS);
  const near = nearest(name, names, 3);
  throw new KairosError('USAGE', `--by ${name}: ${near === undefined ? `there are ${names.join(', ')}` : `did you mean ${near}?`}`);
}

/** Trials in the order of one metric. */
export interface Ranking {
  readonly by: RankMetric;
  /** Why that metric ranks them, in words. */
  readonly why: string;
  /** Ranked trials, the best first, followed by unranked ones in the order of the sweep. */
  readonly trials: readonly TrialResult[];
  readonly ranked: number;
  /** All figures that count, where there are several; the first is `by`. */
  readonly objectives: readonly RankMetric[];
  /** Where several figures count: how many trials, the first ones, nobody betters by one figure without being worse by another (the Pareto front). */
  readonly front: number | null;
}

/** Why a trial is not ranked; undefined if it is. */
export function unrankedWhy({
  failed,
  fills,
  figures,
  isThin,
}: Pick<TrialResult, 'failed' | 'fills' | 'figures' | 'isThin'>): UnrankedReason | undefined {
  if (failed !== null) return 'failed';
  if (fills === 0) return 'no trade';
  if (isThin) return 'few trades';
  return figures.netProfit === null ? 'no value' : undefined;
}

type UnrankedReason = 'failed' | 'no trade' | 'few trades' | 'no value';

const countOf = ({ trials }: Ranking, why: UnrankedReason): number => trials.filter((trial) => unrankedWhy(trial) === why).length;

/** How many trials of a ranking failed. */
export const failedIn = (ranking: Ranking): number => countOf(ranking, 'failed');

/** What became of the trials of a ranking in which none is ranked, and what lets those be ranked that traded. */
export function unrankedText(ranking: Ranking): string {
  const few = countOf(ranking, 'few trades');
  const told = `${failedIn(ranking)} failed, ${countOf(ranking, 'no trade')} never traded${few > 0 ? `, ${few} had fewer trades than --min-trades asks for` : ''}`;
  const unvalued = ranking.trials.find((trial) => unrankedWhy(trial) === 'no value');
  if (!unvalued) return told;
  const why = `${unvaluedText(unvalued)}; else vary the strategies of one currency at a time`;
  const count = countOf(ranking, 'no value');
  return count === ranking.trials.length ? why : `${told}, ${count} traded without a net profit in one currency: ${why}`;
}

/** Why a trial that traded has no net profit. */
export const unvaluedText = ({ unvalued }: Pick<TrialResult, 'unvalued'>): string => unvalued ?? 'its net profit is not known';

/** The trial to name as best: the first of a ranking, if it has a profit. */
export function bestOf({ trials, ranked: count }: Ranking): TrialResult | undefined {
  const [first] = trials;
  return first && count > 0 && (earnedBy(first) ?? 0) > 0 ? first : undefined;
}

/** What the trials of a ranking are ordered by, in words: the figure, and net profit where trials lost. */
export function orderText(ranking: Ranking): string {
  const { by, why, trials, ranked: count, front } = ranking;
  const { label } = METRICS[by];
  if (count === 0) return 'not ranked, in the order of the sweep';
  const line = `ranked by ${label} (${why})`;
  const able = trials.slice(0, count);
  if ((by === 'netProfit' && front === null) || !able.some(lost)) return line;
  if (!bestOf(ranking)) return `ranked by net profit, since no trial made one; profits would go by ${label}`;
  return `${line}; behind them those that lost, by net profit`;
}

/**
 * Ranks trials by the figure that was asked for; where none was, by Sharpe ratio from 30 whole days on, else by net profit
 * over drawdown, since the Sharpe ratio of a few days is chance. Every trial with a profit stands before every one that lost:
 * those with one by the figure, the others by net profit, because a ratio of a loss is the better the more was risked for it, and last
 * those that lost all their capital, whatever came after.
 * Equals go by net profit, then in the order of the sweep. Trials that failed, never traded or have no net profit have no place, and none of too few trades.
 */
export function ranked(trials: readonly TrialResult[], asked: RankMetric | undefined, objectives: readonly RankMetric[] = []): Ranking {
  const days = trials.reduce((most, trial) => Math.max(most, wholeDaysOf(trial).length), 0);
  const enough = days >= ENOUGH_DAYS;
  const by = asked ?? (enough ? 'sharpe' : 'profitOverDrawdown');
  const able = trials.filter((trial) => unrankedWhy(trial) === undefined);
  const count = `${days} whole ${days === 1 ? 'day' : 'days'}`;
  const none = able.every((trial) => scoreOf(trial, by) === Number.NEGATIVE_INFINITY)
    ? `; no trial of ${count} has one: net profit decides`
    : '';
  const why = asked ? `as asked${none}` : `${count}: Sharpe from ${ENOUGH_DAYS} on`;
  const places = new Map(trials.map((trial, place) => [trial.id, place]));
  const order = (a: TrialResult, b: TrialResult): number =>
    descending(Number(!lost(a)), Number(!lost(b))) ||
    (lost(a) ? 0 : descending(scoreOf(a, by), scoreOf(b, by))) ||
    descending(singleOf(earnedBy(a) ?? 0), singleOf(earnedBy(b) ?? 0)) ||
    (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0);
  const sorted = able.sort(order);
  const others = trials.filter((trial) => unrankedWhy(trial) !== undefined);
  const whole = { by, why, ranked: sorted.length, objectives };
  if (objectives.length < 2) return { ...whole, trials: [...sorted, ...others], front: null };
  const won = sorted.filter((trial) => !lost(trial));
  const fronts = frontsOf(won.map((trial) => scoresOf(trial, objectives)));
  const inFronts = fronts.flatMap((places) => places.flatMap((place) => won[place] ?? []));
  return { ...whole, trials: [...inFronts, ...sorted.filter(lost), ...others], front: fronts[0]?.length ?? 0 };
}

const scoresOf = (trial: TrialResult, objectives: readonly RankMetric[]): readonly number[] => objectives.map((by) => scoreOf(trial, by));

/**
 * Trials in the order in which a search learns from them: as they are ranked; where several figures count, on each front those with
 * the most room around them first, so that all of the front is searched.
 */
export function searchOrder(
  trials: readonly TrialResult[],
  asked: RankMetric | undefined,
  objectives: readonly RankMetric[],
): readonly TrialResult[] {
  const { trials: inOrder, front } = ranked(trials, asked, objectives);
  if (front === null) return inOrder;
  const won = inOrder.filter((trial) => unrankedWhy(trial) === undefined && !lost(trial));
  const scores = won.map((trial) => scoresOf(trial, objectives));
  const roomy = frontsOf(scores).flatMap((places) => {
    const room = crowding(places.map((place) => scores[place] ?? []));
    const order = places.map((_, n) => n).sort((a, b) => descending(room[a] ?? 0, room[b] ?? 0) || a - b);
    return order.flatMap((n) => won[places[n] ?? -1] ?? []);
  });
  return [...roomy, ...inOrder.slice(won.length)];
}

/** In single precision: the last digits of equal trials differ where the engine played one and the screen another. */
const singleOf = Math.fround;

const descending = (a: number, b: number): number => (a === b ? 0 : a > b ? -1 : 1);

/** True where all the capital was lost on the way: no account comes as far as what followed. */
export const isRuined = ({ figures: { totalReturn } }: TrialResult): boolean => typeof totalReturn === 'number' && totalReturn <= -1;

const earnedBy = (trial: TrialResult): number | null | undefined => (isRuined(trial) ? Number.NEGATIVE_INFINITY : trial.figures.netProfit);

const lost = (trial: TrialResult): boolean => (earnedBy(trial) ?? 1) <= 0;

/** What a figure is worth in the order of its metric; the least of all where it cannot be had. */
function scoreOf(trial: TrialResult, by: RankMetric): number {
  const metric: MetricOrder = METRICS[by];
  const value = trial.figures[by] ?? null;
  if (value !== null) return metric.least ? -singleOf(value) : singleOf(value);
  return metric.never?.(trial) ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
}

/** Whether a result is better than luck over so many trials explains. */
export interface LuckVerdict {
  readonly verdict: Significance;
  /** How many were tried, in this and all earlier sweeps of the same quotes and strategies. */
  readonly trials: number;
  /** Annual, of daily returns. */
  readonly sharpe: Metric;
  /** Probability that the Sharpe ratio is above what the best of as many trials has by luck; missing where the ratio itself is. */
  readonly deflated: Metric;
  /** Total return of paths drawn anew from its days, in blocks. */
  readonly returnOfPaths: Band | null;
}

/**
 * Judges the daily returns of a result that was chosen among others. `tried`: how many there were; `others`: daily returns
 * of those at hand, itself included, whose Sharpe ratios say how far luck reaches; `stopped`: why it was cut short, and has no verdict.
 */
export function judged(
  returns: readonly number[],
  among: {
    readonly tried: number;
    readonly others: readonly (readonly number[])[];
    readonly seed: string;
    readonly learned?: boolean;
    readonly stopped?: string | undefined;
  },
): LuckVerdict {
  const { tried, others, seed, learned = false, stopped } = among;
  const trialSharpes = luckOf(others, learned);
  const ratio = (days: readonly number[]): Metric => deflatedSharpe({ returns: days, trials: tried, trialSharpes });
  const deflated = stopped === undefined ? yearlyRatio(returns, ratio) : missing(stopped);
  const paths = stopped === undefined ? blockBootstrap(returns, `${seed} days`) : undefined;
  return {
    verdict: significanceOf(returns.length, { trials: tried, deflated, paths, stopped }),
    trials: tried,
    sharpe: yearlyRatio(returns, sharpe),
    deflated,
    returnOfPaths: paths?.totalReturn ?? null,
  };
}

/**
 * Sharpe ratios whose spread says how far luck reaches. Where a search learned, its trials stand close together around what it found, and their
 * spread says nothing: luck is then that of trials that have nothing to do with each other, for which no ratios are needed.
 */
export const luckOf = (others: readonly (readonly number[])[], learned: boolean): readonly number[] => (learned ? [] : daySharpes(others));

/** Sharpe ratios of one day, of those results that have one. */
const daySharpes = (results: readonly (readonly number[])[]): readonly number[] => results.map((one) => periodSharpe(one)).filter(isKnown);
