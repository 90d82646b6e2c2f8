import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../bin/kairos.mjs', import.meta.url));

/** How this Kairos is typed in a folder: npx elsewhere than in a checkout or a project that has it would fetch a package of somebody else's. */
export function typedIn(folder: string, searched = process.env.PATH ?? ''): string {
  const root = nearestPackage(folder);
  if (root !== undefined && (path.join(root, 'bin/kairos.mjs') === PROGRAM || isThis(path.join(root, 'node_modules/.bin/kairos'))))
    return 'npx kairos';
  const onPath = searched.split(path.delimiter).some((place) => !place.includes('node_modules') && isThis(path.join(place, 'kairos')));
  return onPath ? 'kairos' : PROGRAM;
}

let here: { readonly folder: string; readonly words: string } | undefined;

/** A text for a person with `npx kairos` in it, as it is typed here. */
export function typed(text: string): string {
  if (!text.includes('npx kairos ')) return text;
  const folder = process.cwd();
  if (here?.folder !== folder) here = { folder, words: typedIn(folder) };
  return text.replaceAll('npx kairos ', `${here.words} `);
}

/** Where npx looks: the nearest folder upwards that has a package.json or node_modules. */
function nearestPackage(folder: string): string | undefined {
  if (['package.json', 'node_modules'].some((name) => existsSync(path.join(folder, name)))) return folder;
  const above = path.dirname(folder);
  return above === folder ? undefined : nearestPackage(above);
}

const isThis = (file: string): boolean => existsSync(file) && realpathSync(file) === PROGRAM;
