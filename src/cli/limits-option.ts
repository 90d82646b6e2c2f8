import type { Command } from 'commander';
import type { LoadedConfig } from '#config/load.ts';
import { type ConfigOptions, configFrom } from './settings.ts';

/** The options of a command that plays backtests. */
export interface LimitsOptions extends ConfigOptions {
  /** False with `--no-limits`. */
  readonly limits?: boolean;
}

/** Adds `--no-limits` to a command that plays backtests. */
export function addLimitsOption(command: Command): Command {
  return command.option('--no-limits', 'without budgets and risk limits, as backtest.limits: off; the result says so');
}

/** The configuration of a backtest, with the limits switched off if asked. Throws a KairosError. */
export function backtestConfig(options: LimitsOptions): LoadedConfig {
  return configFrom(options.limits === false ? { ...options, set: [...(options.set ?? []), 'backtest.limits=off'] } : options);
}
