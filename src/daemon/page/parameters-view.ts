import type { StrategyInstance } from '#core/strategy/instance.ts';
import type { ParamSpec } from '#core/strategy/params.ts';
import type { ParameterView } from '#server/page/view.ts';

/** What a sweep of a strategy can vary, with the range that it declares. */
export function parametersView({ definition, params }: Pick<StrategyInstance, 'definition' | 'params'>): readonly ParameterView[] {
  return Object.entries(definition.params ?? {}).flatMap(([name, spec]) =>
    spec.kind === 'text' ? [] : [{ name, value: String(params[name] ?? spec.initial), range: rangeOf(spec) }],
  );
}

function rangeOf(spec: Exclude<ParamSpec, { readonly kind: 'text' }>): string | null {
  if (spec.kind === 'bool') return 'false,true';
  if (spec.kind === 'choice') return spec.of.join(',');
  if (!spec.sweep) return null;
  const [from, to, by] = spec.sweep;
  return `${from}..${to}:${spec.log ? 'x' : ''}${by}`;
}
