import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { namesBlock, type Page, page } from './page.ts';

/** A package of the lock file and what it says of itself; `*` for those of which each machine gets its own. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** An expression of SPDX; 'none' for a package that names none. */
  readonly licence: string;
  /** Only developers need it: no install of the package brings it. */
  readonly isTool: boolean;
}

interface Lock {
  readonly packages: Readonly<Record<string, { version: string; license?: unknown; dev?: boolean; cpu?: unknown }>>;
}

/** Licences that let anybody run, change and pass on what is built on the package, if its notice stays. */
export const ALLOWED: readonly string[] = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];

/** Packages of the lock file, each version once, by name. */
export function lockedPackages(): readonly LockedPackage[] {
  const lock: Lock = JSON.parse(readFileSync(fileURLToPath(new URL('../../package-lock.json', import.meta.url)), 'utf8'));
  const found = Object.entries(lock.packages).flatMap(([where, { version, license, dev, cpu }]): [string, LockedPackage][] => {
    if (where === '') return [];
    const whole = where.slice(where.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const name =
      cpu === undefined
        ? whole
        : whole.replace(/^(@[^/]+\/).*|-(?:android|darwin|freebsd|linux|win32)-.*/, (_, scope) =>
            scope === undefined ? '-*' : `${scope}*`,
          );
    const one = { name, version, licence: licenceOf(license), isTool: dev === true };
    return [[`${name}@${version} ${one.isTool}`, one]];
  });
  return [...new Map(found).values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Old packages name a list of licences to choose from. */
function licenceOf(said: unknown): string {
  if (typeof said === 'string') return said;
  if (!Array.isArray(said)) return 'none';
  return said
    .map((one: unknown) => (typeof one === 'object' && one !== null && 'type' in one ? String(one.type) : String(one)))
    .join(' OR ');
}

/** What an install brings, by licence. */
export function licencesPage(): Page {
  const groups = Map.groupBy(
    lockedPackages().filter(({ isTool }) => !isTool),
    ({ licence }) => licence,
  );
  const parts = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([licence, ones]) => `## ${licence}\n\n${namesBlock(ones.map(({ name, version }) => `${name}@${version}`))}`);
  const intro = `What an install brings, with the licence that each package names. Kairos itself is MIT. A test lets in ${ALLOWED.join(', ')} alone. \`npm run package\` writes the same as CycloneDX.`;
  return page('licences', 'Licences', [intro, ...parts].join('\n\n'));
}
