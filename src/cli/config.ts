import type { Command } from 'commander';
import type { CheckedAgainst } from '#assembly/start-faults.ts';
import type { Fault } from '#config/faults.ts';
import type { inspectConfig, LoadedConfig, Origin } from '#config/load.ts';
import { isGroup } from '#domain/settings/kind.ts';
import { printJson, printLine, printNote, printTable } from './output.ts';
import { addConfigOptions, type ConfigOptions, configFrom, loadOptions } from './settings.ts';

interface Options extends ConfigOptions {
  readonly json?: boolean;
  readonly origins?: boolean;
  readonly live?: boolean;
  readonly data?: string;
}

const WRONG_CONFIGURATION = 2;

/** Adds `config` with its subcommands. */
export function addConfig(config: Command): void {
  addConfigOptions(config.command('check'))
    .description('check settings and strategies, and their amounts against the venue or --data')
    .option('--data <path>', 'check products and amounts against these: a recording, folder or run')
    .option('--live', 'as `run --live` would read it')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos config check --config kairos.yaml')
    .action(check);

  addConfigOptions(config.command('print'))
    .description('all settings as they result, secrets left out')
    .option('--origins', 'with the file, line, variable or option of each')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  kairos config print --origins')
    .action(print);

  addConfigOptions(config.command('schema'))
    .description('JSON Schema of the settings, for editors')
    .addHelpText('after', '\nExample:\n  kairos config schema > schema.json')
    .action(schema);
}

async function check(options: Options): Promise<void> {
  (await import('#assembly/load-guard.ts')).guardLoading();
  const { inspectConfig } = await import('#config/load.ts');
  const inspected = inspectConfig(loadOptions(options, { live: options.live ?? 'either' }));
  const { faults, played, warnings } =
    'faults' in inspected ? await faultsOfRest(inspected, options) : await faultsOfStart(inspected.config, options);
  if (faults.length > 0) {
    process.exitCode = WRONG_CONFIGURATION;
    if (options.json) return printJson({ ok: false, faults });
    for (const { line } of faults) printNote(`kairos: ${line}`);
    return;
  }
  if ('faults' in inspected) return;
  const { mode, files, hash, settings } = inspected.config;
  const strategies = settings.strategies.map(({ id }) => id);
  if (options.json)
    return printJson({ ok: true, mode, files, hash, strategies, warnings, ...(options.data !== undefined && { data: played }) });
  const { shownPath } = await import('#config/files.ts');
  const against = options.data === undefined ? '' : `, on the quotes of ${options.data}`;
  printLine(
    `ok: ${mode}, ${settings.strategies.length} ${settings.strategies.length === 1 ? 'strategy' : 'strategies'}, from ${files.map((file) => shownPath(file, process.cwd())).join(', ')}${against}`,
  );
  for (const line of [...warnings, ...played]) printLine(line);
}

/** Faults, what else should be mended, and what backtests play of the data that the settings are held against. */
interface ConfigFindings {
  readonly faults: readonly Fault[];
  readonly warnings: readonly string[];
  readonly played: readonly string[];
}

/** All faults of the settings, and those that strategies find in their parameters, also of entries with other faults. */
async function faultsOfRest({ faults, rest, leftOut }: Faulty, options: Options): Promise<ConfigFindings> {
  if (!rest) return { faults, warnings: [], played: [] };
  const { faultsInPart, strategyFaults } = await import('#assembly/start-faults.ts');
  const against = await checkedAgainst(rest, options);
  const inPart: Fault[] = [];
  for (const entry of leftOut) inPart.push(...(await faultsInPart(entry, against)));
  return { faults: [...faults, ...inPart, ...(await strategyFaults(rest, against))], warnings: [], played: [] };
}

type Faulty = Extract<ReturnType<typeof inspectConfig>, { readonly faults: unknown }>;

async function faultsOfStart(config: LoadedConfig, options: Options): Promise<ConfigFindings> {
  const { startFaults } = await import('#assembly/start-faults.ts');
  const { needsProxy } = await import('#config/signal-keys.ts');
  const against = await checkedAgainst(config, options);
  const { warnings, told: played } = against;
  const { signals } = config.settings;
  const open = needsProxy(signals)
    ? [`signals.host: ${signals.host} is not this machine alone; let a reverse proxy in front of it end TLS`]
    : [];
  return { faults: await startFaults(config, against), warnings: [...config.notes, ...warnings, ...open], played };
}

async function checkedAgainst(
  { settings }: LoadedConfig,
  { data }: Options,
): Promise<CheckedAgainst & { readonly told: readonly string[] }> {
  const { sharedAtStart, venueFaults, venueRateFaults, venueWarnings } = await import('#assembly/start-faults.ts');
  const { PACKAGED_STRATEGIES } = await import('#assembly/package.ts');
  const { service } = settings;
  const folders = { cwd: process.cwd(), packaged: PACKAGED_STRATEGIES };
  if (data === undefined)
    return {
      folders,
      productFaults: venueFaults(settings),
      rateFaults: venueRateFaults(settings),
      warnings: [...venueWarnings(settings), ...sharedAtStart(settings)].map(({ text }) => text),
      told:
        service.baseUrl === null ? [] : [`the service is not asked: kairos doctor compares products and amounts with ${service.baseUrl}`],
    };
  const { dataFaults } = await import('#research/backtest/data-faults.ts');
  return { folders, ...dataFaults(data, settings) };
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
