import { isDeepStrictEqual } from 'node:util';

/** A place at which two rows differ, with what each of them has there; undefined where it has nothing. */
export interface FieldDifference {
  /** `reason`, `detail.order.price`, `detail.checks[3][1]`. */
  readonly field: string;
  readonly recorded: unknown;
  readonly replayed: unknown;
}

/** More are not of interest: the first difference brings all others about. */
const MOST = 50;

/** Every place at which two plain values differ, in their own order; at most fifty. */
export function differences(recorded: unknown, replayed: unknown): readonly FieldDifference[] {
  return [...differing('', recorded, replayed)].slice(0, MOST);
}

function* differing(field: string, recorded: unknown, replayed: unknown): Generator<FieldDifference, void> {
  if (isDeepStrictEqual(recorded, replayed)) return;
  if (Array.isArray(recorded) && Array.isArray(replayed)) {
    const length = Math.max(recorded.length, replayed.length);
    for (let i = 0; i < length; i++) yield* differing(`${field}[${i}]`, recorded[i], replayed[i]);
    return;
  }
  if (!isGroup(recorded) || !isGroup(replayed)) {
    yield { field, recorded, replayed };
    return;
  }
  for (const name of new Set([...Object.keys(recorded), ...Object.keys(replayed)])) {
    yield* differing(field === '' ? name : `${field}.${name}`, recorded[name], replayed[name]);
  }
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
