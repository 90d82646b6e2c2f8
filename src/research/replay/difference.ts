import { isDeepStrictEqual } from 'node:util';
import { isGroup } from '#domain/settings/kind.ts';

/** A place at which two rows differ, with what each of them has there; undefined where it has nothing. */
export interface FieldDifference {
  /** `reason`, `detail.order.price`, `detail.checks[3][1]`. */
  readonly field: string;
  readonly recorded: unknown;
  readonly replayed: unknown;
}

/** Maximum number of differences: the first causes all others. */
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
  // A group on one side only is listed member by member.
  if (isGroup(recorded) && replayed === undefined) return yield* members(field, recorded, {});
  if (isGroup(replayed) && recorded === undefined) return yield* members(field, {}, replayed);
  if (!isGroup(recorded) || !isGroup(replayed)) {
    yield { field, recorded, replayed };
    return;
  }
  yield* members(field, recorded, replayed);
}

type Group = Readonly<Record<string, unknown>>;

function* members(field: string, recorded: Group, replayed: Group): Generator<FieldDifference, void> {
  for (const name of new Set([...Object.keys(recorded), ...Object.keys(replayed)])) {
    yield* differing(field === '' ? name : `${field}.${name}`, recorded[name], replayed[name]);
  }
}
