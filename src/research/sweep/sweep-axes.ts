import type { LoadedStrategy } from '#assembly/assemble.ts';
import type { Settings } from '#config/settings.ts';
import { type ParamSpec, type ParamSpecs, readParams } from '#core/strategy/params.ts';
import { acceptsParams } from '#core/strategy/start-check.ts';
import { KairosError } from '#domain/errors.ts';
import { nearest } from '#domain/nearest.ts';
import { nameParts, type ParamValue, type TrialParams } from '#research/replay/trial.ts';
import {
  type Axis,
  type AxisRange,
  type Combinations,
  drawn,
  grid,
  paramsOf,
  ratios,
  steps,
  type Vary,
  varyOf,
} from '#research/sweep/vary.ts';
import { type SpaceFile, variesOf } from './space-file.ts';
import { paramsAmong, SECTIONS, variable, withSettings } from './varied-settings.ts';

/** The request of a sweep. */
export interface SweepRequest {
  /** `STRATEGY_ID.PARAM=FROM..TO:STEP`, one a parameter. */
  readonly vary: readonly string[];
  /** Parameters as a file of a space has them. */
  readonly space?: SpaceFile | undefined;
  /** Number of random draws, instead of every combination. */
  readonly random: number | undefined;
  readonly seed: string;
}

/** The variation, checked against the strategies. */
export interface SweepAxes {
  readonly axes: readonly Axis[];
  /** False for parameters that their strategy refuses together. */
  readonly accepts: (params: TrialParams) => boolean;
}

/** The combinations that a sweep tries. Throws USAGE, in one line, where there is none. */
export function planned({ random, seed }: Pick<SweepRequest, 'random' | 'seed'>, { axes, accepts }: SweepAxes): Combinations {
  const { params, refused } = random === undefined ? grid(axes, accepts) : drawn(axes, { count: random, seed, accepts });
  if (params.length > 0) return { params, refused };
  throw new KairosError('USAGE', `--vary: none of ${refused} combinations is accepted by its strategy; take other values`);
}

/** Reads what is to be varied. Throws USAGE, in one line, for an unknown strategy, parameter or setting, and for a value that it cannot have. */
export function variedOf(
  { vary, space }: Pick<SweepRequest, 'vary' | 'space'>,
  strategies: readonly LoadedStrategy[],
  settings: Settings,
): SweepAxes {
  const read = [...vary.map(varyOf), ...variesOf(space ?? {})].map((one) => ofUnit(one, settings));
  if (read.length === 0) throw new KairosError('USAGE', '--vary: name at least one parameter, such as --vary cross-btc.fast=5..50:5');
  const byId = new Map(strategies.map(({ strategy }) => [String(strategy.id), strategy]));
  const known = variable(settings);
  const twice = read.find(
    ({ strategy, param }, place) => read.findIndex((one) => one.strategy === strategy && one.param === param) < place,
  );
  if (twice)
    throw new KairosError(
      'USAGE',
      `${twice.option ?? '--vary'} ${twice.text}: ${twice.param} is named twice; list its values in one --vary`,
    );
  const axes = read.map((one): Axis => {
    const { strategy, param, text } = one;
    const option: string = one.option ?? '--vary';
    const fault = (what: string): KairosError => new KairosError('USAGE', `${option} ${text}: ${what}`);
    const specs: ParamSpecs = byId.get(strategy)?.definition.params ?? {};
    const spec = Object.hasOwn(specs, param) ? specs[param] : undefined;
    if (!spec && !known.includes(`${strategy}.${param}`)) throw fault(unknownText(one, { byId, specs, known }));
    const axis = axisOf(one, spec ?? ANY_NUMBER);
    for (const value of spec ? ends(axis) : []) {
      const [wrong] = readParams(specs, { [param]: value }).faults;
      if (wrong !== undefined) throw fault(wrong);
    }
    return one.when ? { ...axis, when: conditionOf(one, one.when, read) } : axis;
  });
  for (const [place, axis] of axes.entries()) {
    for (const value of ends(axis)) {
      // One setting may need another: it is wrong if it is so with the first values of the others and with their last.
      const [withFirst, withLast] = [0, -1].map((at) =>
        faultOf(
          settings,
          paramsOf(
            axes,
            axes.map((one, n) => (n === place ? value : (ends(one).at(at) ?? 0))),
          ),
        ),
      );
      if (withFirst !== undefined && withLast !== undefined)
        throw new KairosError('USAGE', `${read[place]?.option ?? '--vary'} ${read[place]?.text}: ${withFirst}`);
    }
  }
  return { axes, accepts: (params) => faultOf(settings, params) === undefined && isAccepted(params, byId) };
}

/** Ids of the strategies that are varied; undefined if none is named, or one that does not exist. Throws USAGE. */
export function sweptIn(
  { vary, space }: Pick<SweepRequest, 'vary' | 'space'>,
  configured: readonly { readonly id: string }[],
): readonly string[] | undefined {
  const ids = [...vary.map(varyOf), ...variesOf(space ?? {})].map(({ strategy }) => strategy);
  const own = ids.filter((id) => !SECTIONS.includes(id) || configured.some((entry) => entry.id === id));
  const known = own.every((id) => configured.some((entry) => entry.id === id));
  return own.length > 0 && known ? [...new Set(own)] : undefined;
}

