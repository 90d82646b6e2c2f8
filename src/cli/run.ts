import type { Command } from 'commander';
import { KairosError } from '#domain/errors.ts';
import { pause } from '#ports/pause.ts';
import type { Timers } from '#ports/timers.ts';
import { goOnWithoutOutput } from './broken-pipe.ts';
import { addConfigOptions, type ConfigOptions, configFrom, loadOptions } from './settings.ts';

/** How long a run that ends waits for a terminal that takes no output, in milliseconds. */
const LAST_LINES_MS = 500;

interface Options extends ConfigOptions {
  readonly live?: boolean;
  readonly watch?: boolean;
}

/** Adds `run`: the daemon. */
export function addRun(command: Command): void {
  addConfigOptions(command)
    .option('--live', 'trade real money; needs `mode: live` in the settings')
    .option('--watch', 'restart with every change of a strategy file; not live')
    .addHelpText('after', "\nExample:\n  kairos run --config kairos.yaml --set 'strategies[0].enabled=false'")
    .action(run);
}

/** The word for live trading where no option can be typed: under pm2, systemd or Docker. */
function isWordGiven(word = ''): boolean {
  if (word !== '' && word !== 'yes' && word !== 'no') throw new KairosError('USAGE', `KAIROS_LIVE: must be yes or no, not ${word}`);
  return word === 'yes';
}

async function run(options: Options): Promise<void> {
  const { watch = false } = options;
  const live = options.live === true || isWordGiven(process.env.KAIROS_LIVE);
  if (live && watch)
    throw new KairosError('USAGE', '--watch: only on paper and dry; restart the daemon to trade live with a changed strategy');
  try {
    const config = configFrom(options, { live });
    const outputLost = goOnWithoutOutput();
    const { runDaemon } = await import('#daemon/run/run.ts');
    const { systemTimers } = await import('#adapters/time/system-timers.ts');
    const code = await runDaemon(config, { watch, outputLost });
    await lastLinesWritten(systemTimers);
    // Everything is closed; a library's open handle must not keep a stopped daemon alive.
    process.exit(code);
  } catch (error) {
    await leaveFailure(options, error);
    throw error;
  }
}

/** For the watcher, beside the journal of as much of the settings as can be read. */
async function leaveFailure(options: ConfigOptions, error: unknown): Promise<void> {
  const { configPastFaults } = await import('#config/load.ts');
  const { leaveFailedStart } = await import('#adapters/journal/failed-start.ts');
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  leaveFailedStart(configPastFaults(loadOptions(options)).config.settings.journal.path, error, systemTimers.wallMs());
}

/** Resolves once the terminal has taken the last lines, or takes none. */
async function lastLinesWritten(timers: Pick<Timers, 'after'>): Promise<void> {
  const written = new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
  await Promise.race([written, pause(timers, LAST_LINES_MS)]);
}
