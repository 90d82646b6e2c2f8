import { KairosError } from '../../domain/errors.ts';
import { nearest } from '../../domain/nearest.ts';
import { type TrialResult, wholeDaysOf } from '../../replay/trial.ts';
import { type Band, type Bootstrap, blockBootstrap } from '../../report/metrics/bootstrap.ts';
import { isKnown, type Metric } from '../../report/metrics/metric.ts';
import { periodSharpe, sharpe } from '../../report/metrics/returns.ts';
import { deflatedSharpe, ENOUGH_DAYS, type Verdict, verdictOf } from '../../report/metrics/significance.ts';

/** Figures that trials can be ranked by, as `kairos report` names them; the least comes first where it says so. */
export const METRICS = {
  sharpe: { label: 'Sharpe' },
  sortino: { label: 'Sortino' },
  calmar: { label: 'Calmar' },
  omega: { label: 'omega' },
  profitOverDrawdown: { label: 'net profit / drawdown' },
  netProfit: { label: 'net profit' },
  totalReturn: { label: 'return' },
  profitFactor: { label: 'profit factor' },
  winRate: { label: 'win rate' },
  expectancy: { label: 'expectancy' },
  sqn: { label: 'SQN' },
  maxDrawdown: { label: 'drawdown', least: true },
  volatility: { label: 'volatility', least: true },
} as const satisfies Readonly<Record<string, { readonly label: string; readonly least?: true }>>;

export type MetricName = keyof typeof METRICS;

const isMetric = (name: string): name is MetricName => Object.hasOwn(METRICS, name);

/** Reads `--by`. Throws USAGE naming the nearest figure. */
export function metricNamed(name: string): MetricName {
  if (isMetric(name)) return name;
  const names = Object.keys(METRICS);
  const near = nearest(name, names, 3);
  throw new KairosError('USAGE', `--by ${name}: ${near === undefined ? `there are ${names.join(', ')}` : `did you mean ${near}?`}`);
}

export interface Ranking {
  readonly by: MetricName;
  /** Why it is ranked by that, in words. */
  readonly why: string;
  /** The best first; those without the figure come last. Equals are ranked by net profit, then in the order of the sweep. */
  readonly trials: readonly TrialResult[];
}

/**
 * Ranks trials by the figure that was asked for; without a word by Sharpe ratio from 30 whole days on, else by net profit
 * over drawdown, since the Sharpe ratio of a few days is chance.
 */
export function ranked(trials: readonly TrialResult[], asked: MetricName | undefined): Ranking {
  const days = trials.reduce((most, trial) => Math.max(most, wholeDaysOf(trial).length), 0);
  const enough = days >= ENOUGH_DAYS;
  const by = asked ?? (enough ? 'sharpe' : 'profitOverDrawdown');
  const why = asked ? 'as asked' : `${days} whole ${days === 1 ? 'day' : 'days'}: Sharpe from ${ENOUGH_DAYS} on`;
  const sign = 'least' in METRICS[by] ? -1 : 1;
  const places = new Map(trials.map((trial, place) => [trial.id, place]));
  const value = (trial: TrialResult): number => sign * (trial.figures[by] ?? sign * Number.NEGATIVE_INFINITY);
  const order = (a: TrialResult, b: TrialResult): number => {
    const [first, second] = [value(a), value(b)];
    if (first !== second) return second - first;
    const earned = (b.figures.netProfit ?? 0) - (a.figures.netProfit ?? 0);
    return earned === 0 ? (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0) : earned;
  };
  return { by, why, trials: [...trials].sort(order) };
}

/** Whether a result is more than the luck of having tried so often. */
export interface Judged {
  readonly verdict: Verdict;
  /** How many were tried, in this and all earlier sweeps of the same quotes and strategies. */
  readonly trials: number;
  /** Annual, of daily returns. */
  readonly sharpe: Metric;
  /** Probability that the Sharpe ratio is above what the best of as many trials has by luck. */
  readonly deflated: Metric;
  /** Total return of paths drawn anew from its days, in blocks. */
  readonly totalReturn: Band | null;
}

/**
 * Judges the daily returns of a result that was chosen among others. `tried`: how many there were; `others`: daily returns
 * of those at hand, itself included, whose Sharpe ratios say how far luck reaches.
 */
export function judged(
  returns: readonly number[],
  among: { readonly tried: number; readonly others: readonly (readonly number[])[]; readonly seed: string },
): Judged {
  const { tried, others, seed } = among;
  const deflated = deflatedSharpe({ returns, trials: tried, trialSharpes: daySharpes(others) });
  const paths: Bootstrap | undefined = blockBootstrap(returns, `${seed} days`);
  return {
    verdict: verdictOf(returns.length, tried, deflated, paths),
    trials: tried,
    sharpe: sharpe(returns),
    deflated,
    totalReturn: paths?.totalReturn ?? null,
  };
}

/** Sharpe ratios of one day, of those results that have one. */
export const daySharpes = (results: readonly (readonly number[])[]): readonly number[] =>
  results.map((one) => periodSharpe(one)).filter(isKnown);
