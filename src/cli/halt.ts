import type { Command } from 'commander';
import { type ActOptions, act, addActOptions, whoActs } from './act.ts';

/** Adds `halt`: no order goes out until a person resumes. */
export function addHalt(program: Command): void {
  addActOptions(program.command('halt'))
    .description('stop all orders until `resume`, openings and exits alike')
    .addHelpText('after', '\nExample:\n  kairos halt --reason "prices look wrong"')
    .action((options: ActOptions) => act({ act: 'halt', who: whoActs(), why: options.reason }, options));
}
