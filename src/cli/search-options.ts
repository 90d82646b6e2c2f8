import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import { KairosError, messageOf } from '#domain/errors.ts';
import { isGroup } from '#domain/settings/kind.ts';
import type { PruningName } from '#research/sweep/pruning.ts';
import type { SearchName } from '#research/sweep/search-method.ts';
import type { SpaceFile } from '#research/sweep/space-file.ts';

/** Named here because `--help` must not load the search. */
export const SEARCHES = ['grid', 'random', 'tpe', 'cmaes'] as const satisfies readonly SearchName[];

export const PRUNING_NAMES = ['median', 'halving'] as const satisfies readonly PruningName[];

/** Reads a file of parameters. Throws USAGE. */
export function spaceFile(file: string): SpaceFile {
  try {
    const yaml: typeof Yaml = createRequire(import.meta.url)('yaml');
    const space: unknown = yaml.parse(readFileSync(file, 'utf8'));
    if (isGroup(space)) return space;
  } catch (error) {
    throw new KairosError('USAGE', `--space ${file} cannot be read: ${messageOf(error).split('\n')[0]}`);
  }
  throw new KairosError('USAGE', `--space ${file}: must have parameters by STRATEGY_ID.PARAM, such as cross.fast: { low: 5, high: 50 }`);
}
