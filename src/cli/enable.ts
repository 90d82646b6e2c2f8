import type { Command } from 'commander';
import { type ActOptions, act, addActOptions, whoActs } from './act.ts';

/** Adds `enable`: lets a strategy run again that was disabled because it failed. */
export function addEnable(program: Command): void {
  addActOptions(program.command('enable'))
    .description('let a strategy run again that was disabled because it failed')
    .argument('<strategy>', 'its id')
    .addHelpText('after', '\nExample:\n  kairos enable cross-btc')
    .action((strategy: string, options: ActOptions) => act({ act: 'enable', strategy, who: whoActs(), why: options.reason }, options));
}
