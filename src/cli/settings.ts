import { type Command, Option } from 'commander';
import type { Proof } from '#assembly/own-venue.ts';
import type { LoadedConfig, LoadOptions } from '#config/load.ts';
import { invariant, KairosError } from '#domain/errors.ts';
import { printNote } from './output.ts';

/** The options of every command, as commander gives them. */
export interface ConfigOptions {
  readonly config?: readonly string[];
  readonly set?: readonly string[];
  readonly debug?: boolean;
}

type Load = typeof import('#config/load.ts').loadConfig;

/** Loaded when a command acts, which keeps `--help` quick. */
let load: Load | undefined;

/** What the service said of itself, where that decides the mode. */
let proof: Proof | undefined;
let asked: string | null = null;

/** Adds `--config`, `--set` and `--debug` to a command, which reads the settings before it acts. */
export function addConfigOptions(command: Command): Command {
  return addUnreadOptions(command).hook('preAction', (_command, acting) => readySettings(acting.opts()));
}

/** As `addConfigOptions`, for a command that acts before it reads the settings: it awaits `readySettings` first then. */
export function addUnreadOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--config <file>', 'settings file, repeatable: later wins (default: ./kairos.yaml, else paper)').argParser(gather),
    )
    .addOption(new Option('--set <key=value>', 'one setting, repeatable, over files and environment').argParser(gather))
    .option('--debug', 'print the stack of an error as well');
}

/** Loads what reads settings, and asks the service what it is where that decides the mode. */
export async function readySettings(options: ConfigOptions): Promise<void> {
  const { loadConfig, serviceThatDecides } = await import('#config/load.ts');
  load = loadConfig;
  asked = serviceThatDecides(loadOptions(options));
  proof = asked === null ? undefined : await (await import('#assembly/own-venue.ts')).askProof(asked);
  told.clear();
}

/** Adds the options of a command that reads a journal: `--journal FILE` is short for `--set journal.path=FILE`. */
export function addJournalOptions(command: Command): Command {
  addConfigOptions(command).option('--journal <file>', 'the journal to read (default: journal.path)');
  return command.on('option:journal', (file: string) => {
    const set: readonly string[] | undefined = command.getOptionValue('set');
    command.setOptionValue('set', gather(`journal.path=${file}`, set));
  });
}

/** What a command does with its configuration. */
type Use = Pick<LoadOptions, 'live' | 'sendsAlerts'>;

/**
 * The configuration by a command's options, from the present folder and environment. `use`: the word for live trading of a command that
 * starts it, or that it sends alerts; without them a configuration may lack what these need. Throws a KairosError. Call it only from the
 * action of a command with these options.
 */
export function configFrom(options: ConfigOptions, use: Use = {}): LoadedConfig {
  invariant(load, 'settings are read by a command that takes --config');
  if (use.live === false && proof === 'silent')
    throw new KairosError(
      'SERVICE_UNREACHABLE',
      `nothing answers at ${asked}, so whether that is a Kairos venue is not known: start it first`,
    );
  const config = load(loadOptions(options, use));
  for (const note of config.notes) tellOnce(note);
  return config;
}

/**
 * As `configFrom`, for a command to a daemon that runs, or that reads what it writes: where the configuration has faults it goes on with what the daemon has, after a note.
 * Throws the fault where none runs.
 */
export async function runningConfigFrom(options: ConfigOptions): Promise<LoadedConfig> {
  try {
    return configFrom(options);
  } catch (error) {
    if (!(error instanceof KairosError)) throw error;
    const { runningPastFaults } = await import('#daemon/operations/past-faults.ts');
    const { config, fault } = runningPastFaults(loadOptions(options));
    for (const note of config.notes) tellOnce(note);
    if (fault) tellOnce(`${fault.message}; this goes by the daemon that runs on ${config.settings.journal.path}, which has its own`);
    return config;
  }
}

const told = new Set<string>();

/** A command that reads its configuration twice says once what there is to say of it. */
function tellOnce(note: string): void {
  if (!told.has(note)) printNote(`kairos: ${note}`);
  told.add(note);
}

/**
 * Where to read the configuration, by the options, folder and environment of this process. A service that is silent is taken for the venue
 * that it may be by commands that start no trading: nothing hears them.
 */
export function loadOptions(options: ConfigOptions, use: Use = {}): LoadOptions {
  return {
    isVenue: proof === 'venue' || (proof === 'silent' && use.live !== false),
    env: process.env,
    cwd: process.cwd(),
    ...(options.config && { files: options.config }),
    ...(options.set && { set: options.set }),
    ...use,
  };
}

/** Collects the values of a repeatable option. */
export function gather(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}
