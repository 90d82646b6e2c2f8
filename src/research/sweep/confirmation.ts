import { writeFileSync } from 'node:fs';
import { KairosError } from '#domain/errors.ts';
import { paramsText, type TrialJob } from '#research/replay/trial.ts';
import type { TrialLog } from '#research/replay/trial-log.ts';
import type { SearchPlan, SearchResult } from './rounds.ts';
import type { Unequal } from './screen.ts';
import type { TrialPlayers, TrialWork } from './trial-players.ts';

/** Screened trials that the engine plays as well: so many that stand first, and each so-many-th of all. */
const BEST = 10;
const EACH = 50;

/** What the screen played of a search. */
export interface ScreenedCount {
  readonly trials: number;
  readonly screened: number;
  readonly confirmed: number;
  /** Why the engine alone played others, the most frequent first. */
  readonly unscreened: readonly { readonly why: string; readonly trials: number }[];
}

/** Lets the engine play screened trials again. One that differs voids the screen. */
export class Confirmation {
  private readonly players: TrialPlayers;
  private readonly log: TrialLog;
  private count = 0;
  private screened = 0;

  constructor(players: TrialPlayers, log: TrialLog) {
    this.players = players;
    this.log = log;
  }

  /** Searches with the engine's results of those trials in place of the screen's. Throws SCREEN_DIFFERS. */
  async confirmed(
    plan: SearchPlan,
    all: readonly SearchResult[],
    playing: Pick<TrialWork, 'threads' | 'signal'>,
  ): Promise<readonly SearchResult[]> {
    const confirmed: SearchResult[] = [];
    for (const searched of all) {
      const { results } = searched;
      this.screened += results.filter((one) => one.screened).length;
      const wanted = new Set([...plan.order(results).slice(0, BEST), ...results.filter((_, n) => n % EACH === 0)]);
      const jobs = new Map([...wanted].flatMap(({ params }) => plan.jobs(params)).map((job) => [job.id, job]));
      await this.play(
        [...jobs.values()].filter(({ id }) => this.log.known(id)?.screened),
        playing,
      );
      const again = results.map((one) => {
        const own = wanted.has(one) ? plan.jobs(one.params).flatMap(({ id }) => this.log.known(id) ?? []) : [];
        return own.length === 0 ? one : (plan.result(one.params, own) ?? one);
      });
      confirmed.push({ ...searched, results: again });
    }
    return confirmed;
  }

  screenedIn(searched: readonly SearchResult[]): ScreenedCount {
    const unscreened = searched.flatMap(({ results }) => results.flatMap((one) => one.unscreened ?? []));
    const trials = searched.reduce((sum, { results }) => sum + results.length, 0);
    const reasons = [...Map.groupBy(unscreened, (why) => why)].map(([why, { length }]) => ({ why, trials: length }));
    return { trials, screened: this.screened, confirmed: this.count, unscreened: reasons.sort((a, b) => b.trials - a.trials) };
  }

  /** Keeps the case of the first that differs in a file beside the log. */
  private async play(jobs: readonly TrialJob[], { threads, signal }: Pick<TrialWork, 'threads' | 'signal'>): Promise<void> {
    const { log, players } = this;
    const unequal: Unequal[] = [];
    await players.play({
      ...{ jobs, threads, signal, way: 'both' },
      onResults: (results) => log.keep(results),
      onUnequal: (one) => unequal.push(one),
    });
    this.count += jobs.length;
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
}
