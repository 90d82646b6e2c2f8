import type { Command } from 'commander';
import { KairosError } from '#domain/errors.ts';
import { printJson, printTable } from './output.ts';
import { addConfigOptions, type ConfigOptions, configFrom } from './settings.ts';

interface Options extends ConfigOptions {
  readonly silent?: boolean;
  readonly json?: boolean;
}

/** Adds `alerts`: tests the channels. */
export function addAlerts(alerts: Command): void {
  addConfigOptions(alerts.command('test'))
    .description('send a test message over every configured channel, and show the results')
    .option('--silent', 'as silent events are sent')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos alerts test')
    .action(test);
}

async function test(options: Options): Promise<void> {
  const config = configFrom(options, { sendsAlerts: true });
  const { tryChannels } = await import('#daemon/operations/alerts-test.ts');
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  const tried = await tryChannels(config, { silent: options.silent === true, timers: systemTimers });
  if (options.json) printJson(tried);
  else
    printTable(
      ['channel', 'ms', 'result'],
      tried.map(({ channel, ms, failure }) => [channel, String(ms), failure ?? 'delivered']),
    );
  const failed = tried.filter(({ failure }) => failure !== null).map(({ channel }) => channel);
  if (failed.length > 0) throw new KairosError('ALERT_UNDELIVERED', `alerts do not reach ${failed.join(', ')}`);
}
