import { type Seeded, seeded } from '#domain/seeded.ts';
import { type Parzen, parzenOf } from './parzen.ts';
import type { Sampler, SamplerOptions } from './sampler.ts';
import { type Dimension, drawValue, fresh, keyOf, type ParameterPoint, pointBy, type Value } from './space.ts';

/** Points that are drawn evenly before the first one is modelled, and candidates of which the best is taken: Optuna's defaults. */
const STARTUP = 10;
const CANDIDATES = 24;

/** Points that the model may repeat before others are drawn. */
const ATTEMPTS = 20;

/** How many of n points count as good: a tenth, at most 25 (Optuna's default gamma). */
const goodOf = (n: number): number => Math.min(25, Math.ceil(n / 10));

/**
 * The tree-structured Parzen estimator (Bergstra, Bardenet, Bengio and Kegl 2011, "Algorithms for hyper-parameter optimization"),
 * one dimension after the other, with the defaults of Optuna's `TPESampler` (`multivariate=False`): the tenth that came out best
 * and the rest each make a density, and of 24 draws of the first that one is taken at which it is highest beside the second. It
 * needs the order of results alone, not their values. Points of a round that has not been told count among the bad ones ("constant
 * liar"), so that a round does not propose one point over and over. Nothing is proposed twice.
 */
export class TpeSampler implements Sampler {
  private readonly options: SamplerOptions;
  private readonly random: Seeded;
  private readonly asked: ParameterPoint[] = [];
  private readonly taken = new Set<string>();
  private order: readonly number[] = [];

  constructor(options: SamplerOptions) {
    this.options = options;
    this.random = seeded(`${options.seed}/tpe`);
  }

  ask(): readonly ParameterPoint[] {
    const points: ParameterPoint[] = [];
    while (points.length < this.options.batch) {
      const point = this.next();
      if (!point) break;
      this.taken.add(keyOf(point));
      this.asked.push(point);
      points.push(point);
    }
    return points;
  }

  tell(order: readonly number[]): void {
    this.order = order;
  }

  private next(): ParameterPoint | undefined {
    const { space } = this.options;
    const evenly = (): ParameterPoint => pointBy(space.dimensions, (dimension) => drawValue(dimension, this.random));
    if (this.asked.length < STARTUP || this.order.length === 0) return fresh(space, this.taken, evenly);
    const good = new Set(this.order.slice(0, goodOf(this.order.length)));
    const models = new Map(space.dimensions.map((dimension) => [dimension, this.modelOf(dimension, good)]));
    const by = (way: 'best' | 'any') => (): ParameterPoint =>
      pointBy(space.dimensions, (dimension) => models.get(dimension)?.[way]() ?? drawValue(dimension, this.random));
    // Where the best of the model was tried already: other draws of the good density, then even ones.
    return (
      fresh(space, this.taken, by('best'), ATTEMPTS) ??
      fresh(space, this.taken, by('any'), 10 * ATTEMPTS) ??
      fresh(space, this.taken, evenly)
    );
  }

  /** Draws of one dimension by the two densities. */
  private modelOf(dimension: Dimension, good: ReadonlySet<number>): { readonly best: () => Value; readonly any: () => Value } {
    const values = (wanted: boolean): readonly Value[] =>
      this.asked.flatMap((point, n) => (good.has(n) === wanted ? (point[dimension.name] ?? []) : []));
    const [below, above]: readonly [Parzen, Parzen] = [parzenOf(dimension, values(true)), parzenOf(dimension, values(false))];
    const best = (): Value => {
      let [chosen, most] = [below.draw(this.random), Number.NEGATIVE_INFINITY];
      for (let n = 0; n < CANDIDATES; n += 1) {
        const value = n === 0 ? chosen : below.draw(this.random);
        const score = below.log(value) - above.log(value);
        if (score > most) [chosen, most] = [value, score];
      }
      return chosen;
    };
    return { best, any: () => below.draw(this.random) };
  }
}
