import { figure, figuresOf, type Section } from '#report/figures.ts';
import type { Bootstrap } from '#report/metrics/bootstrap.ts';
import type { Metric } from '#report/metrics/metric.ts';

/** The figures on luck. */
export function luckSection(parts: {
  readonly psr: Metric;
  readonly deflated: Metric;
  readonly trials: number;
  readonly paths: Bootstrap | undefined;
  readonly whyNoPaths: string;
  readonly whyNoBand: string;
  readonly tradeBand: { readonly p5: number; readonly p50: number; readonly p95: number } | undefined;
}): Section {
  const { psr, deflated, trials, paths, whyNoPaths, tradeBand, whyNoBand } = parts;
  return {
    title: 'Skill or luck',
    figures: [
      figure('psr', 'probabilistic Sharpe ratio', 'share', psr, 'that the Sharpe ratio is above 0'),
      figure(
        'deflatedSharpe',
        'deflated Sharpe ratio',
        'share',
        deflated,
        'that it is above what the best of as many trials reaches by luck',
      ),
      figure('trials', 'trials', 'count', trials),
      ...figuresOf(paths ?? whyNoPaths, [
        ['returnP5', 'total return of bootstrap paths, 5 %', 'share', (b) => b.totalReturn.p5],
        ['returnP50', 'total return of bootstrap paths, median', 'share', (b) => b.totalReturn.p50],
        ['returnP95', 'total return of bootstrap paths, 95 %', 'share', (b) => b.totalReturn.p95],
        ['drawdownP5', 'maximum equity drawdown of paths, 5 %', 'share', (b) => b.maxDrawdown.p5],
        ['drawdownP50', 'maximum equity drawdown of paths, median', 'share', (b) => b.maxDrawdown.p50],
        ['drawdownP95', 'maximum equity drawdown of paths, 95 %', 'share', (b) => b.maxDrawdown.p95],
      ]),
      ...figuresOf(tradeBand ?? whyNoBand, [
        ['tradeProfitP5', 'profit of as many trades drawn again, 5 %', 'money', (b) => b.p5],
        ['tradeProfitP50', 'profit of as many trades drawn again, median', 'money', (b) => b.p50],
        ['tradeProfitP95', 'profit of as many trades drawn again, 95 %', 'money', (b) => b.p95],
      ]),
    ],
  };
}
