import type { Command } from 'commander';
import { remoteAskOf } from '#domain/remote.ts';
import { type AskingOptions, addAskingOptions, askService } from './asking.ts';
import { exactNumber } from './fields.ts';

const ON_ONE = [
  ['start', 'let a strategy at the service trade'],
  ['pause', 'pause a strategy at the service until it is started again'],
  ['stop', 'stop a strategy at the service for good'],
  ['delete', 'delete a strategy at the service'],
] as const;

const ON_ALL = [
  ['pause-all', 'pauseAll', 'pause every strategy of the account, those that are not yours included'],
  ['resume-all', 'resumeAll', 'let every paused strategy of the account trade again, those that are not yours included'],
  ['delete-all', 'deleteAll', 'delete every strategy of the account, those that are not yours included'],
] as const;

interface OpeningsOptions extends AskingOptions {
  readonly from: string;
  readonly to: string;
}

interface FlushOptions extends AskingOptions {
  readonly long: number;
  readonly short: number;
}

/** Adds the commands of one action each. */
export function addActions(remote: Command): void {
  for (const [action, words] of ON_ONE) {
    addAskingOptions(remote.command(action))
      .description(words)
      .argument('<strategy>', 'its id')
      .addHelpText('after', `\nExample:\n  kairos remote ${action} ID`)
      .action(async (strategyId: string, options: AskingOptions) => {
        await askService(remoteAskOf(action, { strategyId }), options);
      });
  }
  addAskingOptions(remote.command('pause-openings'))
    .description('let a strategy at the service open nothing from one time to another')
    .argument('<strategy>', 'its id')
    .requiredOption('--from <time>', 'first moment, such as 2026-01-01T00:00:00Z')
    .requiredOption('--to <time>', 'last moment')
    .addHelpText('after', '\nExample:\n  kairos remote pause-openings ID --from 2026-12-24T12:00:00Z --to 2026-12-27T00:00:00Z')
    .action(async (strategyId: string, options: OpeningsOptions) => {
      await askService(remoteAskOf('schedule-opening-pause', { strategyId, fromTime: options.from, toTime: options.to }), options);
    });
  addAskingOptions(remote.command('flush'))
    .description('reduce the position of a strategy at the service; sent once')
    .argument('<strategy>', 'its id')
    .requiredOption('--long <percent>', 'share of the long position to keep; 0: none', exactNumber)
    .requiredOption('--short <percent>', 'share of the short position to keep; 0: none', exactNumber)
    .addHelpText('after', '\nExample:\n  kairos remote flush ID --long 0 --short 0')
    .action(async (strategyId: string, options: FlushOptions) => {
      const { long: longPositionTargetPercentage, short: shortPositionTargetPercentage } = options;
      await askService(remoteAskOf('flush', { strategyId, longPositionTargetPercentage, shortPositionTargetPercentage }), options);
    });
  for (const [name, action, words] of ON_ALL) {
    addAskingOptions(remote.command(name))
      .description(words)
      .addHelpText('after', `\nExample:\n  kairos remote ${name}`)
      .action(async (options: AskingOptions) => {
        await askService(remoteAskOf(action, {}), options);
      });
  }
}
