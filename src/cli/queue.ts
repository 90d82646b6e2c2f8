import type { Command } from 'commander';
import { KairosError } from '#domain/errors.ts';
import type { EngineBuild } from '#research/workers/messages.ts';
import { printJson, printLine, printResult, printTable } from './output.ts';
import { openQueue, queueOption } from './queue-options.ts';
import { addConfigOptions, type ConfigOptions, configFrom } from './settings.ts';
import { bestText, printSweeps } from './sweep-table.ts';

interface Options extends ConfigOptions {
  readonly queue: string;
  readonly stop?: string;
  readonly pause?: string;
  readonly resume?: string;
  readonly json?: boolean;
}

/** What a person may ask of a sweep, as output says it. */
const ASKS = [
  { ask: 'stop', told: 'stopping', does: 'stop; its own terminal says what is kept' },
  { ask: 'pause', told: 'pausing', does: 'give out no more jobs until it is resumed; what is being played is played to its end' },
  { ask: 'resume', told: 'resuming', does: 'go on' },
] as const;

/** Adds `queue`: the sweeps and workers of a queue, from any terminal, and how to stop one of them. */
export function addQueue(command: Command): void {
  addConfigOptions(command)
    .addOption(queueOption('where the sweeps are').makeOptionMandatory())
    .option('--stop <sweep>', 'end this sweep; finished trials are kept')
    .option('--pause <sweep>', 'give out no more jobs of this sweep')
    .option('--resume <sweep>', 'lets a paused sweep go on')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos queue --queue redis://10.0.0.5:6379 --stop 3f2a91c07be4')
    .action(queue);
}

async function queue(options: Options): Promise<void> {
  const { queue, key } = await openQueue(options.queue, configFrom(options).settings);
  const { askSweep, queueBoards } = await import('#research/workers/boards.ts');
  const asked = ASKS.flatMap(({ ask, ...words }) => {
    const sweep = options[ask];
    return sweep === undefined ? [] : [{ sweep, ask, ...words }];
  });
  try {
    const [first, ...more] = asked;
    if (more.length > 0) throw new KairosError('USAGE', '--stop, --pause and --resume: take one of them');
    if (first) {
      await askSweep(queue, key, first);
      printResult({ [first.told]: first.sweep }, `the sweep ${first.sweep} was asked to ${first.does}`, options);
      return;
    }
    const { sweeps, workers, ended } = await queueBoards(queue, key);
    if (options.json) return printJson({ sweeps, workers, ended });
    if (sweeps.length === 0) printLine('no sweep is played on this queue');
    else printSweeps(sweeps.map((sweep) => ({ ...sweep, engine: engineText(sweep.engine) })));
    if (ended.length > 0)
      printTable(
        ['sweep', 'from', 'ended', 'how', 'trials', 'most earned'],
        ended.map(({ sweep, host, at, how, played, best }) => [sweep, host, at, how, String(played), bestText(best)]),
      );
    if (workers.length === 0) return printLine('no worker waits for jobs');
    printTable(
      ['worker', 'engine', 'plays', 'trials'],
      workers.map(({ worker, engine, sweeps: plays, refused, trials }) => [
        ...[worker, engineText(engine)],
        plays.length > 0 ? plays.join(' ') : refused.length > 0 ? 'nothing: another Kairos than the sweep' : 'nothing',
        String(trials),
      ]),
    );
  } finally {
    await queue.close();
  }
}

const engineText = ({ version, hash }: EngineBuild): string => `${version} ${hash.slice(0, 8)}`;
