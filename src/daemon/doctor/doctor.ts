import { fileURLToPath } from 'node:url';
import { channelNames } from '#adapters/alerts/channels.ts';
import { isRehearsed } from '#adapters/journal/acts.ts';
import { type LoadedStrategy, lanesOf, loadStrategies } from '#assembly/assemble.ts';
import { signalSchemas, unnamedSources } from '#assembly/bound-inputs.ts';
import { userName } from '#assembly/user-name.ts';
import { secretsLacking } from '#config/arming.ts';
import { inspectConfig, type LoadedConfig, type LoadOptions } from '#config/load.ts';
import type { Settings } from '#config/settings.ts';
import { needsProxy } from '#config/signal-keys.ts';
import { feeGuess } from '#daemon/operations/fee-guess.ts';
import { modeFacts } from '#domain/mode.ts';
import type { Millis } from '#domain/names.ts';
import type { Timers } from '#ports/timers.ts';
import { type Finding, fail, guarded, ok, warn } from './finding.ts';
import type { ServiceDialect } from './first-inspection.ts';
import { journalFindings } from './journal.ts';
import { folderFinding, growthFindings, type Machine, machineFindings, portFindings } from './machine.ts';
import { recordingFindings } from './recordings.ts';
import { serviceFindings } from './service.ts';

interface DoctorOptions {
  readonly load: LoadOptions;
  /** Also send a signed order on a quote that never existed. */
  readonly probe: boolean;
  /** How long to listen to the service's dialect, in milliseconds; null by default. */
  readonly listenMs?: Millis | null;
  readonly onDialect?: (dialect: ServiceDialect) => void;
  readonly folders: { readonly cwd: string; readonly packaged: string };
  readonly timers: Timers;
  readonly machine: Machine;
}

const COMMAND = fileURLToPath(new URL('../../../bin/kairos.mjs', import.meta.url));

/** Checks everything that would stop trading, with how to mend it. Changes nothing; `probe` sends one order that cannot be executed. */
export async function examine(options: DoctorOptions): Promise<readonly Finding[]> {
  const { load, probe, listenMs = null, onDialect, folders, timers, machine } = options;
  const inspected = inspectConfig(load);
  if ('faults' in inspected) {
    const faults = inspected.faults.map((fault) => fail('configuration', fault.line, 'correct it; `kairos config check` shows all of it'));
    return [...machineFindings(machine, 0), ...faults];
  }
  const { config } = inspected;
  const { settings } = config;
  const lanes = laneCount(config);
  const journal = await journalFindings(config, machine);
  const lacking = secretsLacking(journal.health.run?.config_json ?? '{}', config.json);
  const lacks = (group: string): boolean => lacking.some((name) => name.startsWith(group));
  return [
    ...machineFindings(machine, lanes),
    ok('configuration', `${config.files.join(', ') || 'defaults'}; ${config.mode}`),
    ...config.notes.map((note) => warn('configuration', note, 'a start goes on: correct it, unless it is meant')),
    ...secretFindings(lacking, machine.credentials(load.cwd), load.cwd),
    ...(lacks('alerts.') ? [] : channelFindings(load)),
    ...liveFindings(config).filter(({ check }) => !(check === 'alerts' && lacks('alerts.'))),
    ...(await guarded('strategies', 'correct what the line names', async () => {
      const loaded = await loadStrategies(settings, folders);
      return [ok('strategies', `${loaded.length} load`), ...(lacks('signals.') ? [] : signalFindings(settings, loaded))];
    })),
    ...journal.findings,
    ...(await growthFindings(settings, { freeBytes: machine.freeBytes, now: timers.wallMs() })),
    ...(await recordingFindings(settings, { freeBytes: machine.freeBytes, now: timers.wallMs() })),
    ...(settings.recording.enabled ? [folderFinding('recording folder', settings.recording.dir, machine)] : []),
    ...(settings.journal.backup.dir === null ? [] : [folderFinding('backup folder', settings.journal.backup.dir, machine)]),
    ...(await portFindings(settings, journal.health.holder)),
    ...(await serviceFindings(config, { timers, probe, hasKey: !lacks('service.'), listenMs, ...(onDialect && { onDialect }) })),
  ];
}

