import nodePath from 'node:path';
import { type Branch, isKey, type ValuesOf } from '#domain/settings/key.ts';
import type { ResolvedSettings } from './resolved.ts';

/** Converts a path of the settings into the path to open. */
export type Locate = (given: string) => string;

/** Resolves paths from the folder in which Kairos was started, wherever the file of settings lies. */
export function from(cwd: string): Locate {
  return (given) => (given === ':memory:' ? given : nodePath.resolve(cwd, given));
}

/** Leaves paths as given: a configuration has the same hash in every folder. */
export const asGiven: Locate = (given) => given;

/** Reads a group of settings and resolves its paths. */
export function valuesOf<Group extends Branch>(group: Group, resolved: ResolvedSettings, locate: Locate): ValuesOf<Group> {
  const entries = Object.entries(group).map(([name, node]) => {
    if (!isKey(node)) return [name, valuesOf(node, resolved, locate)];
    const value = resolved.get(node);
    return [name, node.kind.isPath && typeof value === 'string' ? locate(value) : value];
  });
  const values: unknown = Object.fromEntries(entries);
  // Each key has read the value of its name.
  return values as ValuesOf<Group>;
}
