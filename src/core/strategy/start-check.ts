import { KairosError, messageOf } from '#domain/errors.ts';
import { shown } from '#domain/settings/shown.ts';
import type { MarkedStrategy } from './contract.ts';
import { keptStateOf } from './kept-state.ts';
import { type StrategyOrigin, thrownBy } from './origin.ts';
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

/** Whether a strategy's rule lets these parameters stand together. Throws STRATEGY_INVALID where the rule throws or answers anything but true or false. */
export function acceptsParams(
  { name, where }: WithRule,
  values: ParamValues<ParamSpecs>,
  origin: Pick<StrategyOrigin, 'files'> | undefined,
): boolean {
  let answer: unknown = true;
  try {
    if (where) answer = where(values);
  } catch (error) {
    throw new KairosError('STRATEGY_INVALID', `${name}'s where() throws: ${thrownBy(error, origin).error}`, { cause: error });
  }
  if (typeof answer === 'boolean') return answer;
  throw new KairosError('STRATEGY_INVALID', `${name}'s where() must answer true or false, not ${shown(answer)}`);
}

/**
 * Why parameters that are valid one by one are not valid together: the parameters that the strategy's rule names, and the
 * rule; or what is wrong with that rule. Undefined if they are valid.
 */
export function paramConflict(
  definition: WithRule,
  values: ParamValues<ParamSpecs>,
  origin?: Pick<StrategyOrigin, 'files'>,
): string | undefined {
  if (!definition.where) return undefined;
  try {
    if (acceptsParams(definition, values, origin)) return undefined;
  } catch (error) {
    return messageOf(error);
  }
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
