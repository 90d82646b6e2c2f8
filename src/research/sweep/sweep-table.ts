import { fixedText, moneyText, shareText } from '#domain/money-text.ts';
import type { TextTable } from '#report/report.ts';
import { currencyText, paramIn, paramNames, paramsText, type TrialResult } from '#research/replay/trial.ts';
import { openIn } from './open-profit.ts';
import type { PrunedTrial } from './pruning.ts';
import { remarkOf } from './sweep-headlines.ts';
import { METRICS, orderText, type Ranking, type RankMetric, unrankedWhy } from './sweep-ranking.ts';
import type { WalkForward } from './walk-forward.ts';

/** Figures of which people want to see a share in percent. */
export const SHARES: ReadonlySet<RankMetric> = new Set(['totalReturn', 'winRate', 'maxDrawdown', 'volatility']);

/** Figures in the currency of the result. */
export const MONEY: ReadonlySet<RankMetric> = new Set(['netProfit', 'expectancy']);

/** What the column `open` of trials and of tests is. */
export const OPEN = 'open: what positions that are held at the end have won or lost, at the last quotes';

/** The trials as a table, the best first, alike on a terminal and in a report: rank, parameters and the usual metrics; behind them what was stopped early. */
export function trialTable(ranking: Ranking, pruned: readonly PrunedTrial[] = []): TextTable {
  const { by, trials, objectives, front } = ranking;
  const columns: readonly RankMetric[] = [...new Set<RankMetric>([by, ...objectives, 'netProfit', 'totalReturn', 'maxDrawdown', 'sharpe'])];
  const params = paramNames([...trials, ...pruned.map(({ on }) => on)]);
  const figures = columns.flatMap((metric) => [
    { label: labelOf(metric, trials), texts: metricTexts(trials, metric) },
    ...(metric === 'netProfit' ? [{ label: `open${currencyText(trials)}`, texts: shownAs('money', trials, openIn) }] : []),
  ]);
  const rows = trials.map((trial, place) => [
    unrankedWhy(trial) === undefined ? `${place + 1}${front !== null && place < front ? ' *' : ''}` : '-',
    ...params.map((name) => paramIn(trial, name)),
    ...figures.map(({ texts }) => texts[place] ?? ''),
    String(trial.figures.trades ?? 0),
    remarkOf(trial),
  ]);
  const stopped = pruned.map(({ on, why }) => ['-', ...params.map((name) => paramIn(on, name)), ...figures.map(() => ''), '', why]);
  return {
    above: orderText(ranking),
    head: ['', ...params, ...figures.map(({ label }) => label), 'trades', ''],
    rows: [...rows, ...stopped],
    below: OPEN,
  };
}

/** The name of a figure of trials over a column or an axis, with the currency of money. */
export const labelOf = (metric: RankMetric, trials: readonly (TrialResult | null)[]): string =>
  `${METRICS[metric].label}${MONEY.has(metric) ? currencyText(trials) : ''}`;

/** What the columns of `foldRows` are, behind the begin of the test. */
export function foldHead({ steps, by: { by } }: Pick<WalkForward, 'steps' | 'by'>): readonly string[] {
  const trials = steps.flatMap(({ train, test }) => [train, test]);
  return [
    ...['test from', 'parameters', `${labelOf(by, trials)} in training`, 'return in training', 'in the test'],
    ...[labelOf('netProfit', trials), `open${currencyText(trials)}`, 'trades', 'fills', ''],
  ];
}

/** The figures of each fold: what was chosen in training, what it came to there and in the test, and a remark. */
export function foldRows({ steps, by: { by } }: Pick<WalkForward, 'steps' | 'by'>): readonly (readonly string[])[] {
  const tests = steps.map(({ test }) => test);
  // Where nothing was picked, the figures of a training are nobody's.
  const trains = steps.map(({ train, test }) => (test === null ? null : train));
  const columns = [
    metricTexts(trains, by),
    metricTexts(trains, 'totalReturn'),
    metricTexts(tests, 'totalReturn'),
    metricTexts(tests, 'netProfit'),
  ];
  const texts = [...columns, shownAs('money', tests, openIn)];
  return steps.map(({ test, why }, step) => [
    trains[step] ? paramsText(trains[step].params) : '-',
    ...texts.map((column) => column[step] ?? '-'),
    String(test?.figures.trades ?? 0),
    String(test?.fills ?? 0),
    test ? remarkOf(test) : `not traded: ${why}`,
  ]);
}

type MetricFigures = Pick<TrialResult, 'figures' | 'currency'>;

/** A metric of trials for people: shares in percent, money as everywhere. */
const metricTexts = (trials: readonly (MetricFigures | null)[], metric: RankMetric): readonly string[] =>
  shownAs(SHARES.has(metric) ? 'share' : MONEY.has(metric) ? 'money' : 'ratio', trials, ({ figures }) => figures[metric] ?? null);

/** The figures of a column: money and shares as everywhere, others with four decimals; `n/a` where there is no value, `-` where there is nothing to have one. */
function shownAs<Trial extends MetricFigures>(
  kind: 'share' | 'money' | 'ratio',
  trials: readonly (Trial | null)[],
  of: (trial: Trial) => number | null,
): readonly string[] {
  return trials.map((trial) => {
    if (trial === null) return '-';
    const value = of(trial);
    if (value === null) return 'n/a';
    return kind === 'money' ? moneyText(value, trial.currency ?? '') : kind === 'share' ? shareText(value) : fixedText(value, PLACES);
  });
}

/** Decimals of a ratio. */
const PLACES = 4;
