import type { Command } from 'commander';
import { type ActOptions, act, addActOptions, whoActs } from './act.ts';

/** Adds `pause`: nothing is opened until `resume`; positions are still closed. */
export function addPause(program: Command): void {
  addActOptions(program.command('pause'))
    .description('open nothing until `resume`; positions are still closed')
    .argument('[strategy]', 'only this one; without it, all')
    .addHelpText('after', '\nExample:\n  kairos pause cross-btc')
    .action((strategy: string | undefined, options: ActOptions) =>
      act({ act: 'pause', strategy: strategy ?? null, who: whoActs(), why: options.reason }, options),
    );
}
