import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Entries of the packages that users import: their exports are for them. */
const PUBLIC: Readonly<Record<string, string>> = {
  'kairos/strategy': 'src/core/strategy/index.ts',
  'kairos/testing': 'src/strategy-testing/index.ts',
  'kairos/testing/vitest': 'src/strategy-testing/vitest.ts',
};

const DECLARED = /^export (?:abstract )?(?:async )?(?:const|function\*?|class|interface|type) ([A-Za-z_$][\w$]*)/gm;
const IMPORTED = /\b(?:import|export)\s+(?:type\s+)?([^;'"`]*?)\bfrom\s+['"]([^'"]+)['"]/g;

/** Names in braces as the other file has them, without what they are called here. */
const namesIn = (list: string): string[] => list.split(',').flatMap((part) => /^\s*(?:type\s+)?([A-Za-z_$][\w$]*)/.exec(part)?.[1] ?? []);

const wordsOf = (text: string): readonly string[] => [...new Set(text.match(/[A-Za-z_$][\w$]*/g))];

/** What `src` exports and nobody imports, as `file: name`, by the texts of all files by their paths from the checkout. */
export function needlessExports(texts: ReadonlyMap<string, string>): readonly string[] {
  const used = new Map<string, Set<string>>();
  const use = (from: string, specifier: string, names: readonly string[]): void => {
    const beside = specifier.startsWith('.') ? path.posix.join(path.posix.dirname(from), specifier) : PUBLIC[specifier];
    const file = specifier.startsWith('#') ? `src/${specifier.slice(1)}` : beside;
    if (file === undefined) return;
    const known = used.get(file) ?? new Set();
    for (const name of names) known.add(name);
    used.set(file, known);
  };
  for (const [file, text] of texts) {
    let words: readonly string[] | undefined;
    const all = (): readonly string[] => (words ??= wordsOf(text));
    for (const [, clause = '', from = ''] of text.matchAll(IMPORTED)) {
      // A whole module goes by what is said of it.
      use(file, from, clause.includes('*') ? all() : namesIn(/\{([^}]*)\}/.exec(clause)?.[1] ?? ''));
    }
    for (const [, from = ''] of text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g)) use(file, from, all());
    // Scripts in the texts of tests.
    for (const [name] of text.matchAll(/src\/[\w/.-]+\.ts/g)) use(file, `#${name.slice(4)}`, all());
  }
  return [...texts].flatMap(([file, text]) => {
    if (!file.startsWith('src/') || Object.values(PUBLIC).includes(file) || /^src\/cli\/init\/.*-texts\.ts$/.test(file)) return [];
    const again = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) => namesIn(list));
    const names = [...[...text.matchAll(DECLARED)].map(([, name = '']) => name), ...again];
    return names.filter((name) => !used.get(file)?.has(name)).map((name) => `${file}: ${name}`);
  });
}

/** All code of the checkout that may import `src`, by path from `root`. */
export function textsUnder(root: string): ReadonlyMap<string, string> {
  return new Map(
    ['src', 'strategies', 'web', 'bench', 'scripts', 'test', 'bin'].flatMap((top) =>
      readdirSync(path.join(root, top), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.(tsx?|m?js)$/.test(entry.name))
        .map((entry): [string, string] => {
          const file = path.join(entry.parentPath, entry.name);
          return [path.relative(root, file).split(path.sep).join('/'), readFileSync(file, 'utf8')];
        }),
    ),
  );
}
