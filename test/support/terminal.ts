import { FRUGAL, KAIROS, Started, type StartOptions } from './process.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Starts `kairos` as a person does who sits at a terminal, which `script` of util-linux gives; all that it shows is in `stdout`. `shell`: what stands before the command. */
export function startAtTerminal(args: readonly string[], { shell = '', ...options }: StartOptions & { readonly shell?: string }): Started {
  const command = shell + [process.execPath, ...FRUGAL, KAIROS, ...args].map(quoted).join(' ');
  return new Started('script', ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], { ...options, stdin: 'pipe' });
}
