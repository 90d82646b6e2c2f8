import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface PackageFile {
  readonly version: string;
}

const file: PackageFile = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));

/** This Kairos, as its package says. */
export const VERSION = file.version;

/** The strategies that come with Kairos. */
export const PACKAGED_STRATEGIES = fileURLToPath(new URL('../../../strategies', import.meta.url));
