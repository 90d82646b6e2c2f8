import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { configJsonSchema } from '#config/json-schema.ts';
import { KairosError } from '#domain/errors.ts';
import { installedIn } from '../uninstalled.ts';
import { completeIgnored } from './ignored.ts';
import { type WrittenFiles, writeNew } from './new-files.ts';
import { completePackage } from './own-package.ts';
import { GITIGNORE, packageOf, projectFiles } from './project-texts.ts';

/** Kairos's own folder. */
const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));

type Versions = Readonly<Record<string, string>>;

interface PackageFile {
  readonly devDependencies: Versions;
  readonly optionalDependencies: Versions;
}

/** Packages that run and check a project's tests. */
const TOOLS = ['@types/node', 'typescript', 'vitest'];

interface NewProject extends WrittenFiles {
  /** The lines that an existing `.gitignore` got. */
  readonly ignored: readonly string[];
  /** The fields that an existing `package.json` got. */
  readonly completed: readonly string[];
  /** The commands that install Kairos and the tools: more than `npm install` if an existing `package.json` does not name them. */
  readonly install: readonly string[];
}

/**
 * Writes a new project into a folder, which it makes if missing. Existing files are unchanged, but that a `package.json` that names
 * Kairos, and a `.gitignore`, get what they lack. Throws USAGE inside Kairos's own folder, and beside a `node_modules` with this Kairos and no `package.json`.
 */
export function initProject(folder: string, from = CHECKOUT): NewProject {
  const checkout = realpathSync(from);
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
  const kairos = kairosFor(target, checkout);
  const { optionalDependencies } = own;
  const parts = { name, kairos, devDependencies, optionalDependencies, schema: configJsonSchema() };
  const files = writeNew(target, projectFiles(parts));
  const ignored = files.kept.includes('.gitignore') ? completeIgnored(path.join(target, '.gitignore'), GITIGNORE) : [];
  const written = { ...files, ignored };
  if (files.written.includes('package.json')) return { ...written, completed: [], install: ['npm install'] };
  const completed = completePackage(path.join(target, 'package.json'), packageOf(parts));
  if (completed !== undefined) return { ...written, completed, install: ['npm install'] };
  const tools = Object.entries(devDependencies).map(([tool, version]) => `${tool}@${version}`);
  return {
    ...written,
    completed: [],
    install: [`npm install ${kairos.replace(/^file:/, '')}`, `npm install --save-dev ${tools.join(' ')}`],
  };
}

/** What a project depends on: this folder, or what the project depends on in which this Kairos is installed. */
function kairosFor(target: string, own: string): string {
  const local = (file: string): string => `file:${path.relative(target, file).split(path.sep).join('/')}`;
  const owner = installedIn(own);
  if (owner === undefined) return local(own);
  const named = path.join(owner, 'package.json');
  if (!existsSync(named)) {
    if (owner === target) throw new KairosError('USAGE', `init: ${named} is missing: run npm init -y, then npm install Kairos again`);
    return local(own);
  }
  const { dependencies }: { readonly dependencies?: Versions } = JSON.parse(readFileSync(named, 'utf8'));
  const wanted = dependencies?.kairos ?? local(own);
  return wanted.startsWith('file:') ? local(path.resolve(owner, wanted.slice('file:'.length))) : wanted;
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
