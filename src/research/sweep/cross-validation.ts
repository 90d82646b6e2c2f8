import { KairosError } from '#domain/errors.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import { DAY_MS, dayEnd } from '#domain/utc-day.ts';
import { isKnown, type Metric } from '#report/metrics/metric.ts';
import { compounded, maxDrawdown, omega, sharpe, sortino, volatility, yearlyRatio } from '#report/metrics/returns.ts';
import type { TrialParams } from '#research/replay/trial.ts';
import { playOf, settingOf, shortHash, type TrialDay, type TrialResult } from '#research/replay/trial.ts';
import type { FoldSpan } from '#research/sweep/folds.ts';
import type { SearchPlan } from './rounds.ts';
import type { BatchOptions, SearchOptions, Study } from './study.ts';
import { metricsNamed } from './sweep-ranking.ts';
import { foldsPlayed, type WalkForward } from './walk-forward.ts';

export interface CrossOptions extends SearchOptions {
  /** Parts of the recording, each of which is the test of one fold. */
  readonly folds: number;
  /** The purge: time left out of the training on both sides of the test. */
  readonly purgeMs: Millis;
  /** The embargo: further time left out of the training after the test. */
  readonly embargoMs: Millis;
}

/** Figures that need only the days of a training, which may be in several pieces. */
const FIGURES = ['sharpe', 'sortino', 'omega', 'volatility', 'netProfit', 'totalReturn', 'maxDrawdown', 'profitOverDrawdown'];

const MAX_FOLDS = 100;

/**
 * Purged cross-validation (Lopez de Prado 2018, "Advances in financial machine learning", chapter 7): the recording is cut into parts, and each
 * is the test of what is best on all others, without the days around the test. Every part is played by itself and begins flat, so nothing is carried from a training into its test
 * but what the market remembers. A part without quotes is in no training. Throws USAGE for what cannot be varied or cut.
 */
export async function crossValidation(study: Study, options: CrossOptions, playing: BatchOptions): Promise<WalkForward> {
  const { folds, purgeMs, embargoMs, prune } = options;
  if (prune !== undefined)
    throw new KairosError('USAGE', `--prune ${prune}: the trials of --folds are short, and none is stopped; leave it out`);
  const foreign = metricsNamed(options.by).find((by) => !FIGURES.includes(by));
  if (foreign !== undefined) throw new KairosError('USAGE', `--by ${foreign}: a training of several parts has ${FIGURES.join(', ')}`);
  const span = { from: study.session.from, to: study.end };
  const parts = partsOf(span, folds);
  const quoted = parts.filter((part) => study.isQuoted(part));
  if (quoted.length < 2)
    throw new KairosError('USAGE', `--folds ${folds}: quotes lie in ${quoted.length} of the parts, 2 are needed: take more`);
  const around = (test: FoldSpan): FoldSpan => ({ from: test.from - purgeMs, to: test.to + purgeMs + embargoMs });
  const trains = (test: FoldSpan): boolean =>
    quoted.some((part) => part !== test && endsOf(part).some((at) => isLeft({ at }, part, around(test))));
  const untrained = quoted.find((test) => !trains(test));
  if (untrained)
    throw new KairosError(
      'USAGE',
      `--purge leaves no day to train on for the test from ${isoTime(untrained.from)}: take a shorter one, or more --folds`,
    );
  return foldsPlayed(study, options, playing, {
    folds: parts.map((test) => ({ train: span, test })),
    mark: ['cross-validation', folds, purgeMs, embargoMs],
    mend: 'fewer --folds avoid it',
    // A training is as long as all parts with quotes except one.
    perTest: 1 / (quoted.length - 1),
    planOf: (fold, seed) => {
      const training = quoted.filter((part) => part !== fold.test);
      return {
        ...study.plan(options, span, seed),
        jobs: (params) => training.map((part) => study.job(params, part)),
        result: (params, results) => {
          const whole = merged(params, results, { span, without: around(fold.test) });
          return whole && study.marked(whole);
        },
      } satisfies SearchPlan;
    },
  });
}

