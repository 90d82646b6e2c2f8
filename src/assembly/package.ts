import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

interface PackageFile {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

const file: PackageFile = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** The version of this Kairos. */
export const VERSION = file.version;

/** The packages that it is built on, with their versions. */
export const PACKAGES = file.dependencies;

/** The strategies that come with Kairos. */
export const PACKAGED_STRATEGIES = fileURLToPath(new URL('../../strategies', import.meta.url));

const SOURCE = fileURLToPath(new URL('..', import.meta.url));

let code: string | undefined;

/** A hash over all files of this Kairos, as they were when it was first asked for. It tells builds of the same version apart. */
export function codeHash(): string {
  code ??= hashOfCode();
  return code;
}

function hashOfCode(): string {
  const hash = createHash('sha256');
  const files = readdirSync(SOURCE, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => path.join(parentPath, name)).sort();
  for (const file of paths) hash.update(`${path.relative(SOURCE, file)}\0`).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}
