import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type * as Rxjs from 'rxjs';
import { setClockless } from './clockless.ts';
import { freezeIntrinsics } from './intrinsics.ts';
import { importedFile, isData, isFileImport } from './source-files.ts';

/** Modules that a strategy gets from the host, so that both speak of the same classes and the same time. */
const HOST_MODULES: ReadonlySet<string> = new Set(['kairos/strategy', 'rxjs', 'rxjs/operators']);

/** Compiled modules by address, for Node to pick up once. */
const compiled = new Map<string, string>();
let registered = false;
let generation = 0;

/**
 * Imports a strategy's module from wherever it lies, with fresh copies of all its files: Node's own rules ask for a
 * `package.json`, extensions and erasable syntax, which nobody should need to write a strategy. Each load is a
 * generation, `?gen=N`, that the module passes on to the files it imports; old ones are never freed. Throws what the
 * module throws.
 */
export async function importCompiled({
  file: entry,
  code,
}: {
  readonly file: string;
  readonly code: ReadonlyMap<string, string>;
}): Promise<unknown> {
  // Under vitest the test runner's own loader serves all modules, this one included: two loaders would mean two copies of
  // us. It shows in `import.meta`; the environment would also say so to daemons that a test starts.
  const underTest = 'env' in import.meta;
  generation += 1;
  const gen = generation;
  if (!underTest) {
    register(await import('rxjs'), [await import('./index.ts'), await import('./kernel.ts')]);
    for (const [file, text] of code) compiled.set(addressOf(file, gen), text);
  }
  try {
    const loaded: unknown = await import(/* @vite-ignore */ addressOf(entry, gen));
    return loaded;
  } finally {
    // All that it imports was imported with it.
    for (const file of code.keys()) compiled.delete(addressOf(file, gen));
  }
}

const addressOf = (file: string, gen: number | string): string => `${pathToFileURL(file).href}?gen=${gen}`;

/** Once a thread, before the first strategy. Hooks touch nothing but modules of a generation. */
function register(rxjs: typeof Rxjs, own: readonly object[]): void {
  if (!registered) freezeIntrinsics(rxjs, own);
  hookModules();
}

/** The hooks alone, for tests: some put a clock in the place of JavaScript's own objects. */
export function hookModules(): void {
  if (registered) return;
  registered = true;
  setClockless();
  process.setSourceMapsEnabled(true);
  registerHooks({
    resolve(specifier, context, next) {
      if (compiled.has(specifier)) return { url: specifier, format: formatOf(specifier), shortCircuit: true };
      const gen = generationOf(context.parentURL);
      if (gen === undefined || context.parentURL === undefined) return next(specifier, context);
      if (HOST_MODULES.has(specifier)) return next(specifier, { ...context, parentURL: import.meta.url });
      if (!isFileImport(specifier)) return next(specifier, context);
      const file = importedFile(specifier, fileURLToPath(context.parentURL));
      if (file === undefined) return next(specifier, context);
      const url = addressOf(file, gen);
      return compiled.has(url) ? { url, format: formatOf(url), shortCircuit: true } : next(pathToFileURL(file).href, context);
    },
    load(url, context, next) {
      const source = compiled.get(url);
      return source === undefined ? next(url, context) : { format: formatOf(url), source, shortCircuit: true };
    },
  });
}

const formatOf = (address: string): 'json' | 'module' => (isData(fileURLToPath(address)) ? 'json' : 'module');

const generationOf = (address: string | undefined): string | undefined => /^file:.*\?gen=(\d+)$/.exec(address ?? '')?.[1];
