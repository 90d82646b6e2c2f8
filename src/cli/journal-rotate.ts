import type { Command } from 'commander';
import { printResult } from './output.ts';
import { addJournalOptions, type ConfigOptions, configFrom } from './settings.ts';

interface Options extends ConfigOptions {
  readonly json?: boolean;
}

/** Adds `rotate` to `journal`. */
export function addRotate(journal: Command): void {
  addJournalOptions(journal.command('rotate'))
    .description('move the decisions to a read-only archive, while no daemon runs')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos journal rotate')
    .action(rotate);
}

async function rotate(options: Options): Promise<void> {
  const { rotateAtRest } = await import('#adapters/journal/rotate.ts');
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  const rotated = await rotateAtRest(configFrom(options).settings.journal.path, systemTimers.wallMs());
  printResult(rotated, `${rotated.archive}: ${rotated.moved} decisions, to row ${rotated.seq}; the journal goes on from it`, options);
}
