import { fileURLToPath } from 'node:url';

/** The path of a module that tests, strategies and Kairos share. */
const at = (specifier: string): [string, string] => [specifier, fileURLToPath(import.meta.resolve(specifier))];

const SHARED: ReadonlyMap<string, string> = new Map(['kairos/strategy', 'kairos/testing', 'rxjs', 'rxjs/operators'].map(at));

/** A plugin for a project's `vitest.config.ts`. Strategies import Kairos's own copies of modules and go by UTC, as in the daemon. */
export function kairos(): { readonly name: string; readonly enforce: 'pre'; resolveId(source: string): string | undefined } {
  process.env.TZ = 'UTC';
  return { name: 'kairos', enforce: 'pre', resolveId: (source) => SHARED.get(source) };
}
