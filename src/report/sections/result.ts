import { DAY_MS } from '#domain/utc-day.ts';
import type { Equity } from '#report/equity/equity-value.ts';
import { figure, moneyText, type Section } from '#report/figures.ts';
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

/** A budget that comes with a strategy is no profit. */
const joinedNote = (equity: Equity | string): string | undefined =>
  typeof equity === 'string' || equity.joined === 0
    ? undefined
    : `${moneyText(equity.joined)} ${equity.currency} of it came with this run as budgets: a deposit, no profit`;

/** Return and risk. `equity` is a text if the run cannot be valued. */
export function returnSection(equity: Equity | string, annual: Annual): readonly Section[] {
  const of = (take: (known: Equity) => Metric): Metric => (typeof equity === 'string' ? missing(equity) : take(equity));
  const daily = (take: (returns: readonly number[]) => Metric): Metric => of((known) => take(wholeDays(known)));
  const yearly = of((known) => cagr(known.totalReturn, known.tradedMs / DAY_MS));
  const deepest = of((known) => known.falls[0]?.depth ?? 0);
  const worst = typeof equity === 'string' ? undefined : equity.falls[0];
  const noFall = typeof equity === 'string' ? equity : 'there was no drawdown';
  const when = (at: number | null | undefined, whyNot: string): Metric => (at === undefined || at === null ? missing(whyNot) : at);
  return [
    {
      title: 'Result',
      figures: [
        figure(
          'totalReturn',
          'total return',
          'share',
          of((e) => e.totalReturn),
          'time-weighted: deposits and withdrawals are taken out',
        ),
        figure(
          'netProfit',
          'net profit',
          'money',
          of((e) => e.netProfit),
          'the result of trading, at current rates',
        ),
        figure(
          'revaluation',
          'revaluation of held currencies',
          'money',
          of((e) => e.revaluation),
          'capital in other currencies, valued at current rates: not a result of trading',
        ),
        figure(
          'capital',
          'initial capital',
          'money',
          of((e) => e.capital),
          joinedNote(equity),
        ),
        figure(
          'flows',
          'deposits less withdrawals',
          'money',
          of((e) => e.flows),
        ),
        figure(
          'finalEquity',
          'value at the end',
          'money',
          of((e) => e.final),
        ),
        figure('cagr', 'return a year (CAGR)', 'share', yearly),
        figure(
          'days',
          'days',
          'count',
          of((e) => e.tradedMs / DAY_MS),
        ),
        figure(
          'wholeDays',
          'whole days (UTC)',
          'count',
          daily((r) => r.length),
        ),
        figure(
          'cutDays',
          'return of other days',
          'share',
          of((e) => compounded(e.days.filter(({ whole }) => !whole).map((day) => day.return))),
          'cut by the begin, the end or a hole in the data, and such holes: figures of daily returns leave them out',
        ),
        figure(
          'exposure',
          'time in the market',
          'share',
          of((e) => ratio(e.inMarketMs, e.tradedMs, 'the run has no length')),
        ),
      ],
    },
    {
      title: 'Risk',
      figures: [
        figure(
          'sharpe',
          'Sharpe ratio',
          'ratio',
          daily((r) => yearlyRatio(r, (all) => sharpe(all, annual))),
        ),
        figure(
          'sortino',
          'Sortino ratio',
          'ratio',
          daily((r) => yearlyRatio(r, (all) => sortino(all, annual))),
        ),
        figure('calmar', 'Calmar ratio', 'ratio', calmar(yearly, deepest)),
        figure(
          'volatility',
          'volatility a year',
          'share',
          daily((r) => volatility(r, annual)),
        ),
        figure('maxDrawdown', 'maximum equity drawdown', 'share', deepest),
        figure(
          'maxDrawdownMoney',
          'maximum equity drawdown in money',
          'money',
          of((e) => e.moneyFall.amount),
        ),
        figure('drawdownFrom', 'equity drawdown began', 'time', when(worst?.from, noFall)),
        figure('drawdownTrough', 'deepest at', 'time', when(worst?.troughAt, noFall)),
        figure('drawdownRecovered', 'recovered at', 'time', when(worst?.recoveredAt, worst ? 'it has not recovered' : noFall)),
        figure(
          'underWater',
          'longest under water',
          'duration',
          of((e) => e.underWaterMs),
          'to the recovery or the end',
        ),
        figure(
          'bestDay',
          'best day',
          'share',
          daily((r) => extreme(r, Math.max)),
        ),
        figure(
          'worstDay',
          'worst day',
          'share',
          daily((r) => extreme(r, Math.min)),
        ),
        figure(
          'var95',
          'value at risk of a day, 95 %',
          'share',
          daily((r) => valueAtRisk(r, 0.95)),
        ),
        figure(
          'var99',
          'value at risk of a day, 99 %',
          'share',
          daily((r) => valueAtRisk(r, 0.99)),
        ),
        figure(
          'cvar95',
          'mean loss beyond it, 95 %',
          'share',
          daily((r) => expectedShortfall(r, 0.95)),
        ),
        figure(
          'dailyDrawdown',
          'maximum equity drawdown of daily values',
          'share',
          daily((r) => (r.length === 0 ? missing('there is no whole day') : maxDrawdown(r))),
        ),
        figure('skew', 'skewness of days', 'ratio', daily(skew)),
        figure('kurtosis', 'excess kurtosis of days', 'ratio', daily(excessKurtosis)),
        figure('omega', 'omega ratio at 0', 'ratio', daily(omega)),
        figure('ulcer', 'ulcer index', 'share', daily(ulcerIndex)),
      ],
    },
  ];
}

function extreme(returns: readonly number[], pick: (a: number, b: number) => number): Metric {
  return returns.length === 0 ? missing('there is no whole day') : returns.reduce((a, b) => pick(a, b));
}
