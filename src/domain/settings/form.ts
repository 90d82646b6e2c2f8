import { shown } from './shown.ts';

/** The fault of a value that is no group, with the form of one. */
export function noGroup(value: unknown, example: Example): string {
  return `must be a group of settings such as ${flowText(example)}, not ${shown(value)}`;
}

/** A group as a user might write it. */
export type Example = Readonly<Record<string, unknown>>;

/** A value in the flow style of YAML, on one line. */
export function flowText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flowText).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([name, item]) => `${name}: ${flowText(item)}`)
      .join(', ')}}`;
  }
  return typeof value === 'string' && !/^[A-Za-z][\w.-]*$/.test(value) ? JSON.stringify(value) : String(value);
}

/** The first example in a JSON Schema; of a list, a list of one. */
export function exampleIn(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return undefined;
  if ('examples' in schema && Array.isArray(schema.examples)) return schema.examples[0];
  const item = 'items' in schema ? exampleIn(schema.items) : undefined;
  if (item !== undefined) return [item];
  return 'anyOf' in schema && Array.isArray(schema.anyOf) ? schema.anyOf.map(exampleIn).find((one) => one !== undefined) : undefined;
}
