import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project that npm has installed this Kairos in, by Kairos's own folder; undefined for a checkout. */
export const installedIn = (own: string): string | undefined => {
  const modules = path.dirname(path.resolve(own));
  return path.basename(modules) === 'node_modules' ? path.dirname(modules) : undefined;
};

/** How to install a package that Kairos imports and does not find; undefined for any other error. A missing relative path is a bug. */
export function uninstalledAdvice(error: unknown): string | undefined {
  const isMissing =
    error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND' && error.message.startsWith('Cannot find package ');
  if (!isMissing) return undefined;
  const own = fileURLToPath(new URL('../..', import.meta.url));
  const project = installedIn(own);
  return project === undefined ? `run npm ci in ${own}` : `run npm install in ${project}`;
}

/** Ends the process with one line on standard error, if a package is missing that the command line itself needs; returns for any other error. */
export function endUninstalled(error: unknown): void {
  const advice = uninstalledAdvice(error);
  if (advice === undefined || !(error instanceof Error)) return;
  process.stderr.write(`kairos: ${error.message.split('\n')[0]}: ${advice}\n`);
  process.exit(1);
}
