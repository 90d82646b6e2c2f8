import type { Command } from 'commander';
import { KairosError } from '#domain/errors.ts';
import { printJson, printLine, printTable } from './output.ts';
import { openQueue, queueOption } from './queue-options.ts';
import { addConfigOptions, type ConfigOptions, configFrom } from './settings.ts';

interface Options extends ConfigOptions {
  readonly queue: string;
  readonly stop?: string;
  readonly json?: boolean;
}

/** Adds `queue`: the sweeps and workers of a queue, from any terminal, and how to stop one of them. */
export function addQueue(program: Command): void {
  addConfigOptions(program.command('queue'))
    .description('shows the sweeps on a queue, how far they are, and their workers; or stops one')
    .addOption(queueOption('where the sweeps are').makeOptionMandatory())
    .option('--stop <sweep>', 'ends this sweep as Ctrl-C does at its own terminal: what is finished is kept')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos queue --queue redis://10.0.0.5:6379 --stop 3f2a91c07be4')
    .action(queue);
}

async function queue(options: Options): Promise<void> {
  const { queue, key } = await openQueue(options.queue, configFrom(options).settings);
  const { queueBoards, stopSweep } = await import('#apps/workers/boards.ts');
  try {
    const { sweeps, workers } = await queueBoards(queue, key);
    if (options.stop !== undefined) {
      if (!sweeps.some(({ sweep }) => sweep === options.stop))
        throw new KairosError('NOT_FOUND', `no sweep ${options.stop} is played on this queue: kairos queue lists those that are`);
      await stopSweep(queue, key, options.stop);
      if (options.json) printJson({ stopping: options.stop });
      else printLine(`the sweep ${options.stop} is told to stop; its own terminal says what is kept`);
      return;
    }
    if (options.json) return printJson({ sweeps, workers });
    if (sweeps.length === 0) printLine('no sweep is played on this queue');
    else
      printTable(
        ['sweep', 'from', 'engine', 'finished', 'of', 'workers'],
        sweeps.map(({ sweep, host, engine, finished, wanted, workers: count }) => [
          ...[sweep, host, `${engine.version} ${engine.hash.slice(0, 8)}`],
          ...[finished, wanted, count].map(String),
        ]),
      );
    if (workers.length === 0) return printLine('no worker waits for jobs');
    printTable(
      ['worker', 'engine', 'plays', 'trials'],
      workers.map(({ worker, engine, sweeps: plays, refused, trials }) => [
        ...[worker, `${engine.version} ${engine.hash.slice(0, 8)}`],
        plays.length > 0 ? plays.join(' ') : refused.length > 0 ? 'nothing: another Kairos than the sweep' : 'nothing',
        String(trials),
      ]),
    );
  } finally {
    await queue.close();
  }
}
