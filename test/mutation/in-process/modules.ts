import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';

const SHIMS: ReadonlyMap<string, string> = new Map([
  ['vitest', new URL('./vitest.ts', import.meta.url).href],
  ['@fast-check/vitest', new URL('./fast-check.ts', import.meta.url).href],
]);

const OWN = new URL('./', import.meta.url).href;
const placeOf = (url: string): string => fileURLToPath(url.split('?')[0] ?? url);

/**
 * The modules of the project as tests load them: `vitest` is what takes their tests down, and each generation has modules of its own, so
 * that what a module does as it is loaded can be done again with a mutant.
 */
export class Modules {
  private readonly importers = new Map<string, Set<string>>();
  private readonly sources = new Map<string, string>();
  private generation = 0;
  /** What belongs to this generation: the others stay as they were loaded. */
  private renewed: ReadonlySet<string> = new Set();

  /** @param root The folder of the project's copy that is mutated, as a URL with a slash at its end. */
  constructor(root: string) {
    registerHooks({
      resolve: (specifier, context, next) => {
        const by = context.parentURL;
        const isOurs = by?.startsWith(root) && !by.includes('/node_modules/');
        const shim = isOurs && !by?.startsWith(OWN) ? SHIMS.get(specifier) : undefined;
        if (shim !== undefined) return { url: shim, shortCircuit: true };
        const found = next(specifier, context);
        if (!found.url.startsWith(root) || found.url.includes('/node_modules/')) return found;
        if (isOurs && by !== undefined) this.note(placeOf(by), placeOf(found.url));
        const isNew = this.renewed.has(placeOf(found.url)) && (!isOurs || by?.endsWith(`?g=${this.generation}`));
        return isNew ? { ...found, url: `${found.url.split('?')[0]}?g=${this.generation}` } : found;
      },
      load: (url, context, next) => {
        if (!url.startsWith(root) || !url.split('?')[0]?.endsWith('.ts') || url.includes('/node_modules/')) return next(url, context);
        return { format: 'module', source: this.sourceOf(placeOf(url)), shortCircuit: true };
      },
    });
  }

  import(file: URL): Promise<unknown> {
    return import(this.renewed.has(placeOf(file.href)) ? `${file.href}?g=${this.generation}` : file.href);
  }

  /** From now on a file, and what imports it directly or by others, is loaded anew. Gives these. */
  anew(file: string): ReadonlySet<string> {
    const all = new Set([file]);
    for (const one of all) for (const importer of this.importers.get(one) ?? []) all.add(importer);
    this.generation += 1;
    this.renewed = all;
    return all;
  }

  private sourceOf(file: string): string {
    const source = this.sources.get(file) ?? stripTypeScriptTypes(readFileSync(file, 'utf8'));
    this.sources.set(file, source);
    return source;
  }

  private note(importer: string, file: string): void {
    const known = this.importers.get(file) ?? new Set();
    this.importers.set(file, known.add(importer));
  }
}
