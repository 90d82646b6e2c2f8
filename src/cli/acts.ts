import type { Command } from 'commander';
import { type ActOptions, act, addActOptions, whoActs } from './act.ts';

/** Adds the simple acts: each is the command of a record in `src/server/control/endpoints.ts`. */
export function addActs(program: Command): void {
  addActOptions(program.command('resume'))
    .description('end a halt and all pauses, or the pause of one strategy')
    .argument('[strategy]', 'only this one; a halt stays')
    .addHelpText('after', '\nExample:\n  kairos resume --reason "checked the account"')
    .action((strategy: string | undefined, options: ActOptions) =>
      act({ act: 'resume', strategy: strategy ?? null, ...by(options) }, options),
    );
  addActOptions(program.command('pause'))
    .description('open nothing until `resume`; positions are still closed')
    .argument('[strategy]', 'only this one; without it, all')
    .addHelpText('after', '\nExample:\n  kairos pause cross-btc')
    .action((strategy: string | undefined, options: ActOptions) =>
      act({ act: 'pause', strategy: strategy ?? null, ...by(options) }, options),
    );
  addActOptions(program.command('enable'))
    .description('let a strategy run again that was disabled because it failed')
    .argument('<strategy>', 'its id')
    .addHelpText('after', '\nExample:\n  kairos enable cross-btc')
    .action((strategy: string, options: ActOptions) => act({ act: 'enable', strategy, ...by(options) }, options));
}

const by = ({ reason }: ActOptions) => ({ who: whoActs(), why: reason });
