import { messageOf } from '#domain/errors.ts';
import type { MarkedStrategy } from './contract.ts';
import { keptStateOf } from './kept-state.ts';
import { type ParamSpecs, type ParamValues, paramValues } from './params.ts';
import { WarmUp } from './warm-up.ts';

/** Maximum length of a rule in an error line. */
const MAX_SHOWN = 160;

/** Why a strategy with these parameters cannot start, in one line: its state or its warm-up is invalid. Undefined if it can. */
export function startFault(definition: MarkedStrategy, params: Readonly<Record<string, unknown>>): string | undefined {
  try {
    const values = paramValues(params);
    keptStateOf(definition, values);
    new WarmUp(definition.warmup?.(values));
    return undefined;
  } catch (error) {
    // The strategy's own code may throw anything; its words are for the one line that refuses to start.
    return messageOf(error);
  }
}

interface WithRule {
  readonly name: string;
  where?(params: ParamValues<ParamSpecs>): boolean;
}

/**
 * Why parameters that are valid one by one are not valid together: the parameters that the strategy's rule names, and the
 * rule. Undefined if they are valid.
 */
export function paramConflict(definition: WithRule, values: ParamValues<ParamSpecs>): string | undefined {
  if (!definition.where || definition.where(values)) return undefined;
  const rule = ruleOf(definition.where);
  const all = Object.keys(values);
  const named = all.filter((name) => new RegExp(`\\b${name}\\b`).test(rule));
  const given = (named.length > 0 ? named : all).map((name) => `${name} ${JSON.stringify(values[name])}`);
  return `${definition.name} does not accept ${given.join(' with ')}: its rule is ${rule}`;
}

/** The rule as it is written, without the names of its arguments: `p.fast < p.slow`. */
function ruleOf(where: NonNullable<WithRule['where']>): string {
  const text = String(where).replace(/\s+/g, ' ');
  const rule = text.replace(/^(?:\([^)]*\)|\w+) => /, '');
  return rule.length > MAX_SHOWN ? `${rule.slice(0, MAX_SHOWN)}...` : rule;
}
