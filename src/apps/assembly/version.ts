import { readFileSync } from 'node:fs';

interface PackageFile {
  readonly version: string;
}

const file: PackageFile = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));

/** This Kairos, as its package says. */
export const VERSION = file.version;
