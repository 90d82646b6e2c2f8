import { type Command, Option } from 'commander';
import type { LoadedConfig, LoadOptions } from '#config/load.ts';
import { invariant } from '#domain/errors.ts';
import { printNote } from './output.ts';

/** The options that every command takes, as commander hands them over. */
export interface ConfigOptions {
  readonly config?: readonly string[];
  readonly set?: readonly string[];
  readonly debug?: boolean;
}

type Load = typeof import('#config/load.ts').loadConfig;

/** Fetched when a command is about to act, so that `--help` never waits for it. */
let load: Load | undefined;

/** Adds `--config`, `--set` and `--debug` to a command. */
export function addConfigOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--config <file>', 'settings file, repeatable: later wins (default: ./kairos.yaml, else paper)').argParser(gather),
    )
    .addOption(new Option('--set <key=value>', 'one setting, repeatable, over files and environment').argParser(gather))
    .option('--debug', 'print the stack of an error as well')
    .hook('preAction', async () => {
      load = (await import('#config/load.ts')).loadConfig;
    });
}

/** Adds the options of a command that reads a journal: `--journal FILE` is short for `--set journal.path=FILE`. */
export function addJournalOptions(command: Command): Command {
  addConfigOptions(command).option(
    '--journal <file>',
    'the journal to read, such as one that kairos backtest --journal kept (default: journal.path)',
  );
  return command.on('option:journal', (file: string) => {
    const set: readonly string[] | undefined = command.getOptionValue('set');
    command.setOptionValue('set', gather(`journal.path=${file}`, set));
  });
}

/**
 * The configuration that a command's options name, from the present folder and environment. `live` says which mode the
 * command wants to run in; without it the mode is not held against the service's address. Throws a KairosError. Only to
 * be called from the action of a command with these options.
 */
export function configFrom(options: ConfigOptions, live?: boolean): LoadedConfig {
  invariant(load, 'settings are read by a command that takes --config');
  const config = load(loadOptions(options, live));
  for (const note of config.notes) printNote(`kairos: ${note}`);
  return config;
}

/** What the options, folder and environment of this process ask to be read. */
export function loadOptions(options: ConfigOptions, live?: boolean): LoadOptions {
  return {
    env: process.env,
    cwd: process.cwd(),
    ...(options.config && { files: options.config }),
    ...(options.set && { set: options.set }),
    ...(live !== undefined && { live }),
  };
}

/** Gathers the values of an option that may be repeated. */
export function gather(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}
