import { decimalOf } from '../decimal.ts';
import { type ErrorCode, invariant } from '../errors.ts';
import { type Example, noGroup } from './form.ts';
import { shown } from './shown.ts';

/** The JSON Schema of a kind, for editors. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Reports a fault at a place inside the value; the text follows the key, as in `must be ...`. */
export type ReportFault = (at: readonly (string | number)[], text: string, code?: ErrorCode) => void;

/**
 * A kind of value: how it is read from YAML, described to editors and written in an environment variable. `read` never
 * throws; it reports what is wrong and returns undefined.
 */
export interface SettingKind<T> {
  readonly schema: JsonSchema;
  read(value: unknown, report: ReportFault): T | undefined;
  /** Converts an environment variable's text into the value that YAML would give; absent if a variable cannot hold it. */
  fromText?(text: string): unknown;
  /** The value is a file or folder, taken from the folder in which Kairos was started. */
  readonly isPath?: true;
}

interface Bounds {
  readonly min?: number;
  readonly max?: number;
  /** The value must be more than this. */
  readonly above?: number;
}

/** Text by a grammar, which `must` describes in words. */
export function text(grammar = /^.{1,1000}$/su, must = 'be text of 1 to 1000 characters'): SettingKind<string> {
  return {
    schema: { type: 'string', pattern: grammar.source },
    read(value, report) {
      if (typeof value === 'string' && grammar.test(value) && value.isWellFormed() && !value.includes('\0')) return value;
      const isOtherType = (typeof value === 'number' || typeof value === 'boolean') && grammar.test(String(value));
      report([], `must ${must}, not ${shown(value)}${isOtherType ? `; write it in quotes, as "${value}"` : ''}`);
      return undefined;
    },
    fromText: (given) => given,
  };
}

/** A file or folder; a relative path starts from the present folder. */
export const path: SettingKind<string> = { ...text(/^[^\0\r\n]{1,1000}$/, 'be a path'), isPath: true };

/** true or false. */
export const flag: SettingKind<boolean> = {
  schema: { type: 'boolean' },
  read(value, report) {
    if (typeof value === 'boolean') return value;
    report([], `must be true or false, not ${shown(value)}`);
    return undefined;
  },
  fromText: (given) => (given === 'true' ? true : given === 'false' ? false : given),
};

/** A whole number that a double represents exactly (B03, B09). */
export function whole(bounds: Bounds): SettingKind<number> {
  return numeric('a whole number', { ...bounds, max: bounds.max ?? Number.MAX_SAFE_INTEGER }, Number.isSafeInteger, 'integer');
}

/** A finite number (B01). */
export function number(bounds: Bounds): SettingKind<number> {
  return numeric('a number', { ...bounds, max: bounds.max ?? Number.MAX_SAFE_INTEGER }, Number.isFinite, 'number');
}

/** An exact decimal above zero, given as a number or as text in quotes. It is read as text and loses no digit (B03, B05). */
export const positiveDecimal: SettingKind<string> = {
  schema: {
    anyOf: [
      { type: 'number', exclusiveMinimum: 0 },
      { type: 'string', pattern: '^\\d{1,16}(\\.\\d{1,18})?$' },
    ],
  },
  read(value, report) {
    const fits = typeof value === 'number' ? Number.isFinite(value) : typeof value === 'string' && /^\d{1,16}(\.\d{1,18})?$/.test(value);
    if (fits && (typeof value === 'number' || typeof value === 'string')) {
      const decimal = decimalOf(value);
      if (decimal.gt(0) && decimal.lte(Number.MAX_SAFE_INTEGER)) return decimal.toString();
    }
    report([], `must be a number above 0 and at most ${Number.MAX_SAFE_INTEGER}, not ${shown(value)}`);
    return undefined;
  },
  fromText: (given) => given,
};

/** One of some names. */
export function choice<const Name extends string>(names: readonly Name[]): SettingKind<Name> {
  return {
    schema: { enum: names },
    read(value, report) {
      const found = names.find((name) => name === value);
      if (found === undefined) report([], `must be one of ${names.join(', ')}, not ${shown(value)}`);
      return found;
    },
    fromText: (given) => given,
  };
}

/** The value, or `word` instead of it. */
export function or<const Word extends string, T>(word: Word, kind: SettingKind<T>): SettingKind<T | Word> {
  const { fromText } = kind;
  return {
    schema: { anyOf: [{ const: word }, kind.schema] },
    read: (value, report) => (value === word ? word : kind.read(value, (at, wrong, code) => report(at, orWord(wrong, word), code))),
    ...(fromText && { fromText: (given: string) => (given === word ? word : fromText(given)) }),
  };
}

