import { KairosError } from '#domain/errors.ts';
import { isGroup } from '#domain/settings/kind.ts';
import type { ParamValue } from '#research/replay/trial.ts';
import { type Vary, varyOf } from '#research/sweep/vary.ts';

/** What a file of a space says: parameters by `STRATEGY_ID.PARAM`, each with the keys of Optuna's `suggest_*`, or a list of choices. */
export type SpaceFile = Readonly<Record<string, unknown>>;

const KEYS = ['low', 'high', 'step', 'log', 'choices', 'when'];

/** The parameters of a space, as if `--vary` had named them. Throws USAGE, in one line, for what is no parameter. */
export function variesOf(space: SpaceFile): readonly Vary[] {
  return Object.entries(space).map(([name, says]) => {
    const fault = (what: string): KairosError => new KairosError('USAGE', `--space ${name}: ${what}`);
    const { strategy, param } = varyOf(name);
    const named = { text: name, option: '--space', strategy, param } as const;
    if (says === null || says === undefined) return { ...named, values: { kind: 'declared' } };
    if (Array.isArray(says)) return { ...named, values: { kind: 'list', values: plain(says, fault) } };
    if (!isGroup(says)) throw fault('must be a list of values, or { low, high }');
    const unknown = Object.keys(says).find((key) => !KEYS.includes(key));
    if (unknown !== undefined) throw fault(`has no ${unknown}; there are ${KEYS.join(', ')}`);
    const when = says.when === undefined ? {} : { when: conditionOf(says.when, fault) };
    return { ...named, values: valuesOf(says, fault), ...when };
  });
}

type Fault = (what: string) => KairosError;

function valuesOf({ low, high, step, log, choices }: Record<string, unknown>, fault: Fault): Vary['values'] {
  if (choices !== undefined) {
    if (!Array.isArray(choices) || low !== undefined || high !== undefined)
      throw fault('takes `choices` as a list, without `low` and `high`');
    return { kind: 'list', values: plain(choices, fault) };
  }
  if (low === undefined && high === undefined) return { kind: 'declared' };
  if (typeof low !== 'number' || typeof high !== 'number' || !(low <= high))
    throw fault('needs numbers `low` and `high`, the lower one first');
  if (step !== undefined && !(typeof step === 'number' && step > 0)) throw fault('needs a `step` above 0');
  if (log !== undefined && typeof log !== 'boolean') throw fault('takes `log: true` or `log: false`');
  if (log === true && low <= 0) throw fault('needs a `low` above 0, of which there is a logarithm');
  return { kind: 'range', from: low, to: high, step: step ?? null, ...(log !== undefined && { log }) };
}

function conditionOf(when: unknown, fault: Fault): NonNullable<Vary['when']> {
  const [only, ...more] = isGroup(when) ? Object.entries(when) : [];
  if (!only || more.length > 0) throw fault('`when` names one parameter with its value, such as { cross.kind: ema }');
  const [name, values] = only;
  return { name, in: plain(Array.isArray(values) ? values : [values], fault) };
}

function plain(values: readonly unknown[], fault: Fault): readonly ParamValue[] {
  const read = values.flatMap((one) => (typeof one === 'number' || typeof one === 'boolean' || typeof one === 'string' ? one : []));
  if (read.length === 0 || read.length < values.length) throw fault('its values must be numbers, texts, true or false');
  return read;
}
