import type { Equity } from './equity/equity-value.ts';
import type { Section } from './figures.ts';
import { type Bootstrap, blockBootstrap, ENOUGH_VALUES, sumBand } from './metrics/bootstrap.ts';
import { type Metric, missing } from './metrics/metric.ts';
import { type Annual, needsDays, yearlyRatio } from './metrics/returns.ts';
import { deflatedSharpe, probabilisticSharpe, type Significance, significanceOf } from './metrics/significance.ts';
import { luckSection } from './sections/luck.ts';

/** What was tried on the quotes of a run. Plain data. */
export interface TrialStatistics {
  /** Different settings, its own included. */
  readonly count: number;
  /** Sharpe ratios of one day of those whose spread says how far luck reaches. */
  readonly sharpes: readonly number[];
  /** What the search said of luck, which knows the days of those trials; without it, what the count alone says. */
  readonly verdict?: Significance;
}

/** What a result is held against luck by. */
interface JudgedResult {
  readonly equity: Equity | string;
  /** Of its whole days. */
  readonly returns: readonly number[];
  /** Of its round trips, or why they are not in one currency. */
  readonly profits: readonly number[] | string;
  readonly seed: string;
  readonly annual: Annual;
  readonly tried: TrialStatistics | undefined;
  /** That a strategy failed, or that orders were stopped to the end; undefined where neither is so. */
  readonly stopped: string | undefined;
}

/** Whether the result of a run is more than luck, and the figures that say so; none for one that was cut short. */
export function heldAgainstLuck({ equity, returns, profits, seed, annual, tried, stopped }: JudgedResult): {
  readonly verdict: Significance;
  readonly paths: Bootstrap | undefined;
  readonly section: Section;
} {
  const trials = tried?.count ?? 1;
  const why = stopped ?? (typeof equity === 'string' ? equity : undefined);
  const ratio = (of: (days: readonly number[]) => Metric): Metric => (why === undefined ? yearlyRatio(returns, of) : missing(why));
  const among = { trials, annual, ...(tried && { trialSharpes: tried.sharpes }) };
  const psr = ratio((days) => probabilisticSharpe(days, 0, annual));
  const deflated = ratio((days) => deflatedSharpe({ returns: days, ...among }));
  const paths = stopped === undefined ? blockBootstrap(returns, `${seed} days`) : undefined;
  const alone = significanceOf(returns.length, { trials, deflated, paths, stopped: why });
  // A search has judged without a risk-free rate. With one its verdict has another figure, but what it refused stays refused.
  const searched = stopped === undefined ? tried?.verdict : undefined;
  const verdict = searched && (annual.riskFree === 0 || (alone.significant && !searched.significant)) ? searched : alone;
  const whyNoPaths = why ?? needsDays(ENOUGH_VALUES, returns.length);
  const tradeBand = stopped === undefined && typeof profits !== 'string' ? sumBand(profits, `${seed} trades`) : undefined;
  const whyNoBand = stopped ?? (typeof profits === 'string' ? profits : 'needs 10 round trips');
  return { verdict, paths, section: luckSection({ psr, deflated, trials, paths, whyNoPaths, tradeBand, whyNoBand }) };
}
