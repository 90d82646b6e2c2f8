import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { reached } from './reached.ts';

/** Preloaded by a process with a mutant: the environment names the file below `src/`, its mutated source, and which of the mutants in it is active. */
const { SIMULATED_MUTANT: activeMutant = '', SIMULATED_FILE: file = '', SIMULATED_SOURCE: source = '' } = process.env;

/** What Stryker's code in the source looks at and counts. */
const stryker = { activeMutant, hitCount: 0, hitLimit: Number.POSITIVE_INFINITY };
Object.assign(globalThis, { __stryker__: stryker });
reached.times = () => stryker.hitCount;

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    return url.endsWith(`/src/${file}`) ? { ...loaded, source: readFileSync(source, 'utf8') } : loaded;
  },
});