/** What stands for the spec of a setting, whose bounds are those of its kind. */
const ANY_NUMBER: ParamSpec = { kind: 'number', initial: 0 };

const faultOf = (settings: Settings, params: TrialParams): string | undefined => {
  const varied = withSettings(settings, params);
  return typeof varied === 'string' ? varied : undefined;
};

/** An amount varies in the unit that it has. */
function ofUnit(vary: Vary, { strategies }: Settings): Vary {
  const entry = strategies.find(({ id }) => id === vary.strategy);
  return entry && vary.param === 'amount' ? { ...vary, param: 'base' in entry.amount ? 'amount.base' : 'amount.quote' } : vary;
}

function unknownText(
  { strategy, param }: Vary,
  { byId, specs, known }: { readonly byId: ById; readonly specs: ParamSpecs; readonly known: readonly string[] },
): string {
  if (!byId.has(strategy) && !SECTIONS.includes(strategy))
    return `there is no strategy ${strategy}; ${hint(strategy, [...byId.keys(), ...SECTIONS])}`;
  const own = known.filter((name) => nameParts(name)[0] === strategy).map((name) => nameParts(name)[1]);
  return byId.has(strategy)
    ? `${strategy} has no parameter ${param}; ${hint(param, [...Object.keys(specs), ...own])}`
    : `there is no setting ${strategy}.${param}; ${hint(param, own)}`;
}

type NumberSpec = Extract<ParamSpec, { readonly kind: 'int' | 'number' }>;

type ById = ReadonlyMap<string, LoadedStrategy['strategy']>;

function axisOf({ text, option, strategy, param, values }: Vary, spec: ParamSpec): Axis {
  const fault = (what: string): KairosError => new KairosError('USAGE', `${option ?? '--vary'} ${text}: ${what}`);
  const number = spec.kind === 'int' || spec.kind === 'number';
  switch (values.kind) {
    case 'list':
      return { strategy, param, values: values.values };
    case 'declared':
      if (spec.kind === 'bool') return { strategy, param, values: [false, true] };
      if (spec.kind === 'choice') return { strategy, param, values: spec.of };
      if (!number || !spec.sweep) throw fault(`${strategy} says no range for it; write ${strategy}.${param}=FROM..TO:STEP`);
      return { strategy, param, ...declared(text, spec, spec.sweep) };
    case 'range': {
      if (!number) throw fault(`is no number; write its values, such as ${param}=a,b`);
      const { from, to, factor } = values;
      // Who names a step counts by it; else the strategy says whether it counts by ratio.
      const log = values.log ?? (values.step === null && spec.log === true);
      if (log && from <= 0) throw fault(`needs a begin above 0: ${strategy} says of ${param} that it counts by ratio (log)`);
      const step = values.step ?? (spec.kind === 'int' ? 1 : null);
      return { strategy, param, ...stepped(text, { from, to, step, log, ...(factor !== undefined && { factor }) }) };
    }
  }
}

/** The range that the strategy declares: with `log` its last number is a factor. */
const declared = (text: string, { kind, log = false }: NumberSpec, [from, to, by]: NonNullable<NumberSpec['sweep']>) =>
  stepped(text, log ? { from, to, step: kind === 'int' ? 1 : null, log, factor: by } : { from, to, step: by, log });

function stepped(text: string, range: AxisRange): Pick<Axis, 'values' | 'range'> {
  const { from, to, step, log, factor } = range;
  if (factor !== undefined) return { values: ratios(text, range), range };
  return step === null ? { values: { from, to, log } } : { values: steps(text, { from, to, step }), range };
}

/** The condition of a parameter. Throws USAGE if it depends on a parameter that is not varied before it. */
function conditionOf(of: Vary, { name, in: values }: NonNullable<Vary['when']>, all: readonly Vary[]): NonNullable<Axis['when']> {
  const decides = all.slice(0, all.indexOf(of)).find((one) => `${one.strategy}.${one.param}` === name);
  if (decides) return { strategy: decides.strategy, param: decides.param, in: values };
  throw new KairosError('USAGE', `--space ${of.text}: its \`when\` names ${name}, which is not varied above it; name that one first`);
}

/** The values at which an axis can exceed the parameter's bounds. */
const ends = ({ values, range }: Axis): readonly ParamValue[] => {
  const within = range?.factor === undefined ? [] : [range.from, range.to];
  return 'from' in values ? [values.from, values.to] : [...values, ...within];
};

function isAccepted(params: TrialParams, byId: ById): boolean {
  return Object.entries(params).every(([id, values]) => {
    const strategy = byId.get(id);
    if (!strategy) return true;
    const { definition, origin } = strategy;
    return acceptsParams(definition, readParams(definition.params ?? {}, { ...strategy.params, ...paramsAmong(values) }).values, origin);
  });
}

function hint(word: string, names: readonly string[]): string {
  const near = nearest(word, names, Math.max(2, Math.floor(word.length / 3)));
  return near === undefined ? `there is ${names.join(', ') || 'none'}` : `did you mean ${near}?`;
}
