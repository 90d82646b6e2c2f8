import { seeded } from '#domain/seeded.ts';
import type { Sampler, SamplerOptions } from '#research/search/sampler.ts';
import { type Dimension, drawValue, fresh, keyOf, type ParameterPoint, pointBy, type Range, type Space } from '#research/search/space.ts';

/** A function to be made small, with what is known of its lowest place. */
export interface Problem {
  readonly name: string;
  readonly space: Space;
  readonly value: (point: ParameterPoint) => number;
  readonly lowest: number;
}

export const range = (low: number, high: number, more: Partial<Range> = {}): Range => ({ low, high, step: null, log: false, ...more });

const cube = (n: number, values: Range): readonly Dimension[] => Array.from({ length: n }, (_, i) => ({ name: `x${i}`, values }));

const numbers = (point: ParameterPoint): readonly number[] => Object.values(point).map(Number);

const accepts = () => true;

const sphere: Problem = {
  name: 'sphere',
  space: { dimensions: cube(5, range(-5, 5)), accepts },
  value: (point) => numbers(point).reduce((sum, x) => sum + x * x, 0),
  lowest: 0,
};

const branin: Problem = {
  name: 'Branin',
  space: {
    dimensions: [
      { name: 'x', values: range(-5, 10) },
      { name: 'y', values: range(0, 15) },
    ],
    accepts,
  },
  value: (point) => {
    const [x = 0, y = 0] = numbers(point);
    return (y - (5.1 / (4 * Math.PI ** 2)) * x * x + (5 / Math.PI) * x - 6) ** 2 + 10 * (1 - 1 / (8 * Math.PI)) * Math.cos(x) + 10;
  },
  lowest: 0.397887,
};

const rosenbrock: Problem = {
  name: 'Rosenbrock',
  space: { dimensions: cube(3, range(-2.048, 2.048)), accepts },
  value: (point) => {
    const x = numbers(point);
    return x.slice(1).reduce((sum, next, i) => sum + 100 * (next - (x[i] ?? 0) ** 2) ** 2 + (1 - (x[i] ?? 0)) ** 2, 0);
  },
  lowest: 0,
};

const A = [
  [10, 3, 17, 3.5, 1.7, 8],
  [0.05, 10, 17, 0.1, 8, 14],
  [3, 3.5, 1.7, 10, 17, 8],
  [17, 8, 0.05, 10, 0.1, 14],
];
const P = [
  [0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886],
  [0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991],
  [0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.665],
  [0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381],
];

const hartmann: Problem = {
  name: 'Hartmann-6',
  space: { dimensions: cube(6, range(0, 1)), accepts },
  value: (point) => {
    const x = numbers(point);
    const inner = (k: number): number => x.reduce((sum, one, j) => sum + (A[k]?.[j] ?? 0) * (one - (P[k]?.[j] ?? 0)) ** 2, 0);
    return -[1, 1.2, 3, 3.2].reduce((sum, alpha, k) => sum + alpha * Math.exp(-inner(k)), 0);
  },
  lowest: -3.32237,
};

/** A choice decides which number counts, over five decades, and one of the two ways is the better one. */
const conditional: Problem = {
  name: 'conditional',
  space: {
    dimensions: [
      { name: 'way', values: ['a', 'b', 'c'] },
      { name: 'rate', values: range(1e-5, 1, { log: true }), when: { name: 'way', in: ['a'] } },
      { name: 'depth', values: range(1, 200, { step: 1 }), when: { name: 'way', in: ['b', 'c'] } },
      { name: 'x', values: range(-3, 3) },
    ],
    accepts,
  },
  value: ({ way, rate, depth, x }) => {
    const own = way === 'a' ? Math.abs(Math.log10(Number(rate)) + 3) : 1 + Math.abs(Number(depth) - 40) / 40;
    return own + Number(x) ** 2 + (way === 'c' ? 1 : 0);
  },
  lowest: 0,
};

export const PROBLEMS: readonly Problem[] = [sphere, branin, rosenbrock, hartmann, conditional];
export const NUMERIC: readonly Problem[] = [sphere, branin, rosenbrock, hartmann];

/** Asks and tells until so many points were valued; the lowest value of each count, and the points. */
export function minimised(
  sampler: Sampler,
  { value }: Pick<Problem, 'value'>,
  trials: number,
): { readonly best: number; readonly points: readonly ParameterPoint[] } {
  const points: ParameterPoint[] = [];
  const values: number[] = [];
  while (points.length < trials) {
    const asked = sampler.ask();
    if (asked.length === 0) break;
    points.push(...asked);
    values.push(...asked.map(value));
    sampler.tell(values.map((_, n) => n).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b));
  }
  return { best: Math.min(...values.slice(0, trials)), points: points.slice(0, trials) };
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

  ask(): readonly ParameterPoint[] {
    const { space, batch } = this.options;
    const points: ParameterPoint[] = [];
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
