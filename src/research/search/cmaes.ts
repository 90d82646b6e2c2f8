import { KairosError } from '#domain/errors.ts';
import { type Seeded, seeded } from '#domain/seeded.ts';
import { type CmaDefaults, defaultsOf, lambdaOf } from './cmaes-defaults.ts';
import { eigenOf } from './eigen.ts';
import { gaussian } from './normal.ts';
import type { Sampler, SamplerOptions } from './sampler.ts';
import { bounds, isRange, keyOf, type ParameterPoint, type Range, valueAt } from './space.ts';

/** Step size at first, of a unit cube in which every range is 1 long (Hansen 2016, section B: a third of the range or less). */
const SIGMA = 0.3;

/** Draws until one lies within the cube and makes sense; after these it is cut to the cube. */
const DRAWS = 100;

/** Below this step size the search has converged. */
const CONVERGED = 1e-4;

/** Restarts in a row that bring nothing new, from which the space counts as searched. */
const IDLE = 5;

type Vector = readonly number[];

/** The state of the strategy, named as in the tutorial. */
interface State {
  readonly mean: Vector;
  readonly sigma: number;
  readonly c: readonly Vector[];
  readonly pSigma: Vector;
  readonly pC: Vector;
  readonly generation: number;
}

/**
 * The (mu/mu_w, lambda) covariance matrix adaptation evolution strategy in its standard form, with default parameters and negative
 * weights (Hansen 2016, "The CMA evolution strategy: a tutorial", arXiv:1604.00772). Ranges are scaled to a unit cube; values with a
 * step are rounded for the trial alone. A round is a generation. What has converged, or proposes only what was tried, begins anew at
 * another place with twice as many points (Auger and Hansen 2005, IPOP). Throws USAGE for a space with choices or conditions.
 */
export class CmaSampler implements Sampler {
  private readonly options: SamplerOptions;
  private readonly ranges: readonly { readonly name: string; readonly range: Range }[];
  private readonly random: Seeded;
  private readonly taken = new Set<string>();
  private defaults: CmaDefaults;
  private state: State;
  /** Points of this generation, as they were drawn. */
  private drawn: readonly Vector[] = [];
  private asked = 0;
  private idle = 0;

  constructor(options: SamplerOptions) {
    this.options = options;
    this.ranges = options.space.dimensions.map(({ name, values, when }) => {
      if (isRange(values) && when === undefined) return { name, range: values };
      throw new KairosError(
        'USAGE',
        `--search cmaes: ${name} is ${when ? 'conditional' : 'a choice'}, and it searches ranges of numbers alone; take tpe`,
      );
    });
    this.random = seeded(`${options.seed}/cmaes`);
    this.defaults = defaultsOf(this.ranges.length);
    this.state = begun(this.ranges.map(() => 0.5));
  }

  ask(): readonly ParameterPoint[] {
    while (this.idle < IDLE) {
      const { axes, scales } = shapeOf(this.state.c);
      if (this.state.sigma * Math.max(...scales) < CONVERGED) this.restart();
      const drawn = Array.from({ length: this.defaults.lambda }, () => this.draw(axes, scales));
      const points = drawn.map((x) => this.pointOf(x));
      if (points.some((point) => !this.taken.has(keyOf(point)))) {
        for (const point of points) this.taken.add(keyOf(point));
        this.drawn = drawn;
        this.asked += points.length;
        this.idle = 0;
        return points;
      }
      this.idle += 1;
      this.restart();
    }
    return [];
  }

  tell(order: readonly number[]): void {
    const first = this.asked - this.drawn.length;
    const best = order.filter((place) => place >= first).map((place) => this.drawn[place - first] ?? []);
    if (best.length === this.drawn.length) this.state = advanced(this.state, this.defaults, best);
  }

  private restart(): void {
    const n = this.ranges.length;
    const most = lambdaOf(n) * 2 ** 6;
    this.defaults = defaultsOf(n, Math.min(most, this.defaults.lambda * 2));
    this.state = begun(this.ranges.map(() => this.random.next()));
  }

