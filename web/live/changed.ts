import type { StateChange } from '#server/page/changes.ts';

/** A value with a change made to it. */
export function changed(before: unknown, change: StateChange): unknown {
  if (isWhole(change)) return change[0];
  const values = new Map<string, unknown>(Object.entries(Object(before)));
  for (const [key, one] of Object.entries(change)) {
    if (isWhole(one) && one.length === 0) values.delete(key);
    else values.set(key, changed(values.get(key), one));
  }
  return Array.isArray(before) ? [...values.values()] : Object.fromEntries(values);
}

const isWhole = (change: StateChange): change is readonly [] | readonly [unknown] => Array.isArray(change);
