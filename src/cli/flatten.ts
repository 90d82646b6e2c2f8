import type { Command } from 'commander';
import { askYes } from './ask.ts';
import { addManualOptions, byHand, type ManualOptions } from './manual-requests.ts';
import { printNote } from './output.ts';
import { runningConfigFrom } from './settings.ts';

interface Options extends ManualOptions {
  readonly yes?: boolean;
  readonly end?: true;
}

/** Adds `flatten`: closes every book and opens nothing until a person resumes. */
export function addFlatten(command: Command): void {
  addManualOptions(command, 120)
    .option('--yes', 'out of a halt: do not ask')
    .option('--end', 'end every closing at work; positions stay')
    .addHelpText('after', '\nExample:\n  kairos flatten --reason "going away"')
    .action(flatten);
}

async function flatten(options: Options): Promise<void> {
  if (options.end) return byHand('flatten', { end: true }, options);
  const { journalFacts } = await import('#adapters/journal/acts.ts');
  const halt = journalFacts((await runningConfigFrom(options)).settings.journal.path).latches.find(({ kind }) => kind === 'halted');
  if (halt && !options.yes) {
    printNote(`trading is halted by ${halt.who}: ${halt.why}`);
    await askYes('End the halt so that positions can be closed, and nothing else?', 'flatten', 'trading stays halted');
  }
  await byHand('flatten', { resume: halt !== undefined || options.yes === true }, options);
}