  private draw(axes: readonly Vector[], scales: Vector): Vector {
    const { mean, sigma } = this.state;
    let x: Vector = mean;
    for (let tries = 0; tries < DRAWS; tries += 1) {
      const z = scales.map((scale) => scale * gaussian(this.random));
      x = mean.map((m, i) => m + sigma * dot(axes[i] ?? [], z));
      if (x.every((one) => one >= 0 && one <= 1) && this.options.space.accepts(this.pointOf(x))) return x;
    }
    return x.map((one) => Math.min(1, Math.max(0, one)));
  }

  private pointOf(x: Vector): ParameterPoint {
    return Object.fromEntries(
      this.ranges.map(({ name, range }, i) => {
        const { from, to } = bounds(range);
        return [name, valueAt(range, from + (x[i] ?? 0) * (to - from))];
      }),
    );
  }
}

const begun = (mean: Vector): State => ({
  mean,
  sigma: SIGMA,
  c: mean.map((_, i) => mean.map((_unused, j) => (i === j ? 1 : 0))),
  pSigma: mean.map(() => 0),
  pC: mean.map(() => 0),
  generation: 0,
});

/** Axes of the distribution, as rows over its principal directions, and its length along each. */
function shapeOf(c: readonly Vector[]): { readonly axes: readonly Vector[]; readonly scales: Vector } {
  const { values, vectors } = eigenOf(c);
  return { axes: vectors, scales: values.map((one) => Math.sqrt(Math.max(one, 1e-20))) };
}

/** The state after a generation, whose points are given the best first: equations 38 to 47 of the tutorial. */
function advanced({ mean, sigma, c, pSigma, pC, generation }: State, by: CmaDefaults, best: readonly Vector[]): State {
  const n = mean.length;
  const { axes, scales } = shapeOf(c);
  const whitened = (y: Vector): Vector => {
    const along = scales.map((scale, k) => mean.reduce((all, _, i) => all + (axes[i]?.[k] ?? 0) * (y[i] ?? 0), 0) / scale);
    return mean.map((_, i) => dot(axes[i] ?? [], along));
  };
  const ys = best.map((x) => x.map((one, i) => (one - (mean[i] ?? 0)) / sigma));
  const step = mean.map((_, i) => ys.slice(0, by.mu).reduce((all, y, k) => all + (by.weights[k] ?? 0) * (y[i] ?? 0), 0));
  const white = whitened(step);
  const grown = Math.sqrt(by.cSigma * (2 - by.cSigma) * by.muEff);
  const path = pSigma.map((one, i) => (1 - by.cSigma) * one + grown * (white[i] ?? 0));
  const length = Math.sqrt(dot(path, path));
  const settled = Math.sqrt(1 - (1 - by.cSigma) ** (2 * (generation + 1)));
  const heaviside = length / settled < (1.4 + 2 / (n + 1)) * by.chi ? 1 : 0;
  const turned = heaviside * Math.sqrt(by.cC * (2 - by.cC) * by.muEff);
  const pathC = pC.map((one, i) => (1 - by.cC) * one + turned * (step[i] ?? 0));
  const weights = by.weights.map((weight, k) => {
    const y = whitened(ys[k] ?? []);
    return weight >= 0 ? weight : (weight * n) / Math.max(dot(y, y), 1e-20);
  });
  const all = by.weights.reduce((sum, one) => sum + one, 0);
  const kept = 1 + by.c1 * (1 - heaviside) * by.cC * (2 - by.cC) - by.c1 - by.cMu * all;
  return {
    mean: mean.map((m, i) => Math.min(1, Math.max(0, m + sigma * (step[i] ?? 0)))),
    sigma: Math.min(1, sigma * Math.exp((by.cSigma / by.dSigma) * (length / by.chi - 1))),
    c: c.map((row, i) =>
      row.map(
        (one, j) =>
          kept * one +
          by.c1 * (pathC[i] ?? 0) * (pathC[j] ?? 0) +
          by.cMu * weights.reduce((sum, weight, k) => sum + weight * (ys[k]?.[i] ?? 0) * (ys[k]?.[j] ?? 0), 0),
      ),
    ),
    pSigma: path,
    pC: pathC,
    generation: generation + 1,
  };
}

function dot(a: Vector, b: Vector): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
