import type { Command } from 'commander';
import { type ActOptions, act, addActOptions, whoActs } from './act.ts';

/** Adds `resume`: ends a halt and all pauses, or the pause of one strategy. */
export function addResume(program: Command): void {
  addActOptions(program.command('resume'))
    .description('end a halt and all pauses, or the pause of one strategy')
    .argument('[strategy]', 'only this one; a halt stays')
    .addHelpText('after', '\nExample:\n  kairos resume --reason "checked the account"')
    .action((strategy: string | undefined, options: ActOptions) =>
      act({ act: 'resume', strategy: strategy ?? null, who: whoActs(), why: options.reason }, options),
    );
}
