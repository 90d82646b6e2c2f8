import { spawnSync } from 'node:child_process';
import { KAIROS, Started, type StartOptions } from './process.ts';

/** `script` of util-linux, which Debian and Ubuntu always have, gives a process a terminal of its own. */
const SCRIPT = /util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '');

/** Why tests at a terminal cannot run here; undefined where they can, and under CI, where they must. */
export const noTerminal: string | undefined =
  SCRIPT || process.env.CI !== undefined ? undefined : 'a terminal for the test needs `script` of util-linux';

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Starts `kairos` as a person does who sits at a terminal; all that it shows is in `stdout`. `shell`: what stands before the command. */
export function startAtTerminal(args: readonly string[], { shell = '', ...options }: StartOptions & { readonly shell?: string }): Started {
  const command = shell + [process.execPath, KAIROS, ...args].map(quoted).join(' ');
  return new Started('script', ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], { ...options, stdin: 'pipe' });
}
