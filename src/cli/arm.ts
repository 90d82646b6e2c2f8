import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import type { Build } from '#assembly/build-hash.ts';
import type { LoadedConfig } from '#config/load.ts';
import type { Settings } from '#config/settings.ts';
import { ARMED_ELSEWHERE } from '#domain/armed-elsewhere.ts';
import { KairosError } from '#domain/errors.ts';
import { modeFacts, modeFactsNamed } from '#domain/mode.ts';
import { UNREHEARSED } from '#domain/unrehearsed.ts';
import { type ActOptions, act, actor, addActOptions } from './act.ts';
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
  const { isRehearsed, lastArmed } = await import('#adapters/journal/acts.ts');
  const { instanceOf } = await import('#adapters/journal/instance.ts');
  const { differences, limitsIn } = await import('#config/arming.ts');
  const { presentOf, runsOtherwise } = await import('#daemon/operations/in-force.ts');
  const loaded = await configToArm(options);
  const { settings, json, hash: configHash, mode } = loaded;
  const present = presentOf({ settings });
  const otherwise = runsOtherwise({ json }, present);
  if (otherwise) throw new KairosError('CONFIG_INVALID', `nothing was armed: ${otherwise.what}: ${otherwise.mend}`);
  const build = await buildFor(settings);
  const { withBuild } = await import('#assembly/build-hash.ts');
  const config = withBuild(json, build);
  const before = lastArmed(settings.journal.path);
  for (const line of await scopeLines(loaded)) printNote(line);
  printNote('limits:');
  for (const [key, value] of limitsIn(config)) printNote(`  ${key}: ${value}`);
  for (const text of await warningsOf(settings)) printNote(text);
  if (before === null) printNote('no configuration was armed before');
  else {
    if (before.instance !== instanceOf(settings.journal.path, Date.now())) printNote(ARMED_ELSEWHERE);
    const changed = differences(before.config, config);
    printNote(
      changed.length === 0
        ? `the same as was armed by ${before.who} on ${before.at}`
        : `changed since ${before.who} armed on ${before.at}:`,
    );
    for (const { key, before: old, after } of changed) printNote(`  ${key}: ${old ?? 'not there'} -> ${after ?? 'not there'}`);
  }
  if (modeFacts(mode).isRealMoney && !options.unrehearsed && !isRehearsed(settings.journal.path))
    throw new KairosError('ACT_REFUSED', UNREHEARSED);
  if (!options.yes) await ask();
  const word = options.unrehearsed ? ({ unrehearsed: true } as const) : {};
  await act({ act: 'arm', ...actor(options), configHash, config, build: build.hash, ...word }, options);
}

/** Where, for whom and with what would be traded, and which limits the account cannot reach. */
async function scopeLines({ settings, mode }: LoadedConfig): Promise<readonly string[]> {
  const { accountHeld, overAccount, scopeOf } = await import('#daemon/operations/armed-scope.ts');
  const { systemTimers } = await import('#adapters/time/system-timers.ts');
  const held = await accountHeld(settings, systemTimers, printNote);
  const unknown = 'what the account holds is not known: say it in account.opening, or name balances in service.capabilities';
  const scope = scopeOf({ settings, mode }).map(({ key, value }) => `${key}: ${value}`);
  return [...scope, ...(held === null ? [unknown] : overAccount(settings, held))];
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
  const ran = modeFactsNamed(journalFacts(config.settings.journal.path).mode);
  const dry = modeFacts(config.mode).isRealMoney && ran?.sendsOrders === false;
  return dry ? configFrom({ ...options, set: [...(options.set ?? []), 'mode=dry'] }) : config;
}

async function ask(): Promise<void> {
  if (!process.stdin.isTTY) throw new KairosError('USAGE', 'arm asks before it lets anything trade: add --yes where nobody can answer');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question('Arm this configuration? [y/N] ');
    if (!/^y(es)?$/i.test(answer.trim())) throw new KairosError('DECLINED', 'nothing was armed');
  } finally {
    terminal.close();
  }
}
