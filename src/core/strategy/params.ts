/** How a parameter is swept: from, to, step; with `log` the step is a factor. */
type Sweep = readonly [from: number, to: number, step: number];

interface NumberOptions {
  readonly min?: number;
  readonly max?: number;
  readonly sweep?: Sweep;
  /** True: a search counts by how many times a value is another, not by how much. */
  readonly log?: boolean;
}

/** One declared parameter: its kind, its default and its bounds. */
export type ParamSpec =
  | ({ readonly kind: 'int' | 'number'; readonly initial: number } & NumberOptions)
  | { readonly kind: 'bool'; readonly initial: boolean }
  | { readonly kind: 'text'; readonly initial: string }
  | { readonly kind: 'choice'; readonly initial: string; readonly of: readonly string[] };

/** The parameters of a strategy by name. */
export type ParamSpecs = Readonly<Record<string, ParamSpec>>;

type ValueOf<Spec> = Spec extends { readonly initial: infer Initial }
  ? Initial extends number
    ? number
    : Initial extends boolean
      ? boolean
      : string
  : never;

/** The values that a strategy gets for the parameters it declared. */
export type ParamValues<Specs extends ParamSpecs> = { readonly [Name in keyof Specs]: ValueOf<Specs[Name]> };

/**
 * Declares parameters, each with its default first: `param.int(20, { min: 1, max: 100 })`, `param.number(0.5, { min: 0 })`,
 * `param.bool(true)`, `param.text('usd')`, `param.choice('long', ['long', 'short'])`.
 */
export const param = {
  int: (initial: number, options: NumberOptions = {}) => ({ kind: 'int', initial, ...kept(options) }) as const,
  number: (initial: number, options: NumberOptions = {}) => ({ kind: 'number', initial, ...kept(options) }) as const,
  bool: (initial: boolean) => ({ kind: 'bool', initial }) as const,
  text: (initial: string) => ({ kind: 'text', initial }) as const,
  choice: (initial: string, of: readonly string[]) => ({ kind: 'choice', initial, of }) as const,
};

/** Modules in JavaScript pass anything: what is no object would be lost among the others, so it keeps a name of its own. */
function kept(options: NumberOptions): NumberOptions {
  if (typeof options === 'object') return options;
  const odd: object = { options };
  return odd;
}

/**
 * The values for `specs`, from settings and defaults. Returns the faults as one line each, naming the parameter and
 * what would be right.
 */
export function readParams(
  specs: ParamSpecs,
  given: Readonly<Record<string, unknown>>,
): { values: Record<string, number | boolean | string>; faults: string[] } {
  const faults: string[] = [];
  const values: Record<string, number | boolean | string> = {};
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(specs, name)) faults.push(`params.${name}: unknown; the strategy has ${Object.keys(specs).join(', ') || 'none'}`);
  }
  for (const [name, spec] of Object.entries(specs)) {
    const value = Object.hasOwn(given, name) ? given[name] : spec.initial;
    const fault = faultOf(spec, value);
    if (fault) faults.push(`params.${name}: ${fault}, not ${JSON.stringify(value)}`);
    if (isParamValue(value)) values[name] = value;
  }
  return { values, faults };
}

/** Why a parameter cannot have a value, in words; undefined where it can. */
export function faultOf(spec: ParamSpec, value: unknown): string | undefined {
  switch (spec.kind) {
    case 'int':
    case 'number':
      if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
      if (spec.kind === 'int' && !Number.isSafeInteger(value)) return 'must be a whole number';
      if (spec.min !== undefined && value < spec.min) return `must be at least ${spec.min}`;
      if (spec.max !== undefined && value > spec.max) return `must be at most ${spec.max}`;
      return undefined;
    case 'bool':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'text':
      return typeof value === 'string' ? undefined : 'must be text';
    case 'choice':
      return typeof value === 'string' && spec.of.includes(value) ? undefined : `must be one of ${spec.of.join(', ')}`;
  }
}

/** The values as `signals` and `decide` take them. Throws on one that no parameter can have: `readParams` comes first. */
export function paramValues(values: Readonly<Record<string, unknown>>): ParamValues<ParamSpecs> {
  const read: Record<string, number | boolean | string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (!isParamValue(value)) throw new TypeError(`params.${name}: must be a number, text, true or false`);
    read[name] = value;
  }
  return Object.freeze(read);
}

const isParamValue = (value: unknown): value is number | boolean | string =>
  typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string';
