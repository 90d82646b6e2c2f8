import { type LaneId, laneIdOf, type Millis } from './names.ts';
import { similar } from './nearest.ts';
import { instantOf } from './utc-day.ts';

/** A field of a signal: a number, text, true or false, or one of some words. */
type FieldSpec = 'number' | 'text' | 'flag' | readonly string[];

/** The fields that a signal must have, by name. */
export type SignalSchema = Readonly<Record<string, FieldSpec>>;

/** What a field of a signal is read as. */
export type FieldValue<Spec> = Spec extends 'number'
  ? number
  : Spec extends 'flag'
    ? boolean
    : Spec extends readonly (infer Word)[]
      ? Word
      : string;

type Fields = Readonly<Record<string, number | string | boolean>>;

/** A signal from outside, as it was taken. */
export interface OutsideSignal {
  /** By which a repeat is told. */
  readonly id: string;
  /** When its sender made it, by his own clock; null where he did not say. */
  readonly madeAt: Millis | null;
  /** The fields that strategies declare; each strategy reads them as it declares them. */
  readonly value: Fields;
}

/** A signal with its source and its arrival, in engine time. */
export interface PastSignal {
  readonly at: Millis;
  readonly source: LaneId;
  readonly signal: OutsideSignal;
}

/** The last signal of each source. */
export class LastSignals {
  private readonly bySource = new Map<LaneId, PastSignal>();

  /** False where it came after one that was made later, as both say: that one stays. */
  apply(past: PastSignal): boolean {
    const { madeAt } = past.signal;
    const before = this.bySource.get(past.source)?.signal.madeAt ?? null;
    if (madeAt !== null && before !== null && madeAt < before) return false;
    this.bySource.set(past.source, past);
    return true;
  }

  of(source: LaneId): PastSignal | undefined {
    return this.bySource.get(source);
  }

  all(): readonly PastSignal[] {
    return [...this.bySource.values()];
  }
}

/** Where the signals of a source come from, as inputs name it. */
export const signalSource = (name: string): LaneId => laneIdOf(`${PREFIX}${name}`);

/** The name of a source in the settings. */
export const sourceName = (source: LaneId): string => source.slice(PREFIX.length);

const PREFIX = 'signal/';
const MAX_FIELDS = 32;
const MAX_TEXT = 200;
const FIELD = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
/** Fields of every signal, which no schema has. */
const RESERVED = ['id', 'made', 'at', 'source', 'token'];
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?$/;

/** What is wrong with a schema as a strategy declares it; undefined: nothing. */
export function schemaFault(schema: unknown): string | undefined {
  if (typeof schema !== 'object' || schema === null) return "needs a schema, such as { score: 'number', side: ['buy', 'sell'] }";
  const fields = Object.entries(schema);
  if (fields.length === 0 || fields.length > MAX_FIELDS) return `its schema needs 1 to ${MAX_FIELDS} fields`;
  const odd = fields.find(([name, spec]) => !FIELD.test(name) || RESERVED.includes(name) || !isFieldSpec(spec));
  if (!odd) return undefined;
  if (RESERVED.includes(odd[0])) return `${odd[0]} is a field of every signal; choose another name`;
  return `${odd[0]} must be 'number', 'text', 'flag' or a list of words`;
}

function isFieldSpec(spec: unknown): spec is FieldSpec {
  if (Array.isArray(spec)) return spec.length > 0 && spec.every((word) => typeof word === 'string');
  return spec === 'number' || spec === 'text' || spec === 'flag';
}

/**
 * Reads the fields of some schemas; others are ignored. Text stands for a number or a flag as well, since forms and templates of chart
 * services send nothing else, and stays text where one of the schemas has it so. Returns the first field at fault, in words.
 */
export function readFields(
  schemas: readonly SignalSchema[],
  given: Readonly<Record<string, unknown>>,
): { readonly value: Fields } | { readonly field: string; readonly must: string } {
  const value: Record<string, number | string | boolean> = {};
  for (const [name, spec] of schemas.flatMap((schema) => Object.entries(schema))) {
    const read = readField(spec, Object.hasOwn(given, name) ? given[name] : undefined);
    if (read === undefined) {
      const near = Object.hasOwn(given, name)
        ? undefined
        : similar(
            name,
            Object.keys(given).filter((key) => FIELD.test(key)),
          );
      return { field: name, must: near === undefined ? mustBe(spec) : `${mustBe(spec)}, and is missing: is ${near} meant to be it?` };
    }
    value[name] = typeof value[name] === 'string' ? value[name] : read;
  }
  return { value: Object.freeze(value) };
}

function readField(spec: FieldSpec, given: unknown): number | string | boolean | undefined {
  if (spec === 'number') {
    const number = typeof given === 'string' && given.length <= MAX_TEXT && NUMBER.test(given) ? Number(given) : given;
    return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
  }
  if (spec === 'flag') return given === true || given === 'true' ? true : given === false || given === 'false' ? false : undefined;
  if (typeof given !== 'string' || given.length > MAX_TEXT || !given.isWellFormed()) return undefined;
  return spec === 'text' || spec.includes(given) ? given : undefined;
}

/** A time as senders write it: ISO 8601 with its zone, or Unix seconds or milliseconds, as a number or text. Undefined: none. */
export function timeIn(given: unknown): Millis | undefined {
  if (typeof given === 'string' && /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/.test(given)) return valid(instantOf(given));
  const number = readField('number', given);
  return typeof number === 'number' ? valid(Math.round(number < SECONDS_UP_TO ? number * 1000 : number)) : undefined;
}

/** A larger number is of milliseconds. */
const SECONDS_UP_TO = 1e11;
const MAX_MILLIS = 8.64e15;

const valid = (ms: number): Millis | undefined => (ms >= 0 && ms <= MAX_MILLIS ? ms : undefined);

function mustBe(spec: FieldSpec): string {
  if (spec === 'number') return 'must be a number';
  if (spec === 'flag') return 'must be true or false';
  return spec === 'text' ? `must be text of at most ${MAX_TEXT} characters` : `must be one of ${spec.join(', ')}`;
}
