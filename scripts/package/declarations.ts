import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BuiltModule, builtName, ownModule, reached } from './modules.ts';

/** An own module that a declaration imports. */
const IMPORT = /\b(from |import\()(["'])([.#][^"']*\.ts)\2/g;

/** The declarations of the entries and of what they name, as `tsc` writes them. Throws its messages about one of these. */
export function declarations(root: string, entries: readonly string[]): readonly BuiltModule[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'kairos-declarations-'));
  try {
    const source = path.join(root, 'src');
    const config = {
      extends: path.join(root, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        rootDir: source,
        outDir: path.join(folder, 'out'),
        typeRoots: [path.join(root, 'node_modules/@types')],
      },
      include: [],
      files: entries.map((entry) => path.join(source, entry)),
    };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
    const { stdout } = spawnSync(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], {
      cwd: root,
      encoding: 'utf8',
    });
    const found = reached(
      declared(path.join(folder, 'out')),
      entries.map((entry) => entry.replace(/\.ts$/, '.d.ts')),
    );
    // What tests and the daemon alone use may have types that no declaration can name.
    const wrong = found.flatMap(({ path: file }) =>
      stdout.split('\n').filter((line) => line.startsWith(`src/${file.replace(/\.d\.ts$/, '.ts(')}`)),
    );
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function declared(folder: string): ReadonlyMap<string, BuiltModule> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'));
  return new Map(
    files.map((file) => {
      const text = readFileSync(path.join(folder, file), 'utf8');
      const names = [...text.matchAll(IMPORT)].flatMap(
        ([, , , specifier = '']) => ownModule(specifier, file)?.replace(/\.js$/, '.d.ts') ?? [],
      );
      const mapped = text.replace(IMPORT, (found, ...[, , specifier]) =>
        specifier.startsWith('.') ? found.replace(specifier, builtName(specifier)) : found,
      );
      return [file, { path: file, text: mapped, names }];
    }),
  );
}
