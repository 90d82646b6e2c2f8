import { fileURLToPath } from 'node:url';

/** Where a module is that tests, strategies and Kairos have in common. */
const at = (specifier: string): [string, string] => [specifier, fileURLToPath(import.meta.resolve(specifier))];

const SHARED: ReadonlyMap<string, string> = new Map(['kairos/strategy', 'kairos/testing', 'rxjs', 'rxjs/operators'].map(at));

/**
 * A plugin for `vitest.config.ts` of a project of its own: what strategies import is Kairos's own copy, as in the daemon,
 * wherever Kairos lies.
 */
export function kairos(): { readonly name: string; readonly enforce: 'pre'; resolveId(source: string): string | undefined } {
  return { name: 'kairos', enforce: 'pre', resolveId: (source) => SHARED.get(source) };
}
