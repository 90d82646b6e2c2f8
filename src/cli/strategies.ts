import type { Command } from 'commander';
import { printJson, printTable } from './output.ts';
import { addConfigOptions, type ConfigOptions, configFrom } from './settings.ts';

/** Adds `strategies`: the modules there are, with their parameters. */
export function addStrategies(program: Command): void {
  addConfigOptions(program.command('strategies'))
    .description('strategy modules: those that come with Kairos, yours, their parameters, and which are in use')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos strategies')
    .action(strategies);
}

async function strategies(options: ConfigOptions & { readonly json?: boolean }): Promise<void> {
  const { listStrategies } = await import('../wiring/strategy-list.ts');
  const { PACKAGED_STRATEGIES } = await import('../wiring/packaged-strategies.ts');
  const listed = await listStrategies(configFrom(options).settings.strategies, { cwd: process.cwd(), packaged: PACKAGED_STRATEGIES });
  if (options.json) return printJson(listed);
  printTable(
    ['use', 'from', 'parameters (default; what they may be)', 'inputs', 'in use as'],
    listed.map(({ use, from, params, inputs, usedBy, wrong }) => [
      use,
      from,
      wrong ??
        (params.map(({ name, initial, allowed }) => `${name} (${initial}${allowed === null ? '' : `; ${allowed}`})`).join('\n') || 'none'),
      inputs.join(', '),
      usedBy.join(', '),
    ]),
  );
}