/** Equal parts of a time that follow each other; they end at midnight (UTC) where they are days long. Throws USAGE for too many. */
export function partsOf({ from, to }: FoldSpan, folds: number): readonly FoldSpan[] {
  if (folds < 2 || folds > MAX_FOLDS) throw new KairosError('USAGE', `--folds ${folds}: must be from 2 to ${MAX_FOLDS}`);
  const length = (to - from) / folds;
  const isLong = length >= 2 * DAY_MS;
  const cuts = Array.from({ length: folds - 1 }, (_, n) => {
    const cut = from + (n + 1) * length;
    return isLong ? Math.round(cut / DAY_MS) * DAY_MS : Math.round(cut);
  });
  return [from, ...cuts].map((begin, n) => ({ from: begin, to: cuts[n] ?? to }));
}

/** Joins the results of all parts of a training, without the days that overlap a time span. */
export function merged(
  params: TrialParams,
  results: readonly TrialResult[],
  { span, without }: { readonly span: FoldSpan; readonly without: FoldSpan },
): TrialResult | undefined {
  const [first] = results;
  if (!first) return undefined;
  const kept = results.map(({ days, from }) => days.filter((day) => isLeft(day, { from }, without)));
  const days = kept.flat();
  const returns = days.map((day) => day.return);
  const whole = days.filter((day) => day.whole).map((day) => day.return);
  const profits = results.map(({ figures }, n) => (figures.capital ?? 0) * compounded((kept[n] ?? []).map((day) => day.return)));
  const netProfit = profits.reduce((sum, one) => sum + one, 0);
  const fall = maxDrawdown(returns);
  const capital = first.figures.capital ?? 0;
  const sum = (of: (result: TrialResult) => number): number => results.reduce((all, one) => all + of(one), 0);
  return {
    id: shortHash([results.map(({ id }) => id), without]),
    setup: first.setup,
    setting: settingOf(first),
    params,
    from: span.from,
    to: span.to,
    figures: {
      netProfit,
      totalReturn: compounded(returns),
      maxDrawdown: fall,
      maxDrawdownMoney: fall * capital,
      profitOverDrawdown: fall * capital > 0 ? netProfit / (fall * capital) : null,
      trades: sum(({ figures }) => figures.trades ?? 0),
      sharpe: known(yearlyRatio(whole, sharpe)),
      sortino: known(yearlyRatio(whole, sortino)),
      omega: known(omega(whole)),
      volatility: known(volatility(whole)),
    },
    days,
    fills: sum(({ fills }) => fills),
    exact: sum(({ exact }) => exact),
    halted: results.find(({ halted }) => halted !== null)?.halted ?? null,
    failed: results.find(({ failed }) => failed !== null)?.failed ?? null,
    headlines: results.flatMap(({ headlines }) => headlines),
    refusals: [],
    ...playOfParts(results),
  };
}

/** How a training of several parts was played: it is the screen's where one of them is. */
function playOfParts(parts: readonly TrialResult[]): Pick<TrialResult, 'screened' | 'replayed' | 'unscreened'> {
  const plays = new Set(parts.map(playOf));
  const why = parts.find(({ unscreened }) => unscreened !== undefined)?.unscreened;
  if (plays.has('screened')) return { screened: true };
  return plays.has('replayed') ? { replayed: true } : { ...(why !== undefined && { unscreened: why }) };
}

const known = (metric: Metric): number | null => (isKnown(metric) ? metric : null);

/** Ends of the first and the last day of a part. */
const endsOf = ({ from, to }: FoldSpan): readonly Millis[] => [Math.min(to, dayEnd(from)), to];

/** Whether a day of a part lies outside of what is left out. */
const isLeft = (day: Pick<TrialDay, 'at'>, { from }: Pick<FoldSpan, 'from'>, without: FoldSpan): boolean =>
  day.at <= without.from || beginOf(day, from) >= without.to;

/** The start of a day, or of its played part. */
const beginOf = ({ at }: Pick<TrialDay, 'at'>, from: Millis): Millis => Math.max(from, Math.floor((at - 1) / DAY_MS) * DAY_MS);
