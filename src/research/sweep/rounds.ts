import type { Millis } from '#domain/names.ts';
import type { TrialJob, TrialParams, TrialResult } from '#research/replay/trial.ts';
import { goingOn, type PrunedTrial, type PruningName, stoppedText } from './pruning.ts';
import type { Searcher } from './search-method.ts';

/** One search: what it proposes, what a setting plays, and how results compare. */
export interface SearchPlan {
  readonly searcher: Searcher;
  readonly accepts: (params: TrialParams) => boolean;
  /** The backtests of a setting, up to a time of the recording if one is given. */
  readonly jobs: (params: TrialParams, to?: Millis) => readonly TrialJob[];
  /** Their joint result. */
  readonly result: (params: TrialParams, results: readonly TrialResult[]) => TrialResult | undefined;
  /** Results, the best first. */
  readonly order: (results: readonly TrialResult[]) => readonly TrialResult[];
  readonly prune: { readonly by: PruningName; readonly looks: readonly Millis[] } | null;
}

/** The result of a search. */
export interface SearchResult {
  /** Of each setting that was played to the end, in the order in which they were proposed. */
  readonly results: readonly TrialResult[];
  readonly pruned: readonly PrunedTrial[];
  /** Settings with a known result. */
  readonly known: number;
  /** Settings that were to be tried. */
  readonly wanted: number;
}

/** Plays jobs without a known result and returns all finished results in job order; reports the finished share. */
type Play = (jobs: readonly TrialJob[], onShare: (share: number) => void) => Promise<readonly TrialResult[]>;

interface RoundOptions {
  readonly play: Play;
  /** Whether the log has a job already. */
  readonly isKnown: (job: TrialJob) => boolean;
  readonly onShare: (share: number) => void;
}

/**
 * Runs searches side by side, in rounds: each plays what all of them propose and tells them together, so that threads have work while
 * what is proposed hangs on no thread. Returns early, with what is finished, where `play` does.
 */
export async function playRounds(plans: readonly SearchPlan[], { play, isKnown, onShare }: RoundOptions): Promise<readonly SearchResult[]> {
  const runs = plans.map((plan) => new Run(plan));
  const wanted = Math.max(
    1,
    runs.reduce((sum, run) => sum + run.plan.searcher.budget, 0),
  );
  for (;;) {
    const rounds = runs.map((run) => run.next());
    const of = rounds.reduce((sum, round) => sum + round.length, 0);
    if (of === 0) break;
    const before = runs.reduce((sum, run) => sum + run.tried, 0);
    for (const [n, run] of runs.entries()) run.known += (rounds[n] ?? []).filter((params) => run.jobsOf(params).every(isKnown)).length;
    const looks = Math.max(0, ...plans.map(({ prune }) => prune?.looks.length ?? 0));
    let alive = rounds;
    for (let look = 0; look <= looks; look += 1) {
      const jobs = runs.map((run, n) => (alive[n] ?? []).map((params) => run.jobsAt(params, look, looks)));
      const share = (done: number) => onShare(Math.min(1, (before + (of * (look + done)) / (looks + 1)) / wanted));
      // A setting that several searches propose is played once.
      const distinct = timeByTime([...new Map(jobs.flat(2).map((job) => [job.id, job])).values()]);
      const results = new Map((await play(distinct, share)).map((one) => [one.id, one]));
      const missing = distinct.some(({ id }) => !results.has(id));
      alive = runs.map((run, n) =>
        run.advance(
          alive[n] ?? [],
          (jobs[n] ?? []).map((own) =>
            own.every(({ id }) => results.has(id)) ? own.flatMap(({ id }) => results.get(id) ?? []) : undefined,
          ),
          look,
          looks,
        ),
      );
      if (missing) return runs.map((run) => run.searched());
    }
    for (const run of runs) run.tell();
  }
  onShare(1);
  return runs.map((run) => run.searched());
}

/** One time of the recording after the other, since the screen keeps few of them. */
export const timeByTime = (jobs: readonly TrialJob[]): readonly TrialJob[] =>
  [...Map.groupBy(jobs, ({ from, to }) => `${from} ${to}`).values()].flatMap(spread);

/**
 * The same items, each part of them an even sample of all: neighbours of a grid cost and earn alike, so that the time left would be guessed
 * from one corner, and a sweep that is stopped would show that corner alone.
 */
function spread<Item>(items: readonly Item[]): readonly Item[] {
  const golden = (Math.sqrt(5) - 1) / 2;
  const placed = items.map((item, n) => ({ item, place: (n * golden) % 1 }));
  return placed.toSorted((a, b) => a.place - b.place).map(({ item }) => item);
}

/** Rounds without anything new in them, from which a space counts as searched. */
const PATIENCE = 100;

