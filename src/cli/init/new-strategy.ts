import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { strategyNames } from '#core/strategy/loader.ts';
import { KairosError } from '#domain/errors.ts';
import { writeNew } from './new-files.ts';
import { strategyFiles } from './strategy-texts.ts';

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const LONGEST = 40;

interface NewStrategy {
  readonly written: readonly string[];
  /** True if its tests find `kairos/testing` from the folder. */
  readonly testable: boolean;
  /** True if the folder has a `kairos.yaml`. */
  readonly configured: boolean;
}

/** Writes a strategy and its tests into `strategies/` of a folder. Throws USAGE for an invalid or used name. */
export function newStrategy(name: string, folders: { readonly cwd: string; readonly packaged: string }): NewStrategy {
  const { cwd } = folders;
  if (!NAME.test(name) || name.length > LONGEST) {
    throw new KairosError('USAGE', `new strategy: a name is small letters, digits and single dashes, such as my-idea; not '${name}'`);
  }
  if (strategyNames(folders).includes(name))
    throw new KairosError('USAGE', `new strategy: there is a strategy ${name} already; choose another name`);
  const files = strategyFiles(name);
  const there = files.find(({ path: file }) => existsSync(path.join(cwd, file)));
  if (there) throw new KairosError('USAGE', `new strategy: ${there.path} is there already; choose another name`);
  const { written } = writeNew(cwd, files);
  return { written, testable: findsKairos(cwd), configured: existsSync(path.join(cwd, 'kairos.yaml')) };
}

/** True if modules in the folder find the package `kairos`. */
function findsKairos(folder: string): boolean {
  try {
    createRequire(path.join(folder, 'strategies', 'any.js')).resolve('kairos/package.json');
    return true;
  } catch {
    // Tests would not find it either.
    return false;
  }
}
