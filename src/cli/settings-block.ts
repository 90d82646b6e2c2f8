import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import { isGroup } from '#domain/settings/kind.ts';

/** Loaded only where a block is printed. */
const yaml = (): typeof Yaml => createRequire(import.meta.url)('yaml');

/** Settings by full name, with values in the form of `--set`, as YAML for a settings file. */
export function settingsBlock(settings: Readonly<Record<string, string>>): string {
  const root: Record<string, unknown> = {};
  for (const [key, text] of Object.entries(settings)) {
    const names = key.split('.');
    const last = names.pop() ?? '';
    let at = root;
    for (const name of names) {
      const below = at[name];
      const next: Record<string, unknown> = isGroup(below) ? below : {};
      at[name] = next;
      at = next;
    }
    at[last] = yaml().parse(text);
  }
  return yaml().stringify(root).trimEnd();
}
