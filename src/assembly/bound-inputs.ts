import type { StrategySettings } from '#config/settings.ts';
import type { MarkedStrategy } from '#core/strategy/contract.ts';
import type { StrategyInstance } from '#core/strategy/host.ts';
import { type BoundInput, signalInputs } from '#core/strategy/inputs.ts';
import { laneFor, type ShownInput, shownInput } from '#domain/lane.ts';
import { type LaneId, productCode } from '#domain/names.ts';
import { type SignalSchema, signalSource, sourceName } from '#domain/outside-signal.ts';

/** A strategy's inputs as the configuration binds them, and all that is wrong with that, each text naming its input. */
export function boundInputs(
  definition: MarkedStrategy,
  entry: Pick<StrategySettings, 'product' | 'inputs'>,
): { readonly inputs: Readonly<Record<string, BoundInput>>; readonly faults: readonly string[] } {
  const declared = Object.entries(definition.inputs ?? {});
  const faults: string[] = [];
  for (const name of Object.keys(entry.inputs)) {
    if (declared.some(([one]) => one === name)) continue;
    const known = declared.map(([one]) => one).join(', ') || 'none';
    faults.push(`inputs.${name}: ${definition.name} has no such input; it has ${known}`);
  }
  const bound = declared.flatMap(([name, { kind }]): [string, BoundInput][] => {
    const given = entry.inputs[name];
    const product = productCode(given?.product ?? entry.product);
    if (kind === 'signal') {
      if (given) faults.push(`inputs.${name}: is a signal and takes no product; its source is ${name} in signals.sources`);
      return [[name, { kind, product: productCode(entry.product), source: signalSource(name) }]];
    }
    if (kind !== 'lane') {
      if (given?.amount) faults.push(`inputs.${name}: is for display only, so it takes no amount`);
      return [[name, { kind, product, source: shownInput(product, kind === 'basic' ? 'BASIC' : 'FULL').id }]];
    }
    if (given?.amount) return [[name, { kind, product, source: laneFor(product, given.amount).id }]];
    const needs = 'is a lane, so it needs a product and an amount, such as {product: ethusd, amount: {base: 0.1}}';
    faults.push(`inputs.${name}: ${needs}`);
    return [];
  });
  return { inputs: Object.fromEntries(bound), faults };
}

/** The sources of signals from outside that strategies have as inputs, with the fields that each must bring. */
export function signalSchemas(
  strategies: readonly { readonly strategy: Pick<StrategyInstance, 'definition'> }[],
): ReadonlyMap<LaneId, readonly SignalSchema[]> {
  const found = new Map<LaneId, readonly SignalSchema[]>();
  for (const { strategy } of strategies) {
    for (const [name, { schema }] of signalInputs(strategy.definition.inputs)) {
      const source = signalSource(name);
      found.set(source, [...(found.get(source) ?? []), schema]);
    }
  }
  return found;
}

/** What is wrong with the sources that strategies have as inputs: those that `signals.sources` does not name. */
export function unnamedSources(schemas: ReadonlyMap<LaneId, unknown>, sources: readonly { readonly name: string }[]): readonly string[] {
  const named = new Set(sources.map(({ name }) => signalSource(name)));
  return [...schemas.keys()]
    .filter((source) => !named.has(source))
    .map((source) => `${sourceName(source)}: a strategy has it as an input, and signals.sources does not name it: nothing comes`);
}

/** The display subscriptions of strategies, each once. */
export function shownInputs(strategies: readonly { readonly strategy: StrategyInstance }[]): readonly ShownInput[] {
  const found = new Map<LaneId, ShownInput>();
  for (const { strategy } of strategies) {
    for (const { kind, product, source } of Object.values(strategy.inputs ?? {})) {
      if (kind === 'basic' || kind === 'fullBook') found.set(source, shownInput(product, kind === 'basic' ? 'BASIC' : 'FULL'));
    }
  }
  return [...found.values()];
}
