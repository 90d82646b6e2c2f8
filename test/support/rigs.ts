import { afterEach } from 'vitest';
import { Rig, type RigOptions } from './rig.ts';

/**
 * Makes the rigs of a file, of one test `run-1`, `run-2` and so on, with these options and those that a test gives. After each test they
 * are closed, and what they journaled is held against the invariants.
 */
export function rigsOfTests(usual: Partial<RigOptions> = {}): (options?: Partial<RigOptions>) => Rig {
  const rigs: Rig[] = [];
  afterEach(() => {
    for (const made of rigs) made.close();
    for (const made of rigs.splice(0)) made.remove();
  });
  return (options) => {
    const made = new Rig({ strategies: {}, run: `run-${rigs.length + 1}`, ...usual, ...options });
    rigs.push(made);
    return made;
  };
}
