import { fileURLToPath } from 'node:url';

/** How to install a package that Kairos imports and does not find; undefined for any other error. A missing relative path is a bug. */
export function uninstalledAdvice(error: unknown): string | undefined {
  const isMissing =
    error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND' && error.message.startsWith('Cannot find package ');
  return isMissing ? `run npm ci in ${fileURLToPath(new URL('../..', import.meta.url))}` : undefined;
}

/** Ends the process with one line on standard error, if a package is missing that the command line itself needs; returns for any other error. */
export function endUninstalled(error: unknown): void {
  const advice = uninstalledAdvice(error);
  if (advice === undefined || !(error instanceof Error)) return;
  process.stderr.write(`kairos: ${error.message.split('\n')[0]}: ${advice}\n`);
  process.exit(1);
}
