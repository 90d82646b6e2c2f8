import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { configJsonSchema } from '#config/json-schema.ts';
import { KairosError } from '#domain/errors.ts';
import { type WrittenFiles, writeNew } from './new-files.ts';
import { projectFiles } from './project-texts.ts';

/** Kairos's own folder. */
const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));

interface PackageFile {
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

/** Packages that run and check a project's tests. */
const TOOLS = ['@types/node', 'typescript', 'vitest'];

interface NewProject extends WrittenFiles {
  /** The commands that install Kairos and the tools: more than `npm install` if an existing `package.json` does not name them. */
  readonly install: readonly string[];
}

/** Writes a new project into a folder, which it makes if missing. Existing files are unchanged. Throws USAGE inside Kairos's own folder. */
export function initProject(folder: string): NewProject {
  const checkout = realpathSync(CHECKOUT);
  const target = realPath(folder);
  if (target === checkout || target.startsWith(checkout + path.sep)) {
    throw new KairosError('USAGE', `init: ${folder} is inside of Kairos itself; name a folder outside: kairos init ../my-bot`);
  }
  const own: PackageFile = JSON.parse(readFileSync(path.join(checkout, 'package.json'), 'utf8'));
  const devDependencies = Object.fromEntries(Object.entries(own.devDependencies).filter(([name]) => TOOLS.includes(name)));
  const name =
    path
      .basename(target)
      .toLowerCase()
      .replace(/[^a-z0-9-]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'my-bot';
  const kairos = path.relative(target, checkout).split(path.sep).join('/');
  const { optionalDependencies } = own;
  const files = projectFiles({ name, kairos: `file:${kairos}`, devDependencies, optionalDependencies, schema: configJsonSchema() });
  const written = writeNew(target, files);
  const tools = Object.entries(devDependencies).map(([tool, version]) => `${tool}@${version}`);
  const named = readFileSync(path.join(target, 'package.json'), 'utf8').includes('"kairos"');
  return { ...written, install: named ? ['npm install'] : [`npm install ${kairos}`, `npm install --save-dev ${tools.join(' ')}`] };
}

/** A path with its existing part resolved to the real path. */
function realPath(folder: string): string {
  const absolute = path.resolve(folder);
  try {
    return realpathSync(absolute);
  } catch {
    // It does not exist yet: its parent's real path decides.
    return path.join(path.dirname(absolute) === absolute ? absolute : realPath(path.dirname(absolute)), path.basename(absolute));
  }
}
