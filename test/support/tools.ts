import { existsSync } from 'node:fs';
import path from 'node:path';

/** A program that some tests need beside Node. Each is a tag: tests that bear it are skipped where it is missing, and fail there in CI. */
interface Tool {
  readonly name: string;
  /** What it may be called. */
  readonly programs: readonly string[];
  /** What `apt-get install` brings it by. */
  readonly bundle: string;
}

const MODULES = '../lib/python3/dist-packages/matplotlib';

const TOOLS: readonly Tool[] = [
  // The same browser without windows draws a page for half of what a whole one takes of the processor.
  {
    name: 'chromium',
    programs: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
    bundle: 'chromium-headless-shell',
  },
  { name: 'redis-server', programs: ['redis-server'], bundle: 'redis-server' },
  { name: 'strace', programs: ['strace'], bundle: 'strace' },
  { name: 'systemd-analyze', programs: ['systemd-analyze'], bundle: 'systemd' },
  // Other systems have a `script` of their own, which does less; `prlimit` they have not.
  { name: 'util-linux', programs: ['prlimit'], bundle: 'util-linux' },
  // Modules of Debian's Python, which lie beside its programs.
  { name: 'python3-pandas', programs: [MODULES], bundle: 'python3-pandas python3-matplotlib' },
  { name: 'zsh', programs: ['zsh'], bundle: 'zsh' },
  { name: 'fish', programs: ['fish'], bundle: 'fish' },
];

/** Where a tool's program lies; undefined where it is not installed. */
export function programOf(name: string): string | undefined {
  const programs = TOOLS.find((tool) => tool.name === name)?.programs ?? [];
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return programs.flatMap((program) => folders.map((folder) => path.join(folder, program))).find((file) => existsSync(file));
}

/** The tags, for vitest. */
export const TAGS = TOOLS.map(({ name, bundle }) => ({
  name,
  description: `apt-get install ${bundle}`,
  skip: process.env.CI === undefined && programOf(name) === undefined,
}));
