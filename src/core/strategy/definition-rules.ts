import type { MarkedStrategy } from './contract.ts';
import { inputsFault } from './inputs.ts';
import { isStateSpec } from './kept-state.ts';
import { readParams } from './params.ts';
import type { Place } from './source-syntax.ts';

interface DefinitionFault {
  readonly what: string;
  /** Line of the source at fault, where it can be found. */
  readonly line?: number;
}

/** What is wrong with a definition, whose parts are `written` at these places; undefined for nothing. May throw what a getter of the definition throws. */
export function definitionFault(definition: MarkedStrategy, written: ReadonlyMap<string, Place>): DefinitionFault | undefined {
  const parts = new Map<string, unknown>(Object.entries(definition));
  const fault = (what: string, word?: string): DefinitionFault => {
    const line = word === undefined ? undefined : written.get(word)?.line;
    return line === undefined ? { what } : { what, line };
  };
  const name = parts.get('name');
  if (typeof name !== 'string' || name === '') return fault('a strategy needs a name', 'name');
  for (const part of ['signals', 'decide']) {
    const value = parts.get(part);
    if (typeof value !== 'function') return fault(`a strategy needs ${part}(), a function`, part);
    if (isAsync(value)) return fault(`${part}() is async: a strategy answers at once, without promises`, part);
  }
  const where = parts.get('where');
  if (where !== undefined && typeof where !== 'function') return fault('where must be a function of the parameters', 'where');
  const inputs = inputsFault(parts.get('inputs'));
  if (inputs) return fault(inputs.what, inputs.word);
  const state = parts.get('state');
  if (state !== undefined && !isStateSpec(state)) return fault('state needs initial and on(state, event, params)', 'state');
  const warmup = parts.get('warmup');
  if (warmup !== undefined && typeof warmup !== 'function') return fault('warmup must be a function of the parameters', 'warmup');
  const concurrent = parts.get('concurrent');
  if (concurrent !== undefined && typeof concurrent !== 'boolean') return fault('concurrent must be true or false', 'concurrent');
  const onLegFailure = parts.get('onLegFailure');
  if (onLegFailure !== undefined && onLegFailure !== 'keep' && onLegFailure !== 'unwind') {
    return fault("onLegFailure must be 'keep' or 'unwind'", 'onLegFailure');
  }
  return paramsFault(definition, parts.get('params'), fault);
}

type MakeFault = (what: string, word?: string) => DefinitionFault;

function paramsFault(definition: MarkedStrategy, params: unknown, fault: MakeFault): DefinitionFault | undefined {
  if (params === undefined) return undefined;
  if (typeof params !== 'object' || params === null) return fault('params must be an object of param.int(), param.number(), ...', 'params');
  for (const [name, spec] of Object.entries(params)) {
    if (typeof spec !== 'object' || spec === null || !('kind' in spec) || !('initial' in spec)) {
      return fault(`params.${name}: declare it with param.int(), param.number(), param.bool(), param.text() or param.choice()`, name);
    }
  }
  const [wrong] = readParams(definition.params ?? {}, {}).faults;
  return wrong === undefined ? undefined : fault(`the default of ${wrong}`, 'params');
}

function isAsync(value: unknown): boolean {
  const tag = Object.prototype.toString.call(value);
  return tag === '[object AsyncFunction]' || tag === '[object AsyncGeneratorFunction]';
}
