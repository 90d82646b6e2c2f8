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
  const texts = columns.map((metric) => metricTexts(trials, metric));
  const rows = trials.map((trial, place) => [
    unrankedWhy(trial) === undefined ? `${place + 1}${front !== null && place < front ? ' *' : ''}` : '-',
    ...params.map((name) => paramIn(trial, name)),
    ...texts.map((column) => column[place] ?? ''),
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
  const [trains, tests] = [steps.map(({ train }) => train), steps.map(({ test }) => test)];
  const columns = [
    metricTexts(trains, by),
    metricTexts(trains, 'totalReturn'),
    metricTexts(tests, 'totalReturn'),
    metricTexts(tests, 'netProfit'),
  ];
  const texts = [...columns, evened(tests.map(openIn))];
  return steps.map(({ train, test, why }, step) => [
    train && test ? paramsText(train.params) : '-',
    ...texts.map((column) => column[step] ?? '-'),
    String(test?.figures.trades ?? 0),
    String(test?.fills ?? 0),
    test ? remarkOf(test) : `not traded: ${why}`,
  ]);
}

/** What of the net profit no round trip closed: positions at the end of the window, at its last quotes, and financing; undefined without a trial. */
function openIn(test: Pick<TrialResult, 'figures'> | null): number | null | undefined {
  if (test === null) return undefined;
  const { netProfit = null, tradeProfit = null } = test.figures;
  return netProfit === null ? null : netProfit - (tradeProfit ?? 0);
}

/** A metric of trials for people: shares in percent. */
const metricTexts = (trials: readonly (Pick<TrialResult, 'figures'> | null)[], metric: MetricName): readonly string[] =>
  evened(
    trials.map((trial) => (trial === null ? undefined : (trial.figures[metric] ?? null))),
    SHARES.has(metric),
  );

/** The figures of a column with as many decimals each, four at most; `n/a` where there is no value, `-` where there is nothing to have one. */
function evened(values: readonly (number | null | undefined)[], areShares = false): readonly string[] {
  const rounded = values.map((value) =>
    typeof value === 'number' ? decimalOf(areShares ? value * 100 : value).toDecimalPlaces(PLACES) : value,
  );
  const places = areShares ? PLACES : Math.max(0, ...rounded.map((value) => value?.decimalPlaces() ?? 0));
  return rounded.map((value) => (value === undefined ? '-' : value === null ? 'n/a' : `${value.toFixed(places)}${areShares ? ' %' : ''}`));
}

/** Decimals of a figure at most. */
const PLACES = 4;
