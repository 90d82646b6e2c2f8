import type { Command } from 'commander';
import type { Fault } from '#config/faults.ts';
import type { LoadedConfig, Origin } from '#config/load.ts';
import { isGroup } from '#domain/settings/kind.ts';
import { printJson, printLine, printNote, printTable } from './output.ts';
import { addConfigOptions, type ConfigOptions, configFrom, loadOptions } from './settings.ts';

interface Options extends ConfigOptions {
  readonly json?: boolean;
  readonly origins?: boolean;
  readonly live?: boolean;
}

const WRONG_CONFIGURATION = 2;

/** Adds `config` with its subcommands. */
export function addConfig(program: Command): void {
  const config = program.command('config').description('the settings: check them, print them, describe them to an editor');

  addConfigOptions(config.command('check'))
    .description(
      'read everything, load the strategies, and on paper hold their products and amounts against the venue; every fault on a line of its own',
    )
    .option('--live', 'as `run --live` would read it, with all that live trading needs')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos config check --config kairos.yaml')
    .action(check);

  addConfigOptions(config.command('print'))
    .description('all settings as they result, secrets left out')
    .option('--origins', 'with the file and line, variable or option that each comes from')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos config print --origins')
    .action(print);

  addConfigOptions(config.command('schema'))
    .description('JSON Schema of the settings, for editors')
    .addHelpText('after', '\nExample:\n  kairos config schema > schema.json')
    .action(schema);
}

async function check(options: Options): Promise<void> {
  const { inspectConfig } = await import('#config/load.ts');
  const inspected = inspectConfig(loadOptions(options, options.live === true));
  const faults = 'faults' in inspected ? await faultsOfRest(inspected) : await faultsOfStart(inspected.config);
  if (faults.length > 0) {
    process.exitCode = WRONG_CONFIGURATION;
    if (options.json) return printJson({ ok: false, faults });
    for (const { line } of faults) printNote(`kairos: ${line}`);
    return;
  }
  if ('faults' in inspected) return;
  const { mode, files, hash, settings } = inspected.config;
  if (options.json) return printJson({ ok: true, mode, files, hash, strategies: settings.strategies.map(({ id }) => id) });
  const { shownPath } = await import('#config/files.ts');
  printLine(
    `ok: ${mode}, ${settings.strategies.length} ${settings.strategies.length === 1 ? 'strategy' : 'strategies'}, from ${files.map((file) => shownPath(file, process.cwd())).join(', ')}`,
  );
}

/** All faults of the settings, and those that strategies find in their parameters. */
async function faultsOfRest({ faults, rest }: { readonly faults: readonly Fault[]; readonly rest: LoadedConfig | undefined }) {
  if (!rest) return faults;
  const { strategyFaults } = await import('#apps/assembly/start-faults.ts');
  const { PACKAGED_STRATEGIES } = await import('#apps/assembly/package.ts');
  return [...faults, ...(await strategyFaults(rest, { cwd: process.cwd(), packaged: PACKAGED_STRATEGIES }))];
}

async function faultsOfStart(config: LoadedConfig): Promise<readonly Fault[]> {
  const { startFaults } = await import('#apps/assembly/start-faults.ts');
  const { PACKAGED_STRATEGIES } = await import('#apps/assembly/package.ts');
  return startFaults(config, { cwd: process.cwd(), packaged: PACKAGED_STRATEGIES });
}

async function print(options: Options): Promise<void> {
  const origins = configFrom(options).origins();
  if (options.origins) {
    if (options.json) return printJson(origins);
    return printTable(
      ['setting', 'value', 'from'],
      origins.map(({ key, value, origin }) => [key, cell(value), origin]),
    );
  }
  const tree = nested(origins);
  if (options.json) return printJson(tree);
  const { stringify } = await import('yaml');
  printLine(stringify(tree, { lineWidth: 0 }).trimEnd());
}

async function schema(): Promise<void> {
  const { configJsonSchema } = await import('#config/json-schema.ts');
  printJson(configJsonSchema());
}

function cell(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The settings as a tree, from keys such as `strategies[0].amount.base`. */
function nested(origins: readonly Origin[]): unknown {
  return origins.reduce<unknown>((tree, { key, value }) => {
    const path = [...key.matchAll(/[^.[\]]+/g)].map(([part]) => part);
    return placed(tree, path, value);
  }, {});
}

function placed(tree: unknown, path: readonly string[], value: unknown): unknown {
  const [part, ...rest] = path;
  if (part === undefined) return value;
  if (/^\d+$/.test(part)) {
    const list: readonly unknown[] = Array.isArray(tree) ? tree : [];
    const index = Number(part);
    return [...list.slice(0, index), placed(list[index], rest, value), ...list.slice(index + 1)];
  }
  const group = isGroup(tree) ? tree : {};
  return { ...group, [part]: placed(group[part], rest, value) };
}
