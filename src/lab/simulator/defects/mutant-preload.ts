import { readdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { reached } from './reached.ts';

/** Preloaded by a process with mutants: the environment names the folder of their sources, and the one that is active. */
const { SIMULATED_MUTANT: activeMutant = '', SIMULATED_SOURCES: folder = '' } = process.env;
const sources = new Set(readdirSync(folder));
const root = new URL('../../../', import.meta.url).href;

/** How often the value of a mutant that is not active was another than the code's own. */
let differed: Record<string, number> = {};

/** What Stryker's code in the sources looks at, and where it notes the mutants that it comes by. */
const stryker = { activeMutant, currentTestId: 'played', mutantCoverage: { static: {}, perTest: { played: {} } }, differing };
Object.assign(globalThis, { __stryker__: stryker });
reached.collect = () => {
  const { perTest, static: always } = stryker.mutantCoverage;
  const passed = { ...always, ...perTest.played, ...differed };
  perTest.played = {};
  differed = {};
  return passed;
};

/** The code's own value. Notes those of mutants that are not like it. */
function differing(value: unknown, others: readonly (readonly [string, () => unknown])[]): unknown {
  if (activeMutant === '') for (const [id, other] of others) differed[id] = (differed[id] ?? 0) + (isAlike(value, other) ? 0 : 1);
  return value;
}

function isAlike(value: unknown, other: () => unknown): boolean {
  try {
    const another = other();
    if (!Array.isArray(value) || !Array.isArray(another)) return Object.is(value, another);
    return value.length === another.length && value.every((one, at) => Object.is(one, another[at]));
  } catch {
    return false;
  }
}

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    const name = url.startsWith(root) ? url.slice(root.length).replaceAll('/', '-') : '';
    return sources.has(name) ? { ...loaded, source: readFileSync(path.join(folder, name), 'utf8') } : loaded;
  },
});
