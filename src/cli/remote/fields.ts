import { InvalidArgumentError } from 'commander';
import { decimalOf } from '#domain/decimal.ts';
import { KairosError } from '#domain/errors.ts';

const NUMBER = /^-?\d{1,16}(\.\d{1,18})?$/;

/** Reads a number of a request: plain, and exact in JSON (B03, B05). */
export function exactNumber(text: string): number {
  const value = NUMBER.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(value) && decimalOf(value).eq(decimalOf(text))) return value + 0;
  throw new InvalidArgumentError('It must be a plain number that a double can carry exactly, such as 0.01.');
}

/** Collects `name=value` of a repeatable option; the value is JSON if it parses, else text. */
export function gatherField(text: string, before: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be name=value.');
  return { ...before, [text.slice(0, at)]: fieldValue(text.slice(at + 1)) };
}

export const gatherName = (name: string, before: readonly string[] = []): readonly string[] => [...before, name];

function fieldValue(text: string): unknown {
  if (NUMBER.test(text)) return exactNumber(text);
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: a word, such as LONG.
    return text;
  }
}

/** Joins fields, without missing ones. Throws USAGE if one was given twice. */
export function joined(
  typed: Readonly<Record<string, unknown>>,
  free: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const given = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== undefined));
  const twice = Object.keys(free).find((name) => Object.hasOwn(given, name));
  if (twice !== undefined) throw new KairosError('USAGE', `${twice} is given twice: by its own option and by --field`);
  return { ...given, ...free };
}
