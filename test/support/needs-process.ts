import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What starts a process. Files under `src` are not followed: these are the ones that tests start processes with. */
const STARTS =
  /^(node:child_process|#lab\/simulator\/(campaign\/crew|defects\/hunt)\.ts|#lab\/arena\/film\/record-film\.ts|#adapters\/recording\/import\/parquet\.ts)$/;

/** What a module loads; types alone load nothing. */
const loadedBy = (code: string): readonly string[] =>
  [...code.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^;'"]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm)].map(
    ([, at, later]) => at ?? later ?? '',
  );

/** Whether a file of tests puts modules in the place of others: no other may share its process. */
export const replacesModules = (file: string): boolean => /^vi\.(do)?mock\(/m.test(readFileSync(file, 'utf8'));

/**
 * Whether a file of tests starts processes, itself or by what it loads beside `src`, or needs one of its own since it puts modules in the place of
 * others. Such tests are those of `npm run test:system`; the others share a few processes.
 */
export function needsProcess(file: string): boolean {
  if (replacesModules(file)) return true;
  const files = new Set([path.resolve(file)]);
  for (const one of files) {
    const code = readFileSync(one, 'utf8');
    for (const specifier of loadedBy(code)) {
      if (STARTS.test(specifier)) return true;
      const next = path.resolve(path.dirname(one), specifier);
      if (specifier.startsWith('.') && !next.includes(`${path.sep}src${path.sep}`) && existsSync(next)) files.add(next);
    }
  }
  return false;
}
