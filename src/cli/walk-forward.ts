import type { Command } from 'commander';
import type { Millis } from '#domain/names.ts';
import { printJson } from './output.ts';
import { outputFile } from './output-file.ts';
import { takeUncaught } from './strategy-failures.ts';
import { addTrialOptions, searching, type TrialOptions, withStudy } from './sweep.ts';
import { span, spanOrNone } from './time-span.ts';

interface Options extends TrialOptions {
  readonly train: Millis;
  readonly test: Millis;
  readonly embargo: Millis;
  readonly anchored?: boolean;
  readonly report?: string;
}

/** Adds `walk-forward`: parameters are chosen on the past and tested on what follows. */
export function addWalkForward(command: Command): void {
  addTrialOptions(command)
    .requiredOption('--train <time>', 'length of a training, such as 5d or 12h', span)
    .requiredOption('--test <time>', 'length of the test behind it', span)
    .option('--embargo <time>', 'left out between the two', spanOrNone, 0)
    .option('--anchored', 'every training begins where the recording does')
    .option('--report <file.html>', 'write trainings against tests as one HTML file with charts', outputFile('report'))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos walk-forward --train 5d --test 1d --embargo 1h --vary cross-btc.fast=5..25:5')
    .action(walkForward);
}

async function walkForward(options: Options): Promise<void> {
  takeUncaught('ends');
  const { walkForward: play } = await import('#research/sweep/walk-forward.ts');
  await withStudy(options, 'walk-forward', async (study, playing) => {
    const { train, test, embargo, anchored = false } = options;
    const windows = { trainMs: train, testMs: test, embargoMs: embargo, anchored };
    const result = await play(study, { ...searching(options), ...windows }, playing);
    const { foldsJson, printWalkForward, writeFolds } = await import('./walk-forward-lines.ts');
    if (options.json) printJson(foldsJson(result));
    else printWalkForward(result);
    if (options.report !== undefined) await writeFolds(result, { file: options.report, of: 'walk-forward', title: 'Walk-forward' });
    return result;
  });
}
