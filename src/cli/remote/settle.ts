import type { Command } from 'commander';
import { type ActOptions, actor, addActOptions } from '#cli/act.ts';
import { printResult } from '#cli/output.ts';
import { configFrom } from '#cli/settings.ts';
import { KairosError } from '#domain/errors.ts';
import { remoteAskOf } from '#domain/remote.ts';

interface Options extends ActOptions {
  readonly created?: string;
  readonly nothing?: boolean;
}

/** Adds `remote settle`: settles a create whose answer was lost. */
export function addSettle(remote: Command): void {
  addActOptions(remote.command('settle'))
    .description('settle a create whose answer was lost, so that others may follow')
    .argument('<action>', 'its id, of `kairos remote actions`')
    .option('--created <strategy>', 'it has created this strategy, which `kairos remote find` shows')
    .option('--nothing', 'it has created nothing')
    .addHelpText('after', '\nExample:\n  kairos remote settle 812-r1 --nothing')
    .action(settle);
}

async function settle(actionId: string, options: Options): Promise<void> {
  if ((options.created === undefined) === (options.nothing !== true)) {
    throw new KairosError('USAGE', 'say --created STRATEGY or --nothing; `kairos remote find` shows what is there');
  }
  const strategyId = options.created ?? null;
  if (strategyId !== null) remoteAskOf('start', { strategyId });
  const { settleCreate } = await import('#daemon/operations/remote/remote.ts');
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  const task = await settleCreate(
    { act: 'settle-create', ...actor(options), actionId, strategyId },
    { config: configFrom(options), timers: systemTimers },
  );
  const created = strategyId === null ? 'nothing was created' : `created ${strategyId}`;
  printResult(task, `${actionId}: ${created}; strategies may be created again`, options);
}
