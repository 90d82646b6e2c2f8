import { figure, type Section } from '#report/figures.ts';
import type { Bootstrap } from '#report/metrics/bootstrap.ts';
import { type Metric, missing } from '#report/metrics/metric.ts';

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
  const of = (take: (known: Bootstrap) => number): Metric => (paths ? take(paths) : missing(whyNoPaths));
  const trade = (take: (band: NonNullable<typeof tradeBand>) => number): Metric => (tradeBand ? take(tradeBand) : missing(whyNoBand));
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
      figure(
        'returnP5',
        'total return of bootstrap paths, 5 %',
        'share',
        of((b) => b.totalReturn.p5),
      ),
      figure(
        'returnP50',
        'total return of bootstrap paths, median',
        'share',
        of((b) => b.totalReturn.p50),
      ),
      figure(
        'returnP95',
        'total return of bootstrap paths, 95 %',
        'share',
        of((b) => b.totalReturn.p95),
      ),
      figure(
        'drawdownP5',
        'maximum equity drawdown of paths, 5 %',
        'share',
        of((b) => b.maxDrawdown.p5),
      ),
      figure(
        'drawdownP50',
        'maximum equity drawdown of paths, median',
        'share',
        of((b) => b.maxDrawdown.p50),
      ),
      figure(
        'drawdownP95',
        'maximum equity drawdown of paths, 95 %',
        'share',
        of((b) => b.maxDrawdown.p95),
      ),
      figure(
        'tradeProfitP5',
        'profit of as many trades drawn again, 5 %',
        'money',
        trade((b) => b.p5),
      ),
      figure(
        'tradeProfitP50',
        'profit of as many trades drawn again, median',
        'money',
        trade((b) => b.p50),
      ),
      figure(
        'tradeProfitP95',
        'profit of as many trades drawn again, 95 %',
        'money',
        trade((b) => b.p95),
      ),
    ],
  };
}
