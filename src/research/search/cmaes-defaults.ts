/** The parameters of the strategy, named as in the tutorial. */
export interface CmaDefaults {
  readonly lambda: number;
  /** Of the points of a generation, the best first; those of the worse half are below 0. */
  readonly weights: readonly number[];
  readonly mu: number;
  readonly muEff: number;
  readonly cSigma: number;
  readonly dSigma: number;
  readonly cC: number;
  readonly c1: number;
  readonly cMu: number;
  /** Expected length of a vector of `n` standard normal numbers. */
  readonly chi: number;
}

/** Points of a generation unless more are asked for. */
export const lambdaOf = (n: number): number => 4 + Math.floor(3 * Math.log(n));

/** Table 1 of Hansen 2016, "The CMA evolution strategy: a tutorial" (arXiv:1604.00772), with its negative weights. */
export function defaultsOf(n: number, lambda = lambdaOf(n)): CmaDefaults {
  const mu = Math.floor(lambda / 2);
  const raw = Array.from({ length: lambda }, (_, i) => Math.log((lambda + 1) / 2) - Math.log(i + 1));
  const effective = (part: readonly number[]): number => sum(part) ** 2 / sum(part.map((one) => one * one));
  const muEff = effective(raw.slice(0, mu));
  const c1 = 2 / ((n + 1.3) ** 2 + muEff);
  const cMu = Math.min(1 - c1, (2 * (1 / 4 + muEff + 1 / muEff - 2)) / ((n + 2) ** 2 + muEff));
  const muEffMinus = effective(raw.slice(mu));
  const least = Math.min(1 + c1 / cMu, 1 + (2 * muEffMinus) / (muEff + 2), (1 - c1 - cMu) / (n * cMu));
  const [up, down] = [sum(raw.filter((one) => one > 0)), -sum(raw.filter((one) => one < 0))];
  const cSigma = (muEff + 2) / (n + muEff + 5);
  return {
    lambda,
    mu,
    weights: raw.map((one) => (one >= 0 ? one / up : (one * least) / down)),
    muEff,
    cSigma,
    dSigma: 1 + 2 * Math.max(0, Math.sqrt((muEff - 1) / (n + 1)) - 1) + cSigma,
    cC: (4 + muEff / n) / (n + 4 + (2 * muEff) / n),
    c1,
    cMu,
    chi: Math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n)),
  };
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
