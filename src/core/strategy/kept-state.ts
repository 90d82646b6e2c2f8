import { frozen } from '#domain/frozen.ts';
import type { StateEvent, StateSpec } from './contract.ts';
import type { ParamSpecs, ParamValues } from './params.ts';

type Params = ParamValues<ParamSpecs>;

/** Longest state, as JSON: it is journaled whole at each change. */
const MAX_CHARACTERS = 16_384;

/**
 * A strategy's `state`: what its `on` makes of each event, kept as JSON so that a restart continues from exactly what ran
 * before. What `decide` sees is a frozen copy of that JSON, in a first run as after a restart; a field that it lacks has its initial value.
 */
export class KeptState {
  private readonly spec: StateSpec<unknown>;
  private readonly params: Params;
  private readonly initial: unknown;
  private kept: { readonly text: string; readonly value: unknown };

  /** Throws on an initial state that JSON cannot keep. */
  constructor(spec: StateSpec<unknown>, params: Params) {
    this.spec = spec;
    this.params = params;
    const text = textOf(spec.initial);
    this.initial = JSON.parse(text);
    this.kept = this.read(text);
  }

  get value(): unknown {
    return this.kept.value;
  }

  /** Continues from what an earlier run journaled. */
  restore(text: string): void {
    this.kept = this.read(text);
  }

  /** Whether `fold` would make it another one. Changes nothing, since `on` is pure; throws what the strategy throws. */
  wouldChange(event: StateEvent): boolean {
    const value = this.spec.on(this.kept.value, event, this.params);
    return value !== this.kept.value && textOf(value) !== this.kept.text;
  }

  /** Asks the strategy what an event makes of its state; its JSON when that is another one. Throws what the strategy throws. */
  fold(event: StateEvent): string | undefined {
    const value = this.spec.on(this.kept.value, event, this.params);
    if (value === this.kept.value) return undefined;
    const text = textOf(value);
    if (text === this.kept.text) return undefined;
    this.kept = this.read(text);
    return text;
  }

  private read(text: string): { readonly text: string; readonly value: unknown } {
    const value: unknown = JSON.parse(text);
    return { text, value: frozen(hasFields(value) && hasFields(this.initial) ? { ...this.initial, ...value } : value) };
  }
}

const hasFields = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

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
  if (text.length > MAX_CHARACTERS) throw new RangeError(`state: ${text.length} characters of JSON; the maximum is ${MAX_CHARACTERS}`);
  const lost = lostIn(state);
  if (lost !== undefined) throw new TypeError(`state${lost}, which JSON cannot keep`);
  return text;
}

/** Where JSON puts something else in the place of a value, and what it is: `.low is Infinity`. Fields that are undefined it leaves out. */
function lostIn(value: unknown): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return undefined;
  if (typeof value !== 'object') return ` is ${typeof value === 'number' ? value : `of type ${typeof value}`}`;
  if (!Array.isArray(value) && !isPlain(value)) return ` is of class ${value.constructor.name}`;
  // By index, since what is not there in a list becomes null too.
  for (let at = 0; Array.isArray(value) && at < value.length; at++) {
    const lost = lostIn(value[at]);
    if (lost !== undefined) return `[${at}]${lost}`;
  }
  for (const [name, field] of Array.isArray(value) ? [] : Object.entries(value)) {
    const lost = field === undefined ? undefined : lostIn(field);
    if (lost !== undefined) return `.${name}${lost}`;
  }
  return undefined;
}

function isPlain(value: object): boolean {
  const of: unknown = Object.getPrototypeOf(value);
  return of === null || Object.getPrototypeOf(of) === null;
}
