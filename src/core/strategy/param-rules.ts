import { faultOf, type ParamSpec } from './params.ts';

/** How each kind of parameter is declared. */
const EXAMPLES: { readonly [Kind in ParamSpec['kind']]: string } = {
  int: 'param.int(20, { min: 1, max: 100 })',
  number: 'param.number(0.5, { min: 0, max: 1 })',
  bool: 'param.bool(true)',
  text: "param.text('usd')",
  choice: "param.choice('long', ['long', 'short'])",
};

/** What is wrong with how a parameter was declared, in one line with an example; undefined if nothing is. */
export function declarationFault(spec: ParamSpec): string | undefined {
  const wrong = formFault(spec) ?? defaultFault(spec);
  return wrong === undefined ? sweepFault(spec) : `${wrong}, as in ${EXAMPLES[spec.kind]}`;
}

function defaultFault(spec: ParamSpec): string | undefined {
  const wrong = faultOf(spec, spec.initial);
  return wrong && `the default ${wrong}, not ${shown(spec.initial)}`;
}

/** What `param.*` takes beside the default. */
function formFault(spec: ParamSpec): string | undefined {
  if (spec.kind === 'choice') return choiceFault(spec.of);
  return spec.kind === 'int' || spec.kind === 'number' ? numberFault(spec) : undefined;
}

function choiceFault(of: unknown): string | undefined {
  if (!Array.isArray(of) || of.length === 0) return 'param.choice takes its default first, then the list of what it may be';
  const odd = of.findIndex((one) => typeof one !== 'string');
  return odd < 0 ? undefined : `what a choice may be are texts, not ${shown(of[odd])}`;
}

const OPTIONS: readonly string[] = ['min', 'max', 'sweep', 'log'];

function numberFault(spec: Extract<ParamSpec, { readonly kind: 'int' | 'number' }>): string | undefined {
  const given = new Map<string, unknown>(Object.entries(spec));
  const odd = [...given.keys()].filter((name) => name !== 'kind' && name !== 'initial' && !OPTIONS.includes(name));
  const [first] = odd;
  if (first !== undefined) {
    const takes = `takes its default, then an object with any of ${OPTIONS.join(', ')}`;
    const isNamed = !odd.some((name) => name === 'options' || /^\d+$/.test(name));
    return isNamed ? `param.${spec.kind} has no '${first}': it ${takes}` : `param.${spec.kind} ${takes}`;
  }
  for (const name of ['min', 'max']) {
    const value = given.get(name);
    if (value !== undefined && (typeof value !== 'number' || Number.isNaN(value))) return `${name} must be a number, not ${shown(value)}`;
  }
  const { min, max } = spec;
  return min !== undefined && max !== undefined && min > max ? `its min of ${min} is above its max of ${max}` : undefined;
}

const shown = (value: unknown): string => (typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? typeof value));

/** What is wrong with the range over which a parameter is swept, in one line; undefined if nothing is. */
function sweepFault(spec: ParamSpec): string | undefined {
  if (spec.kind !== 'int' && spec.kind !== 'number') return undefined;
  const { sweep, log } = spec;
  if (log !== undefined && typeof log !== 'boolean') return `log must be true or false, not ${JSON.stringify(log)}`;
  if (sweep === undefined) return undefined;
  const shown = JSON.stringify(sweep);
  if (!Array.isArray(sweep) || sweep.length !== 3 || !sweep.every(Number.isFinite)) return `sweep must be [from, to, step], not ${shown}`;
  const [from, to, step] = sweep;
  if (from > to) return `sweep must begin with the lower end, not ${shown}`;
  if (log && from <= 0) return `with log its sweep must begin above 0, of which there is a logarithm, not ${shown}`;
  if (log && step <= 1) return `with log the last number of its sweep is a factor above 1, such as [20, 320, 2], not ${shown}`;
  return step > 0 ? undefined : `sweep needs a step above 0, not ${shown}`;
}
