import { frozen } from '#domain/frozen.ts';
import type { StateEvent, StateSpec } from './contract.ts';
import type { ParamSpecs, ParamValues } from './params.ts';

type Params = ParamValues<ParamSpecs>;

/** Longest state, as JSON: it is journaled whole at each change. */
const MAX_CHARACTERS = 16_384;

/**
 * A strategy's `state`: what its `on` makes of each event, kept as JSON so that a restart continues from exactly what ran
 * before. What `decide` sees is a frozen copy of that JSON, in a first run as after a restart.
 */
export class KeptState {
  private readonly spec: StateSpec<unknown>;
  private readonly params: Params;
  private kept: { readonly text: string; readonly value: unknown };

  /** Throws on an initial state that JSON cannot keep. */
  constructor(spec: StateSpec<unknown>, params: Params) {
    this.spec = spec;
    this.params = params;
    this.kept = read(textOf(spec.initial));
  }

  get value(): unknown {
    return this.kept.value;
  }

  /** Continues from what an earlier run journaled. */
  restore(text: string): void {
    this.kept = read(text);
  }

  /** Whether `fold` would make it another one. Changes nothing, since `on` is pure; throws what the strategy throws. */
  wouldChange(event: StateEvent): boolean {
    const value = this.spec.on(this.kept.value, event, this.params);
    return value !== this.kept.value && textOf(value) !== this.kept.text;
  }

  /** Asks the strategy what an event makes of its state; its JSON when that is another one. Throws what the strategy throws. */
  fold(event: StateEvent): string | undefined {
    const text = textOf(this.spec.on(this.kept.value, event, this.params));
    if (text === this.kept.text) return undefined;
    this.kept = read(text);
    return text;
  }
}

/** A definition's `state`, wherever it has one. */
export function keptStateOf(definition: object, params: Params): KeptState | undefined {
  const spec: unknown = 'state' in definition ? definition.state : undefined;
  return isStateSpec(spec) ? new KeptState(spec, params) : undefined;
}

export function isStateSpec(spec: unknown): spec is StateSpec<unknown> {
  return typeof spec === 'object' && spec !== null && 'initial' in spec && 'on' in spec && typeof spec.on === 'function';
}

function textOf(state: unknown): string {
  const text: unknown = JSON.stringify(state);
  if (typeof text !== 'string') throw new TypeError('state: on() must return plain data that JSON can keep');
  if (text.length <= MAX_CHARACTERS) return text;
  throw new RangeError(`state: ${text.length} characters of JSON; the maximum is ${MAX_CHARACTERS}`);
}

function read(text: string): { readonly text: string; readonly value: unknown } {
  return { text, value: frozen(JSON.parse(text)) };
}