/** The progress of one search. */
class Run {
  readonly plan: SearchPlan;
  known = 0;
  private readonly jobs = new Map<string, readonly TrialJob[]>();
  /** Under which name a setting stands, by its backtests. */
  private readonly names = new Map<string, string>();
  private readonly asked: string[] = [];
  private readonly seen = new Set<string>();
  private readonly results = new Map<string, TrialResult>();
  private readonly pruned = new Map<string, PrunedTrial>();
  private readonly looked: TrialResult[][] = [];
  private isOver = false;

  constructor(plan: SearchPlan) {
    this.plan = plan;
  }

  get tried(): number {
    return this.results.size + this.pruned.size;
  }

  /** What is to be played next: proposals that are new and make sense. A round that has none is told at once. */
  next(): readonly TrialParams[] {
    const { searcher, accepts } = this.plan;
    for (let empty = 0; !this.isOver && empty < PATIENCE; empty += 1) {
      const left = searcher.budget - this.seen.size;
      const asked = left > 0 ? searcher.ask() : [];
      this.isOver = asked.length === 0;
      const round: TrialParams[] = [];
      for (const params of asked) {
        const isPlayable = round.length < left && accepts(params);
        const key = isPlayable ? this.nameOf(params) : JSON.stringify(params);
        this.asked.push(key);
        if (!isPlayable || this.seen.has(key)) continue;
        this.seen.add(key);
        round.push(params);
      }
      if (round.length > 0) return round;
      if (!this.isOver) this.tell();
    }
    this.isOver = true;
    return [];
  }

  /** The jobs of a setting to the end. */
  jobsOf(params: TrialParams): readonly TrialJob[] {
    const key = JSON.stringify(params);
    const jobs = this.jobs.get(key) ?? this.plan.jobs(params);
    this.jobs.set(key, jobs);
    return jobs;
  }

  /** The name of a setting. Settings that come to the same backtests are one, such as ways to reckon an exit that is off. */
  private nameOf(params: TrialParams): string {
    const ids = this.jobsOf(params).map(({ id }) => id);
    const name = this.names.get(ids.join()) ?? JSON.stringify(params);
    this.names.set(ids.join(), name);
    return name;
  }

  /** The jobs of a setting at a look; at the last one, and where this search has fewer, to the end. */
  jobsAt(params: TrialParams, look: number, looks: number): readonly TrialJob[] {
    const own = this.plan.prune?.looks ?? [];
    const at = own[look];
    if (look === looks) return this.jobsOf(params);
    return at === undefined ? [] : this.plan.jobs(params, at);
  }

  /** Takes what came of a look: the settings that go on. Those whose results are not all there are left out. */
  advance(
    params: readonly TrialParams[],
    results: readonly (readonly TrialResult[] | undefined)[],
    look: number,
    looks: number,
  ): readonly TrialParams[] {
    const { prune, result } = this.plan;
    const isLast = look === looks;
    if (!isLast && (prune === null || look >= prune.looks.length)) return params;
    const whole = params.flatMap((one, n) => {
      const own = results[n];
      const came = own && result(one, own);
      return came ? [{ params: one, result: came }] : [];
    });
    if (isLast || prune === null) {
      for (const one of whole) this.results.set(JSON.stringify(one.params), one.result);
      return [];
    }
    this.looked[look] = [...(this.looked[look] ?? []), ...whole.map((one) => one.result)];
    const on = goingOn(
      whole.map((one) => one.result),
      this.plan.order(this.looked[look] ?? []),
      prune.by,
    );
    for (const one of whole) {
      if (on.has(one.result.id)) continue;
      this.pruned.set(JSON.stringify(one.params), { on: one.result, look, why: stoppedText(prune.by, one.result) });
    }
    return whole.filter((one) => on.has(one.result.id)).map((one) => one.params);
  }

  /** Tells the searcher how all compare: what was played to the end, then what was stopped late, then early, then what makes no sense. */
  tell(): void {
    const { order, searcher } = this.plan;
    const looks = Math.max(0, ...[...this.pruned.values()].map(({ look }) => look + 1));
    const stopped = Array.from({ length: looks }, (_, n) =>
      [...this.pruned.values()].filter(({ look }) => look === looks - 1 - n).map(({ on }) => on),
    );
    const best = [[...this.results.values()], ...stopped].flatMap((group) => order(group));
    const places = new Map(best.map(({ params }, place) => [JSON.stringify(params), place]));
    const placeOf = (n: number): number => places.get(this.asked[n] ?? '') ?? Number.MAX_SAFE_INTEGER;
    searcher.tell(this.asked.map((_, n) => n).sort((a, b) => placeOf(a) - placeOf(b) || a - b));
  }

  searched(): SearchResult {
    const whole = this.isOver ? this.seen.size : this.plan.searcher.budget;
    return { results: [...this.results.values()], pruned: [...this.pruned.values()], known: this.known, wanted: whole };
  }
}
