import type { LoadedStrategy } from '#apps/assembly/assemble.ts';
import {
  type Axis,
  type Combinations,
  drawn,
  grid,
  type ParamValue,
  steps,
  type TrialParams,
  type Vary,
  varyOf,
} from '#apps/backtest/replay/sweep.ts';
import { type ParamSpec, type ParamSpecs, readParams } from '#core/strategy/params.ts';
import { KairosError } from '#domain/errors.ts';
import { nearest } from '#domain/nearest.ts';

/** What is asked for of a sweep. */
export interface Wanted {
  /** `STRATEGY_ID.PARAM=FROM..TO:STEP`, one a parameter. */
  readonly vary: readonly string[];
  /** So many draws instead of every combination. */
  readonly random: number | undefined;
  readonly seed: string;
}

/**
 * The combinations that a sweep tries. Throws USAGE, in one line, for an unknown strategy or parameter, and for a value that the
 * parameter cannot have.
 */
export function planned({ vary, random, seed }: Wanted, strategies: readonly LoadedStrategy[]): Combinations {
  if (vary.length === 0) throw new KairosError('USAGE', '--vary: name at least one parameter, such as --vary cross-btc.fast=5..50:5');
  const byId = new Map(strategies.map(({ strategy }) => [String(strategy.id), strategy]));
  const read = vary.map(varyOf);
  const twice = read.find(
    ({ strategy, param }, place) => read.findIndex((one) => one.strategy === strategy && one.param === param) < place,
  );
  if (twice) throw new KairosError('USAGE', `--vary ${twice.text}: ${twice.param} is named twice; list its values in one --vary`);
  const axes = read.map((one): Axis => {
    const { strategy, param, text } = one;
    const found = byId.get(strategy);
    if (!found) throw new KairosError('USAGE', `--vary ${text}: there is no strategy ${strategy}; ${hint(strategy, [...byId.keys()])}`);
    const specs: ParamSpecs = found.definition.params ?? {};
    const spec = Object.hasOwn(specs, param) ? specs[param] : undefined;
    if (!spec) throw new KairosError('USAGE', `--vary ${text}: ${strategy} has no parameter ${param}; ${hint(param, Object.keys(specs))}`);
    const axis = axisOf(one, spec);
    for (const value of ends(axis)) {
      const [fault] = readParams(specs, { [param]: value }).faults;
      if (fault !== undefined) throw new KairosError('USAGE', `--vary ${text}: ${fault}`);
    }
    return axis;
  });
  const accepts = (params: TrialParams): boolean => isAccepted(params, byId);
  const { params, refused } = random === undefined ? grid(axes, accepts) : drawn(axes, { count: random, seed, accepts });
  if (params.length > 0) return { params, refused };
  throw new KairosError('USAGE', `--vary: none of ${refused} combinations is accepted by its strategy; take other values`);
}

type ById = ReadonlyMap<string, LoadedStrategy['strategy']>;

function axisOf({ text, strategy, param, values }: Vary, spec: ParamSpec): Axis {
  const fault = (what: string): KairosError => new KairosError('USAGE', `--vary ${text}: ${what}`);
  const number = spec.kind === 'int' || spec.kind === 'number';
  switch (values.kind) {
    case 'list':
      return { strategy, param, values: values.values };
    case 'declared':
      if (spec.kind === 'bool') return { strategy, param, values: [false, true] };
      if (spec.kind === 'choice') return { strategy, param, values: spec.of };
      if (!number || !spec.sweep) throw fault(`${strategy} says no range for it; write ${strategy}.${param}=FROM..TO:STEP`);
      return { strategy, param, values: steps(text, { from: spec.sweep[0], to: spec.sweep[1], step: spec.sweep[2] }) };
    case 'range': {
      if (!number) throw fault(`is no number; write its values, such as ${param}=a,b`);
      const { from, to } = values;
      const step = values.step ?? (spec.kind === 'int' ? 1 : null);
      return { strategy, param, values: step === null ? { from, to } : steps(text, { from, to, step }) };
    }
  }
}

/** The values at which an axis can leave what its parameter allows. */
const ends = ({ values }: Axis): readonly ParamValue[] => ('from' in values ? [values.from, values.to] : values);

function isAccepted(params: TrialParams, byId: ById): boolean {
  return Object.entries(params).every(([id, values]) => {
    const strategy = byId.get(id);
    return strategy?.definition.where?.(readParams(strategy.definition.params ?? {}, { ...strategy.params, ...values }).values) ?? true;
  });
}

function hint(word: string, names: readonly string[]): string {
  const near = nearest(word, names, Math.max(2, Math.floor(word.length / 3)));
  return near === undefined ? `there is ${names.join(', ') || 'none'}` : `did you mean ${near}?`;
}
