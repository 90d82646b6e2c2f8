import { KairosError } from '#domain/errors.ts';
import { nameParts, type TrialParams } from '#research/replay/trial.ts';
import { CmaSampler } from '#research/search/cmaes.ts';
import type { Sampler } from '#research/search/sampler.ts';
import type { Dimension, ParameterPoint, Space } from '#research/search/space.ts';
import { TpeSampler } from '#research/search/tpe.ts';
import { planned, type SweepAxes, type SweepRequest } from './sweep-axes.ts';

/** Search methods: the whole grid, random draws, or draws that learn from earlier results. */
export type SearchName = 'grid' | 'random' | 'tpe' | 'cmaes';

/** Trials of a search that learns, and settings that it proposes at a time. */
const TRIALS = 100;
const BATCH = 8;

/** The options of a search. */
export interface Method {
  readonly search?: SearchName | undefined;
  /** Settings that are tried. */
  readonly trials?: number | undefined;
  /** Settings that are proposed before results are looked at: as many whatever the number of threads. */
  readonly batch?: number | undefined;
}

/** Proposes what is tried, round by round. */
export interface Searcher {
  /** Settings that will be tried, where the space has as many. */
  readonly budget: number;
  /** Combinations that their strategy refuses, of those that were looked at. */
  readonly refused: number;
  /** Settings of the next round, possibly some that were tried before; empty if none are left. */
  ask(): readonly TrialParams[];
  /** The rank order of all proposed settings, by their position in the order of proposal; the best first. */
  tell(order: readonly number[]): void;
}

/** True if a search learns from results, so that its trials are no even sample. */
export const isAdaptive = (search: string | undefined): boolean => search === 'tpe' || search === 'cmaes';

/** The search method of the options. Throws USAGE for options that exclude each other. */
export function searchOf({ search, random, trials }: Method & Pick<SweepRequest, 'random'>): SearchName {
  const meant = search ?? (random === undefined ? 'grid' : 'random');
  if (random !== undefined && meant !== 'random')
    throw new KairosError('USAGE', `--random ${random}: --search ${meant} takes --trials ${random}`);
  if (random !== undefined && trials !== undefined)
    throw new KairosError('USAGE', `--random ${random}: with --trials ${trials} it says the same twice; leave out one`);
  if (meant === 'grid' && trials !== undefined)
    throw new KairosError('USAGE', `--trials ${trials}: a grid has all combinations; take --search random, tpe or cmaes`);
  return meant;
}

/** The searcher of what is asked for. `pruned`: results are looked at before all of a grid is played. Throws USAGE. */
export function searcherOf(
  wanted: SweepRequest & Method,
  varied: SweepAxes,
  { seed, pruned }: { readonly seed: string; readonly pruned: boolean },
): Searcher {
  const { trials = TRIALS, batch = BATCH } = wanted;
  const search = searchOf(wanted);
  if (!isAdaptive(search)) {
    const random = search === 'random' ? (wanted.random ?? trials) : undefined;
    const { params, refused } = planned({ random, seed }, varied);
    return new ListSearcher(params, refused, pruned ? batch : params.length);
  }
  const options = { space: spaceOf(varied), seed, batch };
  return new SampledSearcher(search === 'tpe' ? new TpeSampler(options) : new CmaSampler(options), trials);
}

/** Combinations that are known from the start. */
class ListSearcher implements Searcher {
  readonly budget: number;
  readonly refused: number;
  private readonly params: readonly TrialParams[];
  private readonly batch: number;
  private at = 0;

  constructor(params: readonly TrialParams[], refused: number, batch: number) {
    this.params = params;
    this.refused = refused;
    this.batch = batch;
    this.budget = params.length;
  }

  ask(): readonly TrialParams[] {
    const round = this.params.slice(this.at, this.at + this.batch);
    this.at += round.length;
    return round;
  }

  tell(): void {}
}

/** A sampler's proposal as parameters. */
class SampledSearcher implements Searcher {
  readonly budget: number;
  readonly refused = 0;
  private readonly sampler: Sampler;

  constructor(sampler: Sampler, budget: number) {
    this.sampler = sampler;
    this.budget = budget;
  }

  ask(): readonly TrialParams[] {
    return this.sampler.ask().map(paramsAt);
  }

  tell(order: readonly number[]): void {
    this.sampler.tell(order);
  }
}

/** Axes as dimensions by `ID.PARAM`. */
export function spaceOf({ axes, accepts }: SweepAxes): Space {
  const dimensions = axes.map(({ strategy, param, values, range, when }): Dimension => {
    const name = `${strategy}.${param}`;
    const condition = when && { when: { name: `${when.strategy}.${when.param}`, in: when.in } };
    if (range) {
      const { from, to, step, log, factor } = range;
      return { name, values: { low: from, high: to, step, log, ...(factor !== undefined && { factor }) }, ...condition };
    }
    if ('from' in values)
      return { name, values: { low: values.from, high: values.to, step: null, log: values.log === true }, ...condition };
    return { name, values, ...condition };
  });
  return { dimensions, accepts: (point) => accepts(paramsAt(point)) };
}

/** A point's values by strategy and parameter. */
function paramsAt(point: ParameterPoint): TrialParams {
  const params: Record<string, Record<string, ParameterPoint[string]>> = {};
  for (const [name, value] of Object.entries(point)) {
    const [group, own] = nameParts(name);
    params[group] = { ...params[group], [own]: value };
  }
  return params;
}
