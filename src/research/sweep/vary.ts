import { decimalOf } from '#domain/decimal.ts';
import { KairosError } from '#domain/errors.ts';
import { seeded } from '#domain/seeded.ts';
import type { ParamValue, TrialParams } from '#research/replay/trial.ts';
import { bounds, stepsOf, valueAt } from '#research/search/space.ts';

/** What one `--vary` asks for, before it is held against the strategy. */
export interface Vary {
  readonly text: string;
  /** Where it stood, unless in a `--vary`. */
  readonly option?: '--space';
  readonly strategy: string;
  readonly param: string;
  readonly values: VaryValues;
  /** It counts only where the parameter of that name, `ID.PARAM`, has one of these values. */
  readonly when?: { readonly name: string; readonly in: readonly ParamValue[] };
}

type VaryValues =
  /** What the strategy declares as its `sweep`. */
  | { readonly kind: 'declared' }
  | { readonly kind: 'list'; readonly values: readonly ParamValue[] }
  | {
      readonly kind: 'range';
      readonly from: number;
      readonly to: number;
      readonly step: number | null;
      readonly log?: boolean;
      readonly factor?: number;
    };

/** A range as searches know it that know near from far. */
export interface AxisRange {
  readonly from: number;
  readonly to: number;
  /** Distance of its values; null for any number. */
  readonly step: number | null;
  readonly log: boolean;
  /** By how many times one value of a grid is the one before it. */
  readonly factor?: number;
}

/** One parameter with the values that it takes. */
export interface Axis {
  readonly strategy: string;
  readonly param: string;
  readonly values: readonly ParamValue[] | Between;
  /** Where the values are steps of a range: that range, for searches that know near from far. */
  readonly range?: AxisRange;
  /** It is varied only where another parameter, named before it, has one of these values. */
  readonly when?: { readonly strategy: string; readonly param: string; readonly in: readonly ParamValue[] };
}

/** Any number between two, for draws; even over the logarithm where `log` is true. */
interface Between {
  readonly from: number;
  readonly to: number;
  readonly log?: boolean;
}

/** Most trials of one sweep. */
const MAX_TRIALS = 100_000;

const NUMBER = '-?\\d{1,15}(?:\\.\\d{1,12})?';
const RANGE = new RegExp(`^(${NUMBER})\\.\\.(${NUMBER})(?::(log|x?${NUMBER}))?$`);
const PLAIN = new RegExp(`^${NUMBER}$`);

/** Reads `ID.PARAM=5..50:5`, `ID.PARAM=5..80:x2`, `ID.PARAM=5,10,20` or `ID.PARAM`, which is the range that the strategy declares. Throws USAGE. */
export function varyOf(text: string): Vary {
  const found = /^([a-z0-9][a-z0-9-]{0,63})\.([^=]{1,100})(?:=(.*))?$/s.exec(text);
  const [, strategy, param, wanted] = found ?? [];
  if (strategy === undefined || param === undefined)
    throw usage(text, 'must be STRATEGY_ID.PARAM=FROM..TO:STEP, STRATEGY_ID.PARAM=A,B,C, or a setting such as risk.maxSpreadPct=0.1,0.5');
  return { text, strategy, param, values: wanted === undefined ? { kind: 'declared' } : valuesOf(text, wanted.trim()) };
}

function valuesOf(text: string, wanted: string): VaryValues {
  const range = RANGE.exec(wanted);
  if (range) {
    const [, begin, end, by = ''] = range;
    const [from, to] = [Number(begin), Number(end)];
    const factor = by.startsWith('x') ? Number(by.slice(1)) : undefined;
    const log = by === 'log' || factor !== undefined;
    const step = by === '' || log ? null : Number(by);
    if (log && from <= 0) throw usage(text, 'needs a begin above 0, of which there is a logarithm');
    if (to < from) throw usage(text, `ends below its begin: write ${to}..${from}`);
    if (step !== null && step <= 0) throw usage(text, 'needs a step above 0');
    if (factor !== undefined && factor <= 1) throw usage(text, `needs a factor above 1, such as ${begin}..${end}:x2`);
    return { kind: 'range', from, to, step, ...(log && { log }), ...(factor !== undefined && { factor }) };
  }
  const parts = wanted.split(',').map((part) => part.trim());
  if (wanted.includes('..') || parts.some((part) => part === '')) throw usage(text, 'needs values such as 5..50:5 or 5,10,20');
  return { kind: 'list', values: parts.map(plainValue) };
}

function plainValue(text: string): ParamValue {
  if (PLAIN.test(text)) return Number(text);
  return text === 'true' || text === 'false' ? text === 'true' : text;
}

/** From, from + step and so on up to and with `to`, without the rounding of doubles. Throws USAGE for more than a sweep can have. */
export function steps(
  text: string,
  { from, to, step }: { readonly from: number; readonly to: number; readonly step: number },
): readonly number[] {
  const [first, by] = [decimalOf(String(from)), decimalOf(String(step))];
  const count = decimalOf(String(to)).minus(first).div(by).floor().toNumber() + 1;
  if (count > MAX_TRIALS) throw usage(text, `has ${count} values, and a sweep at most ${MAX_TRIALS} trials: take a larger step`);
  return Array.from({ length: count }, (_, n) => first.plus(by.times(n)).toNumber());
}

