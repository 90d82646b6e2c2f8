import { seeded } from '#domain/seeded.ts';
import { drawValue, fresh, keyOf, type Point, pointBy, type Space } from './space.ts';

/**
 * Proposes settings and learns how they compare. It is asked in rounds, and told after each one: what it proposes is a function of
 * space, seed and the orders it was told, never of how many threads play or which of them is done first.
 */
export interface Sampler {
  /** Settings of the next round; none where there is nothing left to try. */
  ask(): readonly Point[];
  /** Places of all points that were asked for so far, counted from 0 in the order of asking; the best first. */
  tell(order: readonly number[]): void;
}

/** How a sampler is set up. */
export interface SamplerOptions {
  readonly space: Space;
  readonly seed: string;
  /** Points of a round. */
  readonly batch: number;
}

/** Draws evenly, none twice. */
export class RandomSampler implements Sampler {
  private readonly options: SamplerOptions;
  private readonly taken = new Set<string>();
  private readonly random;

  constructor(options: SamplerOptions) {
    this.options = options;
    this.random = seeded(`${options.seed}/random`);
  }

  ask(): readonly Point[] {
    const { space, batch } = this.options;
    const points: Point[] = [];
    while (points.length < batch) {
      const point = fresh(space, this.taken, () => pointBy(space.dimensions, (dimension) => drawValue(dimension, this.random)));
      if (!point) break;
      this.taken.add(keyOf(point));
      points.push(point);
    }
    return points;
  }

  tell(): void {}
}
