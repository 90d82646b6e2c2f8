import { KairosError } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';
import { DAY_MS } from '#domain/utc-day.ts';
import type { TrialResult } from '#research/replay/trial.ts';
import type { FoldSpan } from '#research/sweep/folds.ts';
import { unrankedWhy } from './sweep-ranking.ts';

/**
 * Ways to stop a trial that is behind: after what shares of the recording it is looked at, and what share of all that came so far goes on.
 * Successive halving by thirds is that of Li et al. 2020 ("A system for massively parallel hyperparameter tuning", ASHA) with eta = 3;
 * the median rule that of Golovin et al. 2017 (Vizier).
 */
const PRUNINGS = {
  median: { shares: [1 / 4, 1 / 2], keep: 1 / 2 },
  halving: { shares: [1 / 9, 1 / 3], keep: 1 / 3 },
} as const;

export type PruningName = keyof typeof PRUNINGS;

/** A setting that was stopped before the end of the recording; it is not ranked. */
export interface PrunedTrial {
  /** Its result on the played part. */
  readonly on: TrialResult;
  /** The check that it failed, counted from 0. */
  readonly look: number;
  readonly why: string;
}

/** Ends of the parts on which trials are looked at, at midnight (UTC). Throws USAGE for a recording without a midnight to stop at. */
export function looksOf(pruning: PruningName, { from, to }: FoldSpan): readonly Millis[] {
  const { shares } = PRUNINGS[pruning];
  const ends = shares.map((share) => Math.ceil((from + share * (to - from)) / DAY_MS) * DAY_MS);
  const looks = [...new Set(ends)].filter((end) => end > from && end < to);
  if (looks.length > 0) return looks;
  throw new KairosError('USAGE', `--prune ${pruning} stops trials at midnight (UTC), and there is none within the recording; leave it out`);
}

/**
 * The trials that go on, of those that were just looked at: the best of all that came to this look so far, as many as the share keeps. What did not trade yet is
 * no worse than anything, and goes on. `order` ranks those that came so far, the best first.
 */
export function goingOn(looked: readonly TrialResult[], order: readonly TrialResult[], pruning: PruningName): ReadonlySet<string> {
  const able = order.filter((trial) => unrankedWhy(trial) === undefined);
  const best = new Set(able.slice(0, Math.max(1, Math.ceil(able.length * PRUNINGS[pruning].keep))).map(({ id }) => id));
  return new Set(looked.flatMap((trial) => (unrankedWhy(trial) !== undefined || best.has(trial.id) ? trial.id : [])));
}

/** Why a trial was stopped, in words. */
export const stoppedText = (pruning: PruningName, { to }: Pick<TrialResult, 'to'>): string =>
  `stopped at ${new Date(to ?? 0).toISOString().slice(0, 10)}: ${pruning === 'median' ? 'below the median' : 'not of the best third'} of the trials so far`;
