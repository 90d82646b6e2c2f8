import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire, findPackageJSON, isBuiltin } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { jsonIn } from '#domain/json-in.ts';
import { isGroup } from '#domain/settings/kind.ts';

/** Kairos and what it gives a strategy: the hash of its code tells them apart. */
const OWN = /^(kairos|rxjs)(\/|$)/;

/** Hashes by folder. A process loads a package once, and runs that to its end whatever is installed meanwhile. */
const known = new Map<string, string>();

/** Hashes of the packages that files import, with those that they depend on, sorted; one that is not there is left out. */
export function packageHashes(imported: Iterable<readonly [from: string, file: string]>): readonly string[] {
  const hashes = new Map<string, string>();
  const open = [...imported];
  for (let next = open.pop(); next; next = open.pop()) {
    const [from, file] = next;
    if (OWN.test(from) || isBuiltin(from)) continue;
    const found = packageOf(from, file);
    if (found === undefined || hashes.has(found)) continue;
    const hash = known.get(found) ?? hashOf(found);
    known.set(found, hash);
    hashes.set(found, hash);
    if (path.basename(found) === 'package.json') for (const name of dependenciesIn(found)) open.push([name, found]);
  }
  return [...hashes.values()].sort();
}

/** The `package.json` of what is imported; of the package in which the import stands the file alone, as the rest is the user's folder. */
function packageOf(from: string, file: string): string | undefined {
  try {
    const found = from.startsWith('#') ? undefined : findPackageJSON(from, pathToFileURL(file));
    const isOther = found !== undefined && path.relative(path.dirname(found), file).startsWith('..');
    return realpathSync(isOther ? found : createRequire(file).resolve(from));
  } catch {
    // The import itself says so.
    return undefined;
  }
}

function hashOf(found: string): string {
  const folder = path.dirname(found);
  const hash = createHash('sha256');
  const files = path.basename(found) === 'package.json' ? filesIn(folder).sort() : [found];
  for (const file of files) hash.update(`${path.relative(folder, file)}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name.startsWith('.')) return [];
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(file);
    return entry.isFile() ? [file] : [];
  });
}

function dependenciesIn(file: string): readonly string[] {
  const value = jsonIn(readFileSync(file, 'utf8'));
  if (!isGroup(value)) return [];
  const { dependencies, peerDependencies, optionalDependencies } = value;
  return [dependencies, peerDependencies, optionalDependencies].flatMap((group) => (isGroup(group) ? Object.keys(group) : []));
}
