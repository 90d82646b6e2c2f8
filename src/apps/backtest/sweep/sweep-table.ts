import { paramIn, paramNames, paramsText, type TrialResult } from '#apps/backtest/replay/trial.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { Pruned } from './pruning.ts';
import { remarkOf } from './sweep-headlines.ts';
import { METRICS, type MetricName, type Ranking, unrankedWhy } from './sweep-ranking.ts';
import type { WalkForward } from './walk-forward.ts';

/** Figures of which people want to see a share in percent. */
export const SHARES: ReadonlySet<MetricName> = new Set(['totalReturn', 'winRate', 'maxDrawdown', 'volatility']);

/** Trials for people, the best first, alike on a terminal and in a report. */
interface TrialTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The trials as a table: rank, parameters and the usual metrics; behind them what was stopped early. */
export function trialTable({ by, trials, objectives, front }: Ranking, pruned: readonly Pruned[] = []): TrialTable {
  const columns: readonly MetricName[] = [...new Set<MetricName>([by, ...objectives, 'netProfit', 'totalReturn', 'maxDrawdown', 'sharpe'])];
  const params = paramNames([...trials, ...pruned.map(({ on }) => on)]);
  const rows = trials.map((trial, place) => [
    unrankedWhy(trial) === undefined ? `${place + 1}${front !== null && place < front ? ' *' : ''}` : '-',
    ...params.map((name) => paramIn(trial, name)),
    ...columns.map((metric) => metricText(trial, metric)),
    String(trial.figures.trades ?? 0),
    remarkOf(trial),
  ]);
  const stopped = pruned.map(({ on, why }) => ['-', ...params.map((name) => paramIn(on, name)), ...columns.map(() => ''), '', why]);
  return { head: ['', ...params, ...columns.map((metric) => METRICS[metric].label), 'trades', ''], rows: [...rows, ...stopped] };
}

/** What the columns of `foldRows` are, behind the begin of the test. */
export const foldHead = (by: MetricName): readonly string[] => [
  ...['test from', 'parameters', `${METRICS[by].label} in training`, 'return in training', 'in the test'],
  ...['net profit', 'open', 'trades', 'fills', ''],
];

/** The figures of each fold: what was chosen in training, what it came to there and in the test, and a remark. */
export function foldRows({ steps, by: { by } }: Pick<WalkForward, 'steps' | 'by'>): readonly (readonly string[])[] {
  return steps.map(({ train, test, why }) => [
    train && test ? paramsText(train.params) : '-',
    train ? metricText(train, by) : '-',
    train ? metricText(train, 'totalReturn') : '-',
    test ? metricText(test, 'totalReturn') : '-',
    test ? metricText(test, 'netProfit') : '-',
    test ? openText(test) : '-',
    String(test?.figures.trades ?? 0),
    String(test?.fills ?? 0),
    test ? remarkOf(test) : `not traded: ${why}`,
  ]);
}

/** What of the net profit no round trip closed: positions at the end of the window, at its last quotes, and financing. */
function openText({ figures: { netProfit = null, tradeProfit = null } }: Pick<TrialResult, 'figures'>): string {
  return netProfit === null
    ? 'n/a'
    : decimalOf(netProfit - (tradeProfit ?? 0))
        .toDecimalPlaces(4)
        .toString();
}

/** A metric of a trial for people: shares in percent, `n/a` where it has no value. */
function metricText({ figures }: Pick<TrialResult, 'figures'>, metric: MetricName): string {
  const value = figures[metric] ?? null;
  if (value === null) return 'n/a';
  return SHARES.has(metric) ? `${(value * 100).toFixed(4)} %` : decimalOf(value).toDecimalPlaces(4).toString();
}
