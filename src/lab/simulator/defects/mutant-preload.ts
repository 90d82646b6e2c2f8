import { readdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { reached } from './reached.ts';

/** Preloaded by a process with mutants: the environment names the folder of their sources, and the one that is active. */
const { SIMULATED_MUTANT: activeMutant = '', SIMULATED_SOURCES: folder = '' } = process.env;
const sources = new Set(readdirSync(folder));
const root = new URL('../../../', import.meta.url).href;

/** What Stryker's code in the sources looks at, and where it notes the mutants that it comes by. */
const stryker = { activeMutant, currentTestId: 'played', mutantCoverage: { static: {}, perTest: { played: {} } } };
Object.assign(globalThis, { __stryker__: stryker });
reached.collect = () => {
  const { perTest, static: always } = stryker.mutantCoverage;
  const passed = { ...always, ...perTest.played };
  perTest.played = {};
  return passed;
};

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    const name = url.startsWith(root) ? url.slice(root.length).replaceAll('/', '-') : '';
    return sources.has(name) ? { ...loaded, source: readFileSync(path.join(folder, name), 'utf8') } : loaded;
  },
});
