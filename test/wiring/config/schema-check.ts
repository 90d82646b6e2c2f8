type Schema = Readonly<Record<string, unknown>>;

const isGroup = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Places at which `value` breaks a JSON Schema, as far as ours use the language. It throws on a word that it does not
 * know, so that no rule of ours goes unchecked.
 */
export function misfits(schema: unknown, value: unknown, at = ''): string[] {
  if (!isGroup(schema)) throw new Error(`no schema at ${at}`);
  return Object.entries(schema).flatMap(([word, rule]) => {
    const check = CHECKS[word];
    if (!check) throw new Error(`a word of JSON Schema that this check does not know: ${word}`);
    return check({ rule, value, at, schema });
  });
}

interface Check {
  readonly rule: unknown;
  readonly value: unknown;
  readonly at: string;
  readonly schema: Schema;
}

const below = (at: string, name: string | number): string => (at === '' ? String(name) : `${at}.${name}`);
const unless = (good: boolean, at: string): string[] => (good ? [] : [at]);
const number = (rule: unknown): number => Number(rule);
const listed = (rule: unknown): readonly unknown[] => (Array.isArray(rule) ? rule : [rule]);
const nothing = (): string[] => [];

function typeOf(value: unknown): string[] {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  return typeof value === 'number' && Number.isInteger(value) ? ['number', 'integer'] : [typeof value];
}

const CHECKS: Readonly<Record<string, (check: Check) => string[]>> = {
  $schema: nothing,
  title: nothing,
  description: nothing,
  default: nothing,
  type: ({ rule, value, at }) =>
    unless(
      typeOf(value).some((type) => listed(rule).includes(type)),
      at,
    ),
  const: ({ rule, value, at }) => unless(value === rule, at),
  enum: ({ rule, value, at }) => unless(listed(rule).includes(value), at),
  anyOf: ({ rule, value, at }) =>
    unless(
      listed(rule).some((schema) => misfits(schema, value, at).length === 0),
      at,
    ),
  not: ({ rule, value, at }) => unless(misfits(rule, value, at).length > 0, at),
  pattern: ({ rule, value, at }) => unless(typeof value !== 'string' || new RegExp(String(rule), 'su').test(value), at),
  minimum: ({ rule, value, at }) => unless(typeof value !== 'number' || value >= number(rule), at),
  maximum: ({ rule, value, at }) => unless(typeof value !== 'number' || value <= number(rule), at),
  exclusiveMinimum: ({ rule, value, at }) => unless(typeof value !== 'number' || value > number(rule), at),
  minItems: ({ rule, value, at }) => unless(!Array.isArray(value) || value.length >= number(rule), at),
  maxItems: ({ rule, value, at }) => unless(!Array.isArray(value) || value.length <= number(rule), at),
  uniqueItems: ({ value, at }) => unless(!Array.isArray(value) || new Set(value).size === value.length, at),
  items: ({ rule, value, at }) => (Array.isArray(value) ? value.flatMap((item, index) => misfits(rule, item, below(at, index))) : []),
  minProperties: ({ rule, value, at }) => unless(!isGroup(value) || Object.keys(value).length >= number(rule), at),
  maxProperties: ({ rule, value, at }) => unless(!isGroup(value) || Object.keys(value).length <= number(rule), at),
  required: ({ rule, value, at }) =>
    isGroup(value) ? listed(rule).flatMap((name) => unless(Object.hasOwn(value, String(name)), below(at, String(name)))) : [],
  properties: ({ rule, value, at }) =>
    isGroup(rule) && isGroup(value)
      ? Object.entries(rule).flatMap(([name, schema]) => (Object.hasOwn(value, name) ? misfits(schema, value[name], below(at, name)) : []))
      : [],
  propertyNames: ({ rule, value, at }) =>
    isGroup(value) ? Object.keys(value).flatMap((name) => unless(misfits(rule, name).length === 0, below(at, name))) : [],
  additionalProperties({ rule, value, at, schema }) {
    if (!isGroup(value)) return [];
    const known = isGroup(schema.properties) ? Object.keys(schema.properties) : [];
    const others = Object.keys(value).filter((name) => !known.includes(name));
    return others.flatMap((name) => (rule === false ? [below(at, name)] : misfits(rule, value[name], below(at, name))));
  },
};