/** From, from * factor and so on up to and with `to`, whole numbers where they have a step. Throws USAGE for more than a sweep can have. */
export function ratios(
  text: string,
  { from, to, step, factor = 2 }: Pick<AxisRange, 'from' | 'to' | 'step' | 'factor'>,
): readonly number[] {
  const count = Math.floor(Math.log(to / from) / Math.log(factor) + 1e-9) + 1;
  if (count > MAX_TRIALS) throw usage(text, `has ${count} values, and a sweep at most ${MAX_TRIALS} trials: take a larger factor`);
  const value = (n: number): number => Math.min(to, from * factor ** n);
  const all = Array.from({ length: count }, (_, n) => (step === null ? Number(value(n).toPrecision(12)) : Math.round(value(n))));
  return [...new Set(all)];
}

/** Combinations that will be tried, and how many their strategies refuse. */
export interface Combinations {
  readonly params: readonly TrialParams[];
  readonly refused: number;
}

/** False for parameters that make no sense together. */
type Accepts = (params: TrialParams) => boolean;

/** Every combination, the last axis changing first. Throws USAGE where there are too many, or values that have no end. */
export function grid(axes: readonly Axis[], accepts: Accepts): Combinations {
  const lists = axes.map(({ strategy, param, values }) => {
    if (isList(values)) return values;
    const example = values.log ? `a factor, such as ${values.from}..${values.to}:x2` : 'a step, such as 0..1:0.1';
    throw usage(`${strategy}.${param}`, `needs ${example}, unless --random draws from it`);
  });
  const count = lists.reduce((product, values) => product * values.length, 1);
  if (count > MAX_TRIALS) {
    throw new KairosError(
      'USAGE',
      `--vary asks for ${count} trials, and ${MAX_TRIALS} are the most: take larger steps, or --random N of them`,
    );
  }
  const all = Array.from({ length: count }, (_, n) => {
    let rest = n;
    const chosen = lists.toReversed().map((values) => {
      const value = values[rest % values.length] ?? 0;
      rest = Math.floor(rest / values.length);
      return value;
    });
    return paramsOf(axes, chosen.toReversed());
  });
  const params = [...new Map(all.filter(accepts).map((one) => [JSON.stringify(one), one])).values()];
  return { params, refused: all.filter((one) => !accepts(one)).length };
}

/** Draws without a new combination that is accepted before what is left is taken for too little. */
const PATIENCE = 1000;

/** `count` different combinations, drawn by a seed: the same seed draws the same. All of them where there are no more; fewer where hardly one is accepted. */
export function drawn(
  axes: readonly Axis[],
  by: { readonly count: number; readonly seed: string; readonly accepts: Accepts },
): Combinations {
  const { count, seed, accepts } = by;
  const sizes = axes.map(sizeOf);
  if (sizes.reduce((product, size) => product * size, 1) <= count) return grid(axes.map(spread), accepts);
  const random = seeded(`${seed}/sweep`);
  const seen = new Set<string>();
  const params: TrialParams[] = [];
  for (let tries = 0; params.length < count && tries < PATIENCE; tries += 1) {
    const values = axes.map((axis) => draw(axis, random.next()));
    const one = paramsOf(axes, values);
    const key = JSON.stringify(one);
    if (seen.has(key)) continue;
    seen.add(key);
    if (!accepts(one)) continue;
    params.push(one);
    tries = 0;
  }
  return { params, refused: seen.size - params.length };
}

function draw({ values, range }: Axis, chance: number): ParamValue {
  if (range?.log && range.step !== null) {
    const whole = { low: range.from, high: range.to, step: range.step, log: true };
    const ends = bounds(whole);
    return valueAt(whole, ends.from + chance * (ends.to - ends.from));
  }
  if (range?.log) return between(range, chance);
  return isList(values) ? (values[Math.floor(chance * values.length)] ?? 0) : between(values, chance);
}

function between({ from, to, log }: Between, chance: number): number {
  const value = log ? from * (to / from) ** chance : from + chance * (to - from);
  return Number(value.toPrecision(6));
}

/** How many values can be drawn of it: of a range by ratio all that lie between its ends. */
function sizeOf({ values, range }: Axis): number {
  if (range?.log) return stepsOf({ ...range, low: range.from, high: range.to }) + 1;
  return isList(values) ? values.length : Number.POSITIVE_INFINITY;
}

/** The axis with all values that can be drawn of it. */
const spread = (axis: Axis): Axis => {
  const { range, strategy, param } = axis;
  if (!range?.log || range.step === null) return axis;
  return { ...axis, values: steps(`${strategy}.${param}`, { ...range, step: range.step }) };
};

const isList = (values: Axis['values']): values is readonly ParamValue[] => Array.isArray(values);

/** Values of the axes as a trial has them, without those that do not count. */
export function paramsOf(axes: readonly Axis[], values: readonly ParamValue[]): TrialParams {
  const params: Record<string, Record<string, ParamValue>> = {};
  for (const [place, { strategy, param, when }] of axes.entries()) {
    const decides = when && params[when.strategy]?.[when.param];
    if (when && (decides === undefined || !when.in.includes(decides))) continue;
    params[strategy] = { ...params[strategy], [param]: values[place] ?? 0 };
  }
  return params;
}

const usage = (text: string, what: string): KairosError => new KairosError('USAGE', `--vary ${text}: ${what}`);
