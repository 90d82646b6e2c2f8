import type { Seeded } from '#domain/seeded.ts';

/** A value that a setting can have. */
export type Value = number | boolean | string;

/** One setting of each dimension that counts, by its name. */
export type ParameterPoint = Readonly<Record<string, Value>>;

/** Numbers between two ends, both included. */
export interface Range {
  readonly low: number;
  readonly high: number;
  /** Distance of its values; null for any number. */
  readonly step: number | null;
  /** True: what counts is by how many times a value is another, not by how much. Needs `low` above 0. */
  readonly log: boolean;
  /** Of a log range: by how many times neighbours of a grid differ, where a grid of it was named. */
  readonly factor?: number;
}

/** One parameter of a search. */
export interface Dimension {
  readonly name: string;
  /** A range, or values without an order. */
  readonly values: Range | readonly Value[];
  /** It counts only where another one, named before it, has one of these values. */
  readonly when?: { readonly name: string; readonly in: readonly Value[] };
}

/** The search space. */
export interface Space {
  readonly dimensions: readonly Dimension[];
  /** False for settings that make no sense together. */
  readonly accepts: (point: ParameterPoint) => boolean;
}

export const isRange = (values: Dimension['values']): values is Range => !Array.isArray(values);

/** Number of draws without a new point after which a space counts as exhausted. */
const PATIENCE = 1000;

/** True where the dimension counts, given what was chosen before it. */
const counts = ({ when }: Dimension, chosen: ParameterPoint): boolean => {
  const decides = when && chosen[when.name];
  return when === undefined || (decides !== undefined && when.in.includes(decides));
};

/** A point by one choice after the other; dimensions that do not count have no value. */
export function pointBy(dimensions: readonly Dimension[], choose: (dimension: Dimension) => Value): ParameterPoint {
  const point: Record<string, Value> = {};
  for (const dimension of dimensions) if (counts(dimension, point)) point[dimension.name] = choose(dimension);
  return point;
}

/** Names a point: the same settings have the same key. */
export const keyOf = (point: ParameterPoint): string => JSON.stringify(point);

/** The ends of a range as a sampler sees them: a value with a step stands for half a step to each side; logarithms of a log range. */
export function bounds({ low, high, step, log }: Range): { readonly from: number; readonly to: number } {
  const half = (step ?? 0) / 2;
  // Half a step below the lowest value may be nothing, of which there is no logarithm.
  return log ? { from: Math.log(Math.max(low - half, low / 2)), to: Math.log(high + half) } : { from: low - half, to: high + half };
}

/** The value of a range that is nearest to a place within its bounds. */
export function valueAt(range: Range, place: number): number {
  const { low, high, step, log } = range;
  const plain = log ? Math.exp(place) : place;
  const value = step === null ? Number(plain.toPrecision(6)) : onStep(range, Math.round((plain - low) / step));
  return Math.min(high, Math.max(low, value));
}

/** Steps of a range above its first value. */
export const stepsOf = ({ low, high, step }: Range): number =>
  step === null ? Number.POSITIVE_INFINITY : Math.floor((high - low) / step + 1e-9);

/** The value so many steps above the lowest, without the rounding of doubles. */
function onStep(range: Range, steps: number): number {
  const { low, step } = range;
  const places = Math.min(12, Math.max(decimals(low), decimals(step ?? 1)));
  return Number((low + (step ?? 1) * Math.min(stepsOf(range), Math.max(0, steps))).toFixed(places));
}

const decimals = (value: number): number => {
  const [digits = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent));
};

/** A value drawn evenly, over the logarithm of a log range. */
export function drawValue({ values }: Dimension, random: Seeded): Value {
  const chance = random.next();
  if (!isRange(values)) return values[Math.floor(chance * values.length)] ?? 0;
  if (values.step !== null && !values.log) return onStep(values, Math.floor(chance * (stepsOf(values) + 1)));
  const { from, to } = bounds(values);
  return valueAt(values, from + chance * (to - from));
}

/**
 * The first point of `draw` that the space accepts and that was not taken before; undefined where so many draws bring none that
 * there is hardly one left.
 */
export function fresh(
  { accepts }: Space,
  taken: ReadonlySet<string>,
  draw: () => ParameterPoint,
  patience = PATIENCE,
): ParameterPoint | undefined {
  for (let tries = 0; tries < patience; tries += 1) {
    const point = draw();
    if (!taken.has(keyOf(point)) && accepts(point)) return point;
  }
  return undefined;
}
