import { invariant } from '#domain/errors.ts';
import { similar } from '#domain/nearest.ts';
import { type Example, noGroup } from '#domain/settings/form.ts';
import { isGroup, type JsonSchema, type ReportFault, readChecked, type SettingKind } from '#domain/settings/kind.ts';

/** One named field of a list entry. */
interface Field<T> {
  readonly kind: SettingKind<T>;
  readonly doc: string;
  /** As YAML would give it; undefined makes the field required. */
  readonly initial: unknown;
}

/** A field that must be given. `doc` is one sentence for people. */
export function required<T>(kind: SettingKind<T>, doc: string): Field<T> {
  return { kind, doc, initial: undefined };
}

/** A field with a default, as YAML would give it. `doc` is one sentence for people. */
export function withDefault<T>(kind: SettingKind<T>, initial: unknown, doc: string): Field<T> {
  return { kind, doc, initial };
}

/** Returns the checked value of a field. */
type Take = <T>(field: Field<T>) => T;

/**
 * A group with fixed names, such as one entry of `strategies`; `example` is one. Reports all faults, unknown names with the nearest known
 * one; `build` runs only without faults.
 */
export function record<T>(fields: Readonly<Record<string, Field<unknown>>>, example: Example, build: (take: Take) => T): SettingKind<T> {
  return {
    schema: { ...recordSchema(fields), examples: [example] },
    read(value, report) {
      if (!isGroup(value)) {
        report([], noGroup(value, example));
        return undefined;
      }
      if (!hasOnlyGoodFields(fields, value, report)) return undefined;
      const take: Take = (field) => {
        const name = Object.keys(fields).find((key) => fields[key] === field);
        invariant(name !== undefined, 'a field is taken from the record that declares it');
        return readChecked(field.kind, given(value, name) ?? field.initial);
      };
      return build(take);
    },
  };
}

function hasOnlyGoodFields(
  fields: Readonly<Record<string, Field<unknown>>>,
  value: Readonly<Record<string, unknown>>,
  report: ReportFault,
): boolean {
  let good = true;
  const known = Object.keys(fields);
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue;
    good = false;
    report([name], unknownText(name, similar(name, known)), 'CONFIG_UNKNOWN_KEY');
  }
  for (const [name, field] of Object.entries(fields)) {
    const item = given(value, name) ?? field.initial;
    if (item === undefined) {
      good = false;
      report([name], `is missing: ${field.doc}`);
    } else if (field.kind.read(item, (at, wrong, code) => report([name, ...at], wrong, code)) === undefined) good = false;
  }
  return good;
}

/** Reads one field of a group whose other fields may be faulty; undefined if it is missing or cannot be read. */
export function readField<T>(value: unknown, name: string, { kind, initial }: Field<T>): T | undefined {
  if (!isGroup(value)) return undefined;
  const item = given(value, name) ?? initial;
  return item === undefined ? undefined : kind.read(item, () => {});
}

/** The fault of an unknown setting. */
export function unknownText(name: string, near: string | undefined): string {
  if (name === '<<') return 'unknown setting: merge keys are not read; write the settings out';
  return near === undefined
    ? 'unknown setting, and none is like it: docs/reference/settings.md has all'
    : `unknown setting; the nearest known one is ${near}`;
}

/** A field as it was given; an empty one (`~`) counts as left out. */
function given(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? (value[name] ?? undefined) : undefined;
}

function recordSchema(fields: Readonly<Record<string, Field<unknown>>>): JsonSchema {
  const properties = Object.entries(fields).map(([name, { kind, doc, initial }]) => [
    name,
    { ...kind.schema, description: doc, ...(initial !== undefined && { default: initial }) },
  ]);
  const needed = Object.keys(fields).filter((name) => fields[name]?.initial === undefined);
  return { type: 'object', additionalProperties: false, required: needed, properties: Object.fromEntries(properties) };
}
