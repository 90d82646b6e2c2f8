import { writeFileSync } from 'node:fs';
import { KairosError } from '#domain/errors.ts';
import { paramsText, playOf, type TrialJob, type TrialPlay, type TrialResult } from '#research/replay/trial.ts';
import type { TrialLog } from '#research/replay/trial-log.ts';
import { type SearchPlan, type SearchResult, timeByTime } from './rounds.ts';
import type { Unequal } from './screen.ts';
import type { TrialPlayers, TrialWork } from './trial-players.ts';

/** Screened trials that the engine plays as well: so many that stand first, and each so-many-th of all. */
const BEST = 10;
const EACH = 50;

/** What the screen played of a search. */
export interface ScreenedCount {
  readonly trials: number;
  readonly screened: number;
  /** Of the screened, those that the engine has played again, all equal. */
  readonly confirmed: number;
  /** Why the engine alone played others, the most frequent first. */
  readonly unscreened: readonly { readonly why: string; readonly trials: number }[];
}

interface Replaying extends Pick<TrialWork, 'threads' | 'signal'> {
  readonly players: TrialPlayers;
  readonly log: TrialLog;
  /** What is known of jobs, as it is ranked. */
  readonly resultsOf: (jobs: readonly TrialJob[]) => readonly TrialResult[];
  /** Told how many trials are played again; what it returns is told the share of them that is. */
  readonly onReplays?: (count: number) => (share: number) => void;
}

/** Searches with the engine's results of some screened trials in place of the screen's. One that differs voids the screen. Throws SCREEN_DIFFERS. */
export async function confirmed(
  plans: readonly SearchPlan[],
  searched: readonly SearchResult[],
  replaying: Replaying,
): Promise<readonly SearchResult[]> {
  const chosen = searched.map(({ results }, n) => {
    const first = plans[n]?.order(results).slice(0, BEST) ?? [];
    return new Set([...first, ...results.filter((_, place) => place % EACH === 0)]);
  });
  const jobs = plans.flatMap((plan, n) => [...(chosen[n] ?? [])].flatMap(({ params }) => plan.jobs(params)));
  const screened = new Map(jobs.filter(({ id }) => replaying.log.known(id)?.screened).map((job) => [job.id, job]));
  await replay(timeByTime([...screened.values()]), replaying);
  return plans.flatMap((plan, n) => {
    const of = searched[n];
    const again = (one: TrialResult): TrialResult => {
      const own = chosen[n]?.has(one) ? plan.result(one.params, replaying.resultsOf(plan.jobs(one.params))) : undefined;
      return own ?? one;
    };
    return of ? { ...of, results: of.results.map(again) } : [];
  });
}

/** Keeps the case of the first that differs in a file beside the log; those that differ stay the screen's, and are replayed again. */
async function replay(jobs: readonly TrialJob[], { players, log, threads, signal, onReplays }: Replaying): Promise<void> {
  const unequal: Unequal[] = [];
  const onShare = jobs.length > 0 ? onReplays?.(jobs.length) : undefined;
  let done = 0;
  await players.play({
    ...{ jobs, threads, signal, way: 'both' },
    onResults: (results) => {
      const differ = new Set(unequal.map(({ job }) => job.id));
      log.keep(results.filter(({ id }) => !differ.has(id)));
      done += results.length;
      onShare?.(done / jobs.length);
    },
    onUnequal: (one) => unequal.push(one),
  });
  const [first] = unequal;
  if (!first) return;
  const file = `${log.file.replace(/\.jsonl$/, '')}-screen-${first.job.id}.json`;
  writeFileSync(file, `${JSON.stringify(first, null, 2)}\n`);
  const where = `${unequal.length} of ${jobs.length} trials, first in ${first.what} (${paramsText(first.job.params)})`;
  throw new KairosError(
    'SCREEN_DIFFERS',
    `the screen and the engine differ in ${where}: no screened result counts. Leave out --screen, and report ${file}`,
  );
}

/** How the trials of searches were played. */
export function screenedIn(searched: readonly SearchResult[]): ScreenedCount {
  const trials = searched.flatMap(({ results, pruned }) => [...results, ...pruned.map(({ on }) => on)]);
  const count = (way: TrialPlay): number => trials.filter((one) => playOf(one) === way).length;
  const reasons = Map.groupBy(
    trials.flatMap((one) => one.unscreened ?? []),
    (why) => why,
  );
  const unscreened = [...reasons].map(([why, { length }]) => ({ why, trials: length })).sort((a, b) => b.trials - a.trials);
  const replayed = count('replayed');
  return { trials: trials.length, screened: count('screened') + replayed, confirmed: replayed, unscreened };
}
