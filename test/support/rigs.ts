import { afterEach } from 'vitest';
import type { Rig } from './rig.ts';

/** A list for the rigs of a file: after each test they are closed, and what they journaled is held against the invariants. */
export function rigsOfTests(): Rig[] {
  const rigs: Rig[] = [];
  afterEach(() => {
    for (const made of rigs) made.close();
    for (const made of rigs.splice(0)) made.remove();
  });
  return rigs;
}
