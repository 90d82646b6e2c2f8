import { type Dimension, isRange, type ParameterPoint, stepsOf, type Value } from './space.ts';

/** Neighbours differ in each range by at most this share of it, or by one step where that is more. */
const NEAR = 0.1;

/** Neighbours from which their middle says something. */
const ENOUGH = 3;

/** A setting with its result. */
interface ScoredPoint {
  readonly point: ParameterPoint;
  /** In the unit of the figure. */
  readonly value: number;
}

/** How much of the best its neighbourhood keeps. */
interface Plateau {
  /** The median of the neighbours over the best: 1 on a plain, 0 and below for a peak that stands alone. */
  readonly score: number;
  readonly neighbours: number;
}

/**
 * What settings near the best one came to: those that differ in each range by a tenth of it at most, or by one step, in a list of numbers by one place,
 * and in no other choice. Undefined for
 * less than three, or a best that is not above 0.
 */
export function plateauOf(best: ScoredPoint, others: readonly ScoredPoint[], dimensions: readonly Dimension[]): Plateau | undefined {
  const near = others.filter(({ point }) => point !== best.point && dimensions.every((dimension) => isNear(dimension, best.point, point)));
  if (near.length < ENOUGH || !(best.value > 0)) return undefined;
  const values = near.map(({ value }) => value).sort((a, b) => a - b);
  const middle = (values.length - 1) / 2;
  const median = ((values[Math.floor(middle)] ?? 0) + (values[Math.ceil(middle)] ?? 0)) / 2;
  return { score: median / best.value, neighbours: near.length };
}

function isNear({ name, values }: Dimension, a: ParameterPoint, b: ParameterPoint): boolean {
  const [x, y] = [a[name], b[name]];
  if (x === undefined || y === undefined) return x === y;
  if (!isRange(values)) return isNumbers(values) ? placesApart(values, Number(x), Number(y)) <= 1 : x === y;
  const { low, high, log, factor = 1 } = values;
  const place = (value: number): number => (log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low));
  const apart = Math.abs(place(Number(x)) - place(Number(y)));
  const oneStep = log ? isOneStep(Number(x), Number(y), { step: values.step ?? 0, factor }) : apart <= 1 / stepsOf(values) + 1e-9;
  return apart <= NEAR + 1e-9 || oneStep;
}

const isNumbers = (values: readonly Value[]): values is readonly number[] => values.every((one) => typeof one === 'number');

/** How many places two numbers of a list are apart, by size. */
const placesApart = (values: readonly number[], x: number, y: number): number =>
  new Set(values.filter((one) => one > Math.min(x, y) && one <= Math.max(x, y))).size;

/** Neighbours of a log range: by its step, or by its factor and what rounding to whole numbers adds. */
const isOneStep = (x: number, y: number, { step, factor }: { readonly step: number; readonly factor: number }): boolean =>
  Math.max(x, y) - step / 2 <= (Math.min(x, y) + step / 2) * factor * (1 + 1e-9);
