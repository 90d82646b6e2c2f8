/** What makes a value of JSON from the one before: `[value]` in its place, `[]` where it is gone, else what changed in it, by key. */
export type StateChange = readonly [] | readonly [value: unknown] | { readonly [key: string]: StateChange };

/** What has changed from one value of JSON to the next; undefined for nothing. */
export function changeOf(before: unknown, after: unknown): StateChange | undefined {
  if (before === after) return undefined;
  if (!isAlike(before, after)) return [after];
  const was = entriesOf(before);
  const is = entriesOf(after);
  const gone = [...was.keys()].filter((key) => !is.has(key)).map((key): [string, StateChange] => [key, []]);
  const changed = [...is].flatMap(([key, value]): [string, StateChange][] => {
    const change = was.has(key) ? changeOf(was.get(key), value) : ([value] as const);
    return change === undefined ? [] : [[key, change]];
  });
  const all = [...gone, ...changed];
  return all.length === 0 ? undefined : Object.fromEntries(all);
}

/** True of two groups, and of two lists of one length. */
function isAlike(before: unknown, after: unknown): boolean {
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) return false;
  if (Array.isArray(before) !== Array.isArray(after)) return false;
  return !Array.isArray(before) || !Array.isArray(after) || before.length === after.length;
}

const entriesOf = (value: unknown): ReadonlyMap<string, unknown> => new Map(Object.entries(Object(value)));
