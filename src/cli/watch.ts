import type { Command } from 'commander';
import type { LoadedConfig } from '#config/load.ts';
import { messageOf } from '#domain/errors.ts';
import { goOnWithoutOutput } from './broken-pipe.ts';
import { printNote } from './output.ts';
import { addConfigOptions, type ConfigOptions, configFrom, loadOptions } from './settings.ts';
import { onStopSignal } from './stop-signal.ts';

/** Adds `watch`: watches the daemon from outside. */
export function addWatch(command: Command): void {
  addConfigOptions(command).addHelpText('after', '\nExample:\n  kairos watch --set alerts.watch.after=10s').action(watch);
}

async function watch(options: ConfigOptions): Promise<void> {
  const config = await watchedConfig(options);
  const { startWatch } = await import('#daemon/operations/alerts-watch.ts');
  const { createLog } = await import('#assembly/log.ts');
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  const log = createLog(config);
  const ended = Promise.withResolvers<void>();
  // A watcher goes on after its terminal was closed, as the daemon does.
  void goOnWithoutOutput();
  process.on('SIGHUP', () => log.info('SIGHUP: the terminal is gone; watching goes on'));
  const off = onStopSignal(() => ended.resolve());
  const watcher = startWatch(config, systemTimers, (level, text) => log[level](text));
  const { journal, alerts } = config.settings;
  const watching = `watching the daemon of ${journal.path}; Ctrl-C stops`;
  const { channelNames } = await import('#adapters/alerts/channels.ts');
  if (channelNames(alerts).length > 0) log.info(watching);
  else log.warn(`${watching}; no alert channel is set up here, so nobody is alerted (kairos alerts test tries one)`);
  process.send?.('ready');
  await ended.promise;
  await watcher.stop();
  off();
  log.info('stopped');
}

/** A watcher of a daemon whose settings are broken is needed most: it goes by what can be read of them, where that names a channel. */
async function watchedConfig(options: ConfigOptions): Promise<LoadedConfig> {
  try {
    return configFrom(options, { sendsAlerts: true });
  } catch (error) {
    const { configPastFaults } = await import('#config/load.ts');
    const { channelNames } = await import('#adapters/alerts/channels.ts');
    const { config } = configPastFaults(loadOptions(options));
    if (channelNames(config.settings.alerts).length === 0) throw error;
    printNote(`kairos: ${messageOf(error)}; watching goes on by what can be read`);
    return config;
  }
}
