import { type Command, Option } from 'commander';
import { type LoadedConfig, loadConfig } from '../wiring/config/load.ts';

/** The options that every command takes, as commander hands them over. */
export interface ConfigOptions {
  readonly config?: readonly string[];
  readonly set?: readonly string[];
  readonly debug?: boolean;
}

/** Adds `--config`, `--set` and `--debug` to a command. */
export function addConfigOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--config <file>', 'settings file, repeatable: later wins (default: ./kairos.yaml, else paper)').argParser(gather),
    )
    .addOption(new Option('--set <key=value>', 'one setting, repeatable, over files and environment').argParser(gather))
    .option('--debug', 'print the stack of an error as well');
}

/**
 * The configuration that a command's options name, from the present folder and environment. `live` says which mode the
 * command wants to run in; without it the mode is not held against the service's address. Throws a KairosError.
 */
export function configFrom(options: ConfigOptions, live?: boolean): LoadedConfig {
  return loadConfig({
    env: process.env,
    cwd: process.cwd(),
    ...(options.config && { files: options.config }),
    ...(options.set && { set: options.set }),
    ...(live !== undefined && { live }),
  });
}

function gather(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}