/** The value, or nothing, which is read as null. */
export function optional<T>(kind: SettingKind<T>): SettingKind<T | null> {
  return {
    ...kind,
    schema: { anyOf: [kind.schema, { type: 'null' }] },
    read: (value, report) => (value === null ? null : kind.read(value, report)),
  };
}

/** A list of one kind, of at most `most` entries. */
export function listOf<T>(kind: SettingKind<T>, most = 10_000): SettingKind<readonly T[]> {
  return {
    schema: { type: 'array', items: kind.schema, maxItems: most },
    read(value, report) {
      if (!Array.isArray(value)) return reported(report, `must be a list, not ${shown(value)}`);
      if (value.length > most) return reported(report, `must have at most ${most} entries, not ${value.length}`);
      const items = value.map((item, index) => kind.read(item, (at, wrong, code) => report([index, ...at], wrong, code)));
      const good = items.filter((item) => item !== undefined);
      return good.length === items.length ? good : undefined;
    },
  };
}

/** The names that a group may have. */
interface Names {
  readonly grammar: RegExp;
  readonly must: string;
}

/** A group with names of the user's choosing, such as `example`. */
export function mapOf<T>(kind: SettingKind<T>, names: Names, example: Example): SettingKind<Readonly<Record<string, T>>> {
  return {
    schema: { type: 'object', additionalProperties: kind.schema, propertyNames: { pattern: names.grammar.source }, examples: [example] },
    read(value, report) {
      if (!isGroup(value)) return reported(report, noGroup(value, example));
      const entries = Object.entries(value).map(([name, item]) => {
        if (!names.grammar.test(name)) report([name], `must ${names.must}`);
        return [name, kind.read(item, (at, wrong, code) => report([name, ...at], wrong, code))] as const;
      });
      const good = entries.flatMap(([name, item]) => (item === undefined || !names.grammar.test(name) ? [] : [[name, item] as const]));
      return good.length === entries.length ? Object.fromEntries(good) : undefined;
    },
  };
}

/** One of two kinds; `isFirst` tells them apart. */
export function either<A, B>(isFirst: (value: unknown) => boolean, first: SettingKind<A>, second: SettingKind<B>): SettingKind<A | B> {
  const { fromText } = first;
  return {
    schema: { anyOf: [first.schema, second.schema] },
    read: (value, report) => (isFirst(value) ? first.read(value, report) : second.read(value, report)),
    ...(fromText && { fromText: (given: string) => fromText(given) }),
  };
}

/** True for a YAML mapping as JavaScript has it. */
export function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads a value that has been checked before. */
export function readChecked<T>(kind: SettingKind<T>, value: unknown): T {
  const result = kind.read(value, (at, wrong) => invariant(false, `a checked setting is faulty: ${at.join('.')} ${wrong}`));
  invariant(result !== undefined, 'a checked setting has no value');
  return result;
}

function reported(report: ReportFault, wrong: string): undefined {
  report([], wrong);
  return undefined;
}

/** Adds another choice to a fault: `must be a number ..., not x` becomes `must be off or a number ..., not x`. */
const orWord = (wrong: string, word: string): string => wrong.replace(/^must be /, `must be ${word} or `);

function numeric(name: string, bounds: Bounds, fits: (value: number) => boolean, type: 'integer' | 'number'): SettingKind<number> {
  const { min, max, above } = bounds;
  const least = above === undefined ? `from ${min ?? 'the smallest'}` : `above ${above}`;
  const range =
    max === Number.MAX_SAFE_INTEGER
      ? above === undefined
        ? `of at least ${min ?? 0}`
        : least
      : above === undefined
        ? `${least} to ${max}`
        : `${least} and at most ${max}`;
  return {
    schema: {
      type,
      ...(min !== undefined && { minimum: min }),
      ...(max !== undefined && { maximum: max }),
      ...(above !== undefined && { exclusiveMinimum: above }),
    },
    read(value, report) {
      const inside =
        typeof value === 'number' &&
        fits(value) &&
        value >= (min ?? Number.NEGATIVE_INFINITY) &&
        value <= (max ?? Number.POSITIVE_INFINITY) &&
        value > (above ?? Number.NEGATIVE_INFINITY);
      if (inside) return value + 0;
      report([], `must be ${name} ${range}, not ${shown(value)}`);
      return undefined;
    },
    fromText: (given) => (/^-?(0|[1-9]\d*)(\.\d+)?$/.test(given) ? Number(given) : given),
  };
}
