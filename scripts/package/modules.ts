import path from 'node:path';
import { build, type Plugin } from 'esbuild';

/** A module of the package by its path in the folder of modules, with the modules that it names by theirs. */
export interface BuiltModule {
  readonly path: string;
  readonly text: string;
  readonly names: readonly string[];
}

/** A module beside this one, as the owner of a thread or a child process names it. */
const BESIDE = /new URL\((['"])([^'"]+\.ts)\1, import\.meta\.url\)/g;

/** An own module's name once it is built. */
export const builtName = (specifier: string): string => specifier.replace(/\.ts$/, '.js');

/** An own module by its path in the folder of modules, from the import of another; undefined for packages, and for data. */
export function ownModule(specifier: string, from: string): string | undefined {
  if (specifier.endsWith('.json')) return undefined;
  if (specifier.startsWith('#')) return builtName(specifier.slice(1));
  return /^\.\.?\//.test(specifier) ? path.join(path.dirname(from), builtName(specifier)) : undefined;
}

/** Leaves each import where it is: a module becomes a file of its own. Those by `#` keep their name, which `imports` of the package maps. */
const aFileEach: Plugin = {
  name: 'a file each',
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ path: name, kind }) =>
      kind === 'entry-point' ? undefined : { path: name.startsWith('.') ? builtName(name) : name, external: true },
    );
  },
};

/** The modules of a source folder as JavaScript without types, a file each: below `node_modules`, Node runs no TypeScript. */
export async function builtModules(source: string, files: readonly string[]): Promise<ReadonlyMap<string, BuiltModule>> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: source,
    entryPoints: [...files],
    outdir: '.',
    outbase: '.',
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    plugins: [aFileEach],
    logLevel: 'error',
  });
  const built = outputFiles.map(({ path: absolute, text }): [string, BuiltModule] => {
    const file = path.relative(source, absolute);
    const imports = metafile.outputs[file]?.imports.map(({ path: specifier }) => specifier) ?? [];
    const beside = [...text.matchAll(BESIDE)].map(([, , name = '']) => (name.startsWith('.') ? name : `./${name}`));
    const names = [...imports, ...beside].flatMap((specifier) => ownModule(specifier, file) ?? []);
    return [file, { path: file, text: text.replace(BESIDE, (found) => found.replace(/\.ts(['"])/, '.js$1')), names }];
  });
  return new Map(built);
}

/** The modules that run from the entries. Throws for a name without a module. */
export function reached<Module extends BuiltModule>(modules: ReadonlyMap<string, Module>, entries: readonly string[]): readonly Module[] {
  const found = new Map<string, Module>();
  const next = [...entries];
  for (let file = next.pop(); file !== undefined; file = next.pop()) {
    if (found.has(file)) continue;
    const module = modules.get(file);
    if (module === undefined) throw new Error(`${file} is named, and is no module`);
    found.set(file, module);
    next.push(...module.names);
  }
  return [...found.values()];
}
