import nodePath from 'node:path';
import { type Branch, isKey, type ValuesOf } from '#domain/settings/key.ts';
import type { Resolved } from './resolved.ts';

/** Turns a path as it was given into the one that is opened. */
export type Locate = (given: string) => string;

/** Paths are taken from the folder in which Kairos was started, wherever the file of settings lies. */
export function from(cwd: string): Locate {
  return (given) => (given === ':memory:' ? given : nodePath.resolve(cwd, given));
}

/** Leaves paths as they were given, so that a configuration has one hash wherever it runs. */
export const asGiven: Locate = (given) => given;

/** Reads a group of settings; paths are located. */
export function valuesOf<Group extends Branch>(group: Group, resolved: Resolved, locate: Locate): ValuesOf<Group> {
  const entries = Object.entries(group).map(([name, node]) => {
    if (!isKey(node)) return [name, valuesOf(node, resolved, locate)];
    const value = resolved.get(node);
    return [name, node.kind.isPath && typeof value === 'string' ? locate(value) : value];
  });
  const values: unknown = Object.fromEntries(entries);
  // Each name has the value that its own key has read.
  return values as ValuesOf<Group>;
}
