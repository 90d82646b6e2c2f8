import path from 'node:path';
import type { Command } from 'commander';
import { printLine } from './output.ts';

interface Options {
  readonly debug?: boolean;
}

/** Adds `init`: a project outside Kairos's own folder. */
export function addInit(command: Command): void {
  command
    .argument('[dir]', 'its folder, made if it is missing (default: this one)')
    .option('--debug', 'print the stack of an error as well')
    .addHelpText('after', '\nA package.json that names Kairos, and a .gitignore, get what they lack.\n\nExample:\n  kairos init ../my-bot')
    .action(init);
}

async function init(dir: string | undefined, _options: Options): Promise<void> {
  const folder = dir ?? '.';
  const { initProject } = await import('./init/init.ts');
  const { written, kept, completed, ignored, install } = initProject(folder);
  for (const file of written) printLine(`wrote ${path.join(folder, file)}`);
  if (completed.length > 0) printLine(`added to ${path.join(folder, 'package.json')}: ${completed.join(', ')}`);
  if (ignored.length > 0) printLine(`added to ${path.join(folder, '.gitignore')}: ${ignored.join(', ')}`);
  const unchanged = kept.filter((file) => file !== '.gitignore' || ignored.length === 0);
  for (const file of unchanged) printLine(`kept  ${path.join(folder, file)}, which was there already`);
  printLine('next:');
  if (folder !== '.') printLine(`  cd ${folder}`);
  for (const command of install) printLine(`  ${command}`);
  printLine('  npm test');
  printLine('  npm start');
}
