import type { Command } from 'commander';
import type { Build } from '#assembly/build-hash.ts';
import type { LoadedConfig } from '#config/load.ts';
import type { Settings } from '#config/settings.ts';
import { KairosError } from '#domain/errors.ts';
import { isDry, modeFacts } from '#domain/mode.ts';
import { UNREHEARSED } from '#domain/unrehearsed.ts';
import type { ArmView } from '#server/page/history-view.ts';
import { type ActOptions, act, actor, addActOptions } from './act.ts';
import { askYes } from './ask.ts';
import { printNote } from './output.ts';
import { configFrom } from './settings.ts';

interface Options extends ActOptions {
  readonly yes?: boolean;
  readonly unrehearsed?: boolean;
}

/** Adds `arm`: lets the present configuration trade, after showing its limits and its differences from the last armed one. */
export function addArm(command: Command): void {
  addActOptions(command)
    .option('--yes', 'do not ask')
    .option('--unrehearsed', 'live: let strategies be the first who order at this service')
    .addHelpText('after', '\nExample:\n  kairos arm --reason "new limits checked"')
    .action(arm);
}

async function arm(options: Options): Promise<void> {
  const { armedSince, lastArmed } = await import('#adapters/journal/acts.ts');
  const { instanceOf } = await import('#adapters/journal/instance.ts');
  const { scopeOf } = await import('#daemon/operations/armed-scope.ts');
  const { presentOf, runsOtherwise } = await import('#daemon/operations/in-force.ts');
  const { armView } = await import('#daemon/page/arm-view.ts');
  const loaded = await configToArm(options);
  const { settings, json, hash: configHash, mode } = loaded;
  const present = presentOf({ settings });
  const otherwise = runsOtherwise({ json }, present);
  if (otherwise) throw new KairosError('CONFIG_INVALID', `nothing was armed: ${otherwise.what}: ${otherwise.mend}`);
  const build = await buildFor(settings);
  const { withBuild } = await import('#assembly/build-hash.ts');
  const config = withBuild(json, build);
  const journal = settings.journal.path;
  const instance = lastArmed(journal) === null ? '' : instanceOf(journal, Date.now());
  const view = armView(journal, { mode, configHash, build: build.hash, config, instance, scope: scopeOf(loaded) });
  for (const { key, value } of view.scope) printNote(`${key}: ${value}`);
  for (const line of await accountLines(settings)) printNote(line);
  printNote('limits:');
  for (const { key, value } of view.limits) printNote(`  ${key}: ${value}`);
  for (const text of await warningsOf(settings)) printNote(text);
  if (view.elsewhere !== null) printNote(view.elsewhere);
  printNote(sinceLast(view));
  for (const { key, before, after } of view.differences) printNote(`  ${key}: ${before ?? 'not there'} -> ${after ?? 'not there'}`);
  const isArmed = armedSince(journal, view, Date.now()) !== null;
  if (!isArmed && view.unrehearsed && !options.unrehearsed) throw new KairosError('ACT_REFUSED', UNREHEARSED);
  if (!isArmed && !options.yes) await askYes('Arm this configuration?', 'arm', 'nothing was armed');
  const word = options.unrehearsed ? ({ unrehearsed: true } as const) : {};
  await act({ act: 'arm', ...actor(options), configHash, config, build: build.hash, ...word }, options);
}

function sinceLast({ before, differences }: ArmView): string {
  if (before === null) return 'no configuration was armed before';
  const { who, at } = before;
  return differences.length === 0 ? `the same as was armed by ${who} on ${at}` : `changed since ${who} armed on ${at}:`;
}

/** Which limits the account cannot reach. */
async function accountLines(settings: Settings): Promise<readonly string[]> {
  const { accountHeld, overAccount } = await import('#daemon/operations/armed-scope.ts');
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  const held = await accountHeld(settings, systemTimers, printNote);
  if (held !== null) return overAccount(settings, held);
  return ['what the account holds is not known: say it in account.opening, or name balances in service.capabilities'];
}

/** The build that would trade: this Kairos and the present sources of all strategies. Throws a KairosError if one cannot be loaded. */
async function buildFor(settings: Settings): Promise<Build> {
  (await import('#assembly/load-guard.ts')).guardLoading();
  const { loadStrategies } = await import('#assembly/assemble.ts');
  const { buildOf } = await import('#assembly/build-hash.ts');
  const { PACKAGED_STRATEGIES } = await import('#assembly/package.ts');
  return buildOf(await loadStrategies(settings, { cwd: process.cwd(), packaged: PACKAGED_STRATEGIES }));
}

/** Limits that hold nothing for want of a rate: by the embedded venue's products, at any other service by those that the daemon knows. */
async function warningsOf(settings: Settings): Promise<readonly string[]> {
  const { venueWarnings } = await import('#assembly/start-faults.ts');
  const { saidByDaemon } = await import('#daemon/operations/said-by-daemon.ts');
  if (settings.service.baseUrl === null) return venueWarnings(settings).map(({ text }) => text);
  return (await saidByDaemon('state', settings.journal.path))?.rateWarnings ?? [];
}

/** The configuration in the mode of the journal's last run: dry and live runs have different defaults. */
async function configToArm(options: Options): Promise<LoadedConfig> {
  const config = configFrom(options);
  const { journalFacts } = await import('#adapters/journal/acts.ts');
  const dry = modeFacts(config.mode).isRealMoney && isDry(journalFacts(config.settings.journal.path).mode);
  return dry ? configFrom({ ...options, set: [...(options.set ?? []), 'mode=dry'] }) : config;
}