/** Warns of secrets that the last run had and this command was not given: what needs them is not checked. */
function secretFindings(lacking: readonly string[], credentials: string | null, cwd: string): readonly Finding[] {
  if (lacking.length === 0) return [];
  const what = `the last run had ${lacking.join(', ')}, this command has not: what needs them is not checked`;
  const options = `-p User=${userName()} -p WorkingDirectory=${cwd} -p LoadCredential=kairos:${credentials}`;
  const byUnit = `\`sudo systemd-run --pty ${options} ${COMMAND} doctor --probe\``;
  return [warn('secrets', what, credentials === null ? 'give this command the secrets that the daemon has' : byUnit)];
}

/** What alerts need that other commands do not. */
function channelFindings(load: LoadOptions): readonly Finding[] {
  const inspected = inspectConfig({ ...load, sendsAlerts: true });
  return 'faults' in inspected
    ? inspected.faults.map(({ line }) => fail('alerts', line, 'correct it; `kairos config check` shows all of it'))
    : [];
}

/** Checks who sends signals from outside, and what stands between them and this machine. */
function signalFindings({ signals }: Settings, strategies: readonly LoadedStrategy[]): readonly Finding[] {
  const { sources, host, secret } = signals;
  const unnamed = unnamedSources(signalSchemas(strategies), sources).map((text) => warn('signals', text, 'name it in signals.sources'));
  if (sources.length === 0) return unnamed;
  const names = sources.map(({ name }) => name).join(', ');
  if (secret === null) return [...unnamed, fail('signals', `${names}: have no secret`, 'set KAIROS_SIGNALS_SECRET')];
  const open = warn('signals', `${host} is not this machine alone`, 'let a reverse proxy end TLS, or leave signals.host at 127.0.0.1');
  return [...unnamed, needsProxy(signals) ? open : ok('signals', `${names}: the secret of their tokens is set`)];
}

/** Checks what real money needs: arming of each new configuration, and alerts. */
function liveFindings(config: LoadedConfig): readonly Finding[] {
  const { mode, settings } = config;
  if (!modeFacts(mode).isRealMoney) return [];
  const arming = warn(
    'arming',
    "trading.arm: auto: a changed configuration trades live without a person's consent",
    'set trading.arm: manual and use `kairos arm`',
  );
  const alerts = warn(
    'alerts',
    'no channel is set up: nobody is alerted of a halt or an unknown outcome',
    'set up one, and try it with `kairos alerts test`',
  );
  const unseen = warn(
    'orders of others',
    'orders that nobody here sent cannot be seen: the service tells no balances',
    'keep key and user to this bot alone, and compare account and books: `kairos reconcile --actual`',
  );
  const guess = feeGuess(config);
  const rehearsal = warn(
    'rehearsal',
    'nothing was rehearsed here, a purchase and its sale',
    'with the daemon running: `kairos rehearse PRODUCT --live`, then `kairos arm`',
  );
  return [
    ...(settings.trading.arming.arm === 'auto' ? [arming] : []),
    ...(channelNames(settings.alerts).length > 0 ? [] : [alerts]),
    ...(settings.service.capabilities.includes('balances') ? [] : [unseen]),
    ...(guess === null ? [] : [warn('fees', guess, '`kairos rehearse` asks for the balances where the service does not tell them')]),
    ...(isRehearsed(settings.journal.path) ? [] : [rehearsal]),
  ];
}

/** Number of configured lanes; 0 if there are too many, which the check of strategies reports. */
function laneCount({ settings }: LoadedConfig): number {
  try {
    return lanesOf(settings).length + settings.lanes.reserve;
  } catch {
    return settings.lanes.max;
  }
}
