import { createServer } from 'node:net';
import { messageOf } from '../../domain/errors.ts';
import type { Timers } from '../../ports/timers.ts';
import { lanesOf, loadStrategies } from '../assemble.ts';
import { inspectConfig, type LoadedConfig, type LoadOptions } from '../config/load.ts';
import { type Finding, fail, guarded, ok, warn } from './finding.ts';
import { journalFindings } from './journal.ts';
import { folderFinding, type Machine, machineFindings } from './machine.ts';
import { serviceFindings } from './service.ts';

export interface DoctorOptions {
  readonly load: LoadOptions;
  /** Also send a signed order that names a quote which never was. */
  readonly probe: boolean;
  readonly folders: { readonly cwd: string; readonly packaged: string };
  readonly timers: Timers;
  readonly machine: Machine;
}

/** Checks everything that would stop trading, and says of each how to mend it. Changes nothing; `probe` sends one order that cannot be executed. */
export async function examine(options: DoctorOptions): Promise<readonly Finding[]> {
  const { load, probe, folders, timers, machine } = options;
  const inspected = inspectConfig(load);
  if ('faults' in inspected) {
    const faults = inspected.faults.map((fault) => fail('configuration', fault.line, 'correct it; `kairos config check` shows all of it'));
    return [...machineFindings(machine, 0), ...faults];
  }
  const { config } = inspected;
  const { settings } = config;
  const lanes = laneCount(config);
  const journal = await journalFindings(config, machine);
  return [
    ...machineFindings(machine, lanes),
    ok('configuration', `${config.files.join(', ') || 'defaults'}; ${config.mode}`),
    ...armingFindings(config),
    ...(await guarded('strategies', 'correct what the line names', async () => {
      const loaded = await loadStrategies(settings, folders);
      return [ok('strategies', `${loaded.length} load`)];
    })),
    ...journal.findings,
    ...(settings.recording.enabled ? [folderFinding('recording folder', settings.recording.dir, machine)] : []),
    ...(await portFindings(settings.ops, journal.health.holder?.pid ?? null)),
    ...(await serviceFindings(config, { timers, probe })),
  ];
}

/** Live, the word of a person stands before each new configuration unless it was taken away. */
function armingFindings({ mode, settings }: LoadedConfig): readonly Finding[] {
  if (mode !== 'live' || settings.trading.arming.arm !== 'auto') return [];
  return [warn('arming', 'trading.arm: auto: a changed configuration trades live unseen', 'set trading.arm: manual and use `kairos arm`')];
}

/** Lanes that the configuration asks for; 0 where it asks for too many, which the strategies' own check says. */
function laneCount({ settings }: LoadedConfig): number {
  try {
    return lanesOf(settings.strategies, settings.lanes).length + settings.lanes.reserve;
  } catch {
    return settings.lanes.max;
  }
}

async function portFindings(
  { host, port }: { readonly host: string; readonly port: number | null },
  running: number | null,
): Promise<readonly Finding[]> {
  if (port === null) return [ok('port', 'the next free one from 8080')];
  if (running !== null) return [ok('port', `${port}: the daemon of process ${running} runs`)];
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port, exclusive: true }, resolve);
    });
    return [ok('port', `${host}:${port} is free`)];
  } catch (error) {
    return [fail('port', `${host}:${port} cannot be had: ${messageOf(error)}`, 'set another ops.port, or none')];
  } finally {
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}
