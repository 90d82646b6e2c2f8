import type { MarkedStrategy } from './contract.ts';
import { inputsFault } from './inputs.ts';
import { isStateSpec } from './kept-state.ts';
import { declarationFault } from './param-rules.ts';
import type { Place } from './source-syntax.ts';

interface DefinitionFault {
  readonly what: string;
  /** Where the source is at fault, where that can be found. */
  readonly place?: Place;
}

/** All that is wrong with a definition, whose parts are `written` at these places. May throw what a getter of the definition throws. */
export function definitionFaults(definition: MarkedStrategy, written: ReadonlyMap<string, Place>): readonly DefinitionFault[] {
  const parts = new Map<string, unknown>(Object.entries(definition));
  const faults: DefinitionFault[] = [];
  const fault = (what: string, word?: string): void => {
    const place = word === undefined ? undefined : written.get(word);
    faults.push(place === undefined ? { what } : { what, place });
  };
  const name = parts.get('name');
  if (typeof name !== 'string' || name === '') fault('a strategy needs a name', 'name');
  for (const part of ['signals', 'decide']) {
    const value = parts.get(part);
    if (typeof value !== 'function') fault(`a strategy needs ${part}(), a function`, part);
    else if (isAsync(value)) fault(`${part}() is async: a strategy answers at once, without promises`, part);
  }
  for (const part of ['where', 'warmup']) {
    const value = parts.get(part);
    if (value !== undefined && typeof value !== 'function') fault(`${part} must be a function of the parameters`, part);
  }
  const inputs = inputsFault(parts.get('inputs'));
  if (inputs) fault(inputs.what, inputs.word);
  const state = parts.get('state');
  if (state !== undefined && !isStateSpec(state)) fault('state needs initial and on(state, event, params)', 'state');
  const concurrent = parts.get('concurrent');
  if (concurrent !== undefined && typeof concurrent !== 'boolean') fault('concurrent must be true or false', 'concurrent');
  const onLegFailure = parts.get('onLegFailure');
  if (onLegFailure !== undefined && onLegFailure !== 'keep' && onLegFailure !== 'unwind') {
    fault("onLegFailure must be 'keep' or 'unwind'", 'onLegFailure');
  }
  paramsFaults(definition, parts.get('params'), fault);
  return faults;
}

function paramsFaults(definition: MarkedStrategy, params: unknown, fault: (what: string, word?: string) => void): void {
  if (params === undefined) return;
  if (typeof params !== 'object' || params === null) return fault('params must be an object of param.int(), param.number(), ...', 'params');
  const odd = Object.entries(params).filter(
    ([, spec]) => typeof spec !== 'object' || spec === null || !('kind' in spec && 'initial' in spec),
  );
  for (const [name] of odd) {
    fault(`params.${name}: declare it with param.int(), param.number(), param.bool(), param.text() or param.choice()`, name);
  }
  if (odd.length > 0) return;
  for (const [name, spec] of Object.entries(definition.params ?? {})) {
    const wrong = declarationFault(spec);
    if (wrong !== undefined) fault(`params.${name}: ${wrong}`, name);
  }
}

function isAsync(value: unknown): boolean {
  const tag = Object.prototype.toString.call(value);
  return tag === '[object AsyncFunction]' || tag === '[object AsyncGeneratorFunction]';
}
