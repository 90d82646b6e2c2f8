import type { ParameterPoint, Space } from './space.ts';

/**
 * Proposes settings and learns how they compare. It is asked in rounds, and told after each one: what it proposes is a function of
 * space, seed and the orders it was told, never of how many threads play or which of them is done first.
 */
export interface Sampler {
  /** Settings of the next round; none where there is nothing left to try. */
  ask(): readonly ParameterPoint[];
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
