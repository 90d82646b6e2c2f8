import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const own = fileURLToPath(new URL('.', import.meta.url));

/** Stryker is no dependency of the project: it is installed beside what it leaves behind, by its own lock file. */
export const INSTALLED = 'var/mutation/program';

/** Installs it where it is not yet. Throws where that fails. */
export function installStryker(): void {
  if (existsSync(`${INSTALLED}/node_modules/@stryker-mutator/core`)) return;
  mkdirSync(INSTALLED, { recursive: true });
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) copyFileSync(`${own}${file}`, `${INSTALLED}/${file}`);
  const { status } = spawnSync('npm', ['ci', '--prefix', INSTALLED, '--legacy-peer-deps'], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('Stryker could not be installed');
}
