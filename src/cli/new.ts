import type { Command } from 'commander';
import { printLine } from './output.ts';

interface Options {
  readonly debug?: boolean;
}

/** Adds `new` with its subcommands. */
export function addNew(command: Command): void {
  command
    .addHelpText('after', '\nExample:\n  kairos new strategy my-idea')
    .command('strategy')
    .description('a strategy with its tests, in strategies/; overwrites nothing')
    .argument('<name>', 'small letters, digits and dashes')
    .option('--debug', 'print the stack of an error as well')
    .addHelpText('after', '\nExample:\n  kairos new strategy my-idea')
    .action(strategy);
}

async function strategy(name: string, _options: Options): Promise<void> {
  const { newStrategy } = await import('./init/new-strategy.ts');
  const { PACKAGED_STRATEGIES } = await import('#assembly/package.ts');
  const { written, testable, configured } = newStrategy(name, { cwd: process.cwd(), packaged: PACKAGED_STRATEGIES });
  for (const file of written) printLine(`wrote ${file}`);
  printLine('next:');
  printLine(
    `  npx vitest run strategies/${name}${testable ? '' : '      in a project: kairos init makes one of this folder, then npm install'}`,
  );
  printLine(configured ? '  under strategies: in kairos.yaml' : '  into kairos.yaml');
  if (!configured) printLine('    strategies:');
  printLine(`      - { id: ${name}, use: ${name}, product: btcusd, amount: { base: 0.01 } }`);
  printLine('  npx kairos run --watch');
}
