import { existsSync } from 'node:fs';
import path from 'node:path';
import { journalFiles } from '#adapters/journal/files.ts';
import { heldIn } from '#adapters/journal/held.ts';
import { Lease } from '#adapters/journal/lease.ts';
import { faultsError } from '#config/faults.ts';
import { configPastFaults, type LoadedConfig, type LoadOptions } from '#config/load.ts';
import type { KairosError } from '#domain/errors.ts';
import { inForceNow } from './in-force.ts';

/** What can be had of a configuration that has faults, for a command to a daemon that runs. */
interface PastFaults {
  /** Its good settings, with the journal that is meant: what a command to a daemon needs to find it. */
  readonly config: LoadedConfig;
  /** Its first fault, which counts the others; null for a whole one. */
  readonly fault: KairosError | null;
}

/**
 * Reads a configuration as far as it can be read. Where its journal is held by nobody, and is named nowhere that can be read, the only one in
 * this folder or the folders in it that a daemon holds is meant.
 */
export function readPastFaults(options: LoadOptions): PastFaults {
  const { config, faults } = configPastFaults(options);
  if (faults.length === 0) return { config, fault: null };
  const fault = faultsError(faults);
  const own = config.settings.journal.path;
  const held = heldIn(options.cwd).filter((journal) => journal !== path.resolve(own));
  const isNamed = config.origins().some(({ key, origin }) => key === 'journal.path' && origin !== 'default');
  const [only, ...more] = held;
  if (isNamed || only === undefined || more.length > 0 || Lease.holder(journalFiles(own))) return { config, fault };
  return { config: withSettings(config, { journal: { ...config.settings.journal, path: only } }), fault };
}

/**
 * As `readPastFaults`, for what only a daemon that runs makes sense of: a faulty configuration has its strategies and its schedule. Throws the
 * fault where none runs, and where a file is named that there is not.
 */
export function runningPastFaults(options: LoadOptions): PastFaults {
  const { config, fault } = readPastFaults(options);
  if (fault === null) return { config, fault };
  if (hasMissingFile(config) || !Lease.holder(journalFiles(config.settings.journal.path))) throw fault;
  const { strategies, schedule } = inForceNow(config);
  return { config: withSettings(config, { strategies, schedule }), fault };
}

/** True where a file was named that there is not: which daemon is meant is not known then. */
export const hasMissingFile = ({ files }: Pick<LoadedConfig, 'files'>): boolean => !files.every((file) => existsSync(file));

const withSettings = (config: LoadedConfig, settings: Partial<LoadedConfig['settings']>): LoadedConfig => ({
  ...config,
  settings: { ...config.settings, ...settings },
});
