import { type Command, Option } from 'commander';
import type { LoadedConfig } from '#config/load.ts';
import { type ConfigOptions, configFrom } from './settings.ts';

/** The options of a command that plays backtests. */
export interface LimitsOptions extends ConfigOptions {
  /** False of `--no-limits`, which says what `--limits off` says. */
  readonly limits?: string | false;
}

/** Adds `--limits` to a command that plays backtests. */
export function addLimitsOption(command: Command): Command {
  return command
    .addOption(new Option('--limits <which>', 'which limits hold, as backtest.limits; the result says so').choices(['live', 'risk', 'off']))
    .addOption(new Option('--no-limits', 'as --limits off').hideHelp());
}

/** The configuration of a backtest, with the limits that are asked for. Throws a KairosError. */
export function backtestConfig({ limits, ...options }: LimitsOptions): LoadedConfig {
  return configFrom(limits === undefined ? options : { ...options, set: [...(options.set ?? []), `backtest.limits=${limits || 'off'}`] });
}
