import type { Command } from 'commander';
import { type ActOptions, act, actor, addActOptions } from './act.ts';

// The simple acts: each is the command of a record in `src/server/control/endpoints.ts`.

/** Ends a halt and pauses. */
export function addResume(command: Command): void {
  addActOptions(command)
    .argument('[strategy]', 'only this one; a halt stays')
    .addHelpText('after', '\nExample:\n  kairos resume --reason "checked the account"')
    .action((strategy: string | undefined, options: ActOptions) =>
      act({ act: 'resume', strategy: strategy ?? null, ...actor(options) }, options),
    );
}

/** Pauses openings. */
export function addPause(command: Command): void {
  addActOptions(command)
    .argument('[strategy]', 'only this one; without it, all')
    .addHelpText('after', '\nExample:\n  kairos pause cross-btc')
    .action((strategy: string | undefined, options: ActOptions) =>
      act({ act: 'pause', strategy: strategy ?? null, ...actor(options) }, options),
    );
}

/** Lets a disabled strategy run again. */
export function addEnable(command: Command): void {
  addActOptions(command)
    .argument('<strategy>', 'its id')
    .addHelpText('after', '\nExample:\n  kairos enable cross-btc')
    .action((strategy: string, options: ActOptions) => act({ act: 'enable', strategy, ...actor(options) }, options));
}
