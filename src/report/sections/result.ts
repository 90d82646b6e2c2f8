import { amountText } from '#domain/money-text.ts';
import { DAY_MS } from '#domain/utc-day.ts';
import type { Equity } from '#report/equity/equity-value.ts';
import { type Figure, figuresOf, type Section } from '#report/figures.ts';
import { type Metric, missing, ratio } from '#report/metrics/metric.ts';
import {
  type Annual,
  cagr,
  calmar,
  compounded,
  excessKurtosis,
  expectedShortfall,
  maxDrawdown,
  omega,
  sharpe,
  skew,
  sortino,
  ulcerIndex,
  valueAtRisk,
  volatility,
  yearlyRatio,
} from '#report/metrics/returns.ts';

/** Returns of whole days (UTC). */
export const wholeDays = (equity: Equity): readonly number[] => equity.days.filter(({ whole }) => whole).map((day) => day.return);

/** A budget that comes with a strategy is no profit, and one that is lowered no loss. */
function joinedNote(equity: Equity | string): string | undefined {
  if (typeof equity === 'string' || equity.joined === 0) return undefined;
  const amount = amountText(Math.abs(equity.joined), equity.currency);
  return equity.joined > 0
    ? `${amount} of it came with this run as budgets: a deposit, no profit`
    : `${amount} went out with this run, whose budgets are lower: a withdrawal, no loss`;
}

/** Return and risk. `equity` is a text if the run cannot be valued. */
export const returnSection = (equity: Equity | string, annual: Annual): readonly Section[] => [
  { title: 'Result', figures: resultFigures(equity) },
  { title: 'Risk', figures: riskFigures(equity, annual) },
];

/** A metric of the returns of whole days. */
const daily =
  (take: (returns: readonly number[]) => Metric) =>
  (equity: Equity): Metric =>
    take(wholeDays(equity));

const yearly = ({ totalReturn, tradedMs }: Equity): Metric => cagr(totalReturn, tradedMs / DAY_MS);

const resultFigures = (equity: Equity | string): readonly Figure[] =>
  figuresOf(equity, [
    ['totalReturn', 'total return', 'share', (e) => e.totalReturn, 'time-weighted: deposits and withdrawals are taken out'],
    ['netProfit', 'net profit', 'money', (e) => e.netProfit, 'the result of trading, at current rates'],
    ['revaluation', 'revaluation of held currencies', 'money', (e) => e.revaluation, REVALUED],
    ['capital', 'initial capital', 'money', (e) => e.capital, joinedNote(equity)],
    ['flows', 'deposits less withdrawals', 'money', (e) => e.flows],
    ['finalEquity', 'value at the end', 'money', (e) => e.final],
    ['cagr', 'return a year (CAGR)', 'share', yearly],
    ['days', 'days', 'count', (e) => e.tradedMs / DAY_MS],
    ['wholeDays', 'whole days (UTC)', 'count', daily((r) => r.length)],
    ['cutDays', 'return of other days', 'share', cutDays, CUT],
    ['exposure', 'time in the market', 'share', (e) => ratio(e.inMarketMs, e.recordedMs, 'the run has no length')],
  ]);

const REVALUED = 'capital in other currencies, valued at current rates: not a result of trading';
const CUT = 'cut by the begin, the end or a hole in the data, and such holes: figures of daily returns leave them out';

const cutDays = ({ days }: Equity): Metric => compounded(days.filter(({ whole }) => !whole).map((day) => day.return));

function riskFigures(equity: Equity | string, annual: Annual): readonly Figure[] {
  const worst =
    (at: (fall: Equity['falls'][number]) => Metric) =>
    ({ falls: [fall] }: Equity) =>
      fall ? at(fall) : missing('there was no drawdown');
  const deepest = (e: Equity): number => e.falls[0]?.depth ?? 0;
  return figuresOf(equity, [
    ['sharpe', 'Sharpe ratio', 'ratio', daily((r) => yearlyRatio(r, (all) => sharpe(all, annual)))],
    ['sortino', 'Sortino ratio', 'ratio', daily((r) => yearlyRatio(r, (all) => sortino(all, annual)))],
    ['calmar', 'Calmar ratio', 'ratio', (e) => calmar(yearly(e), deepest(e))],
    ['volatility', 'volatility a year', 'share', daily((r) => volatility(r, annual))],
    ['maxDrawdown', 'maximum equity drawdown', 'share', deepest],
    ['maxDrawdownMoney', 'maximum equity drawdown in money', 'money', (e) => e.moneyFall.amount],
    ['drawdownFrom', 'equity drawdown began', 'time', worst(({ from }) => from)],
    ['drawdownTrough', 'deepest at', 'time', worst(({ troughAt }) => troughAt)],
    ['drawdownRecovered', 'recovered at', 'time', worst(({ recoveredAt }) => recoveredAt ?? missing('it has not recovered'))],
    ['underWater', 'longest under water', 'duration', (e) => e.underWaterMs, 'to the recovery or the end'],
    ['bestDay', 'best day', 'share', daily((r) => extreme(r, Math.max))],
    ['worstDay', 'worst day', 'share', daily((r) => extreme(r, Math.min))],
    ['var95', 'value at risk of a day, 95 %', 'share', daily((r) => valueAtRisk(r, 0.95))],
    ['var99', 'value at risk of a day, 99 %', 'share', daily((r) => valueAtRisk(r, 0.99))],
    ['cvar95', 'mean loss beyond it, 95 %', 'share', daily((r) => expectedShortfall(r, 0.95))],
    ['dailyDrawdown', 'maximum equity drawdown of daily values', 'share', daily((r) => (r.length === 0 ? NO_DAY : maxDrawdown(r)))],
    ['skew', 'skewness of days', 'ratio', daily(skew)],
    ['kurtosis', 'excess kurtosis of days', 'ratio', daily(excessKurtosis)],
    ['omega', 'omega ratio at 0', 'ratio', daily(omega)],
    ['ulcer', 'ulcer index', 'share', daily(ulcerIndex)],
  ]);
}

const NO_DAY = missing('there is no whole day');

const extreme = (returns: readonly number[], pick: (a: number, b: number) => number): Metric =>
  returns.length === 0 ? NO_DAY : returns.reduce((a, b) => pick(a, b));
