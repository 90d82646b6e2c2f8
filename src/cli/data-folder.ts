import type { Command } from 'commander';
import { KairosError } from '#domain/errors.ts';
import { type ConfigOptions, configFrom } from './settings.ts';

export interface FolderOptions extends ConfigOptions {
  readonly data?: string;
}

/** Adds the folder that a command reads, as an argument or as `--data`, which backtests and sweeps have. */
export const addDataFolder = (command: Command, what = 'folder of recordings, or of one'): Command =>
  command.argument('[dir]', `${what} (default: recording.dir)`).option('--data <dir>', 'the same folder, as backtest and sweep name it');

/** The folder that was named, either way, else `recording.dir`. Throws USAGE where two are named. */
export function dataFolder(dir: string | undefined, options: FolderOptions): string {
  const { data } = options;
  if (dir !== undefined && data !== undefined && dir !== data)
    throw new KairosError('USAGE', `${dir} and --data ${data}: name one folder, as the argument or by --data`);
  return dir ?? data ?? configFrom(options).settings.recording.dir;
}
