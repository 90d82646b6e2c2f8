import { frozen } from '#domain/frozen.ts';
import { type Mode, modeAsked, modeFacts } from '#domain/mode.ts';
import { readChecked } from '#domain/settings/kind.ts';
import { readAssignment } from './assignment.ts';
import { buildSettings } from './build.ts';
import { canonicalJson, hashOf, type Origin, originsOf } from './canonical.ts';
import { checkAlerts, checkStart, checkTogether } from './checks.ts';
import { type EntryInPart, entryInPart } from './entries.ts';
import { readEnvironment } from './environment.ts';
import { type Fault, FaultList, faultsError } from './faults.ts';
import { configFiles, readSource } from './files.ts';
import { asGiven, from } from './group-values.ts';
import { KEYS } from './keys.ts';
import { type LayerSetting, layerOf } from './layer.ts';
import { initialOf, type Layers, resolve } from './resolved.ts';
import type { Settings } from './settings.ts';
import { keyNamed } from './tree.ts';
import { usesFrom } from './uses.ts';

export { configJsonSchema } from './json-schema.ts';
export type { Origin };

/** The part of a configuration that decides what a run does. */
export type DecidingConfig = Pick<LoadedConfig, 'settings' | 'mode' | 'hash' | 'json'>;

/** A configuration that passed every check. */
export interface LoadedConfig {
  readonly settings: Settings;
  /** The mode by the setting, the service and the word at the start (`modeAsked`). */
  readonly mode: Mode;
  /** Absolute paths of the files that were read, in their order. */
  readonly files: readonly string[];
  /** Warnings that do not stop a start, one line each. */
  readonly notes: readonly string[];
  /** SHA-256 of `json` without `log`. */
  readonly hash: string;
  /** The settings as canonical JSON, with a mark in place of secrets. */
  readonly json: string;
  /** Every setting with its value, secrets redacted, and where it came from. */
  origins(): readonly Origin[];
}

/** Where a configuration is read from. */
export interface LoadOptions {
  /** Default: `./kairos.yaml`, else the packaged paper configuration. null reads no file. */
  readonly files?: readonly string[] | null;
  /** `KEY=VALUE`, VALUE being YAML. */
  readonly set?: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** True if the service has proved to be a Kairos venue of this user's. */
  readonly isVenue?: boolean;
  /**
   * The word for live trading at a start: given or not; `either` for a check that takes both. Undefined for commands that do not trade,
   * which need no keys and limits.
   */
  readonly live?: boolean | 'either';
  /** True for a command other than a start that sends alerts, and so needs the secrets of their channels. */
  readonly sendsAlerts?: boolean;
}

/** A configuration, or all its faults with the rest of it, if any, for display only. */
type Inspection =
  | { readonly config: LoadedConfig }
  | { readonly faults: readonly Fault[]; readonly rest: LoadedConfig | undefined; readonly leftOut: readonly SkippedEntry[] };

/** The readable part of a faulty strategy entry, which `rest` does not have. */
export interface SkippedEntry extends EntryInPart {
  readonly origin: string;
}

/**
 * Reads the configuration: defaults, then files in their order, then environment, then `set`. Throws a KairosError of one line that names the
 * first fault and counts the others.
 */
export function loadConfig(options: LoadOptions): LoadedConfig {
  const inspected = inspectConfig(options);
  if ('faults' in inspected) throw faultsError(inspected.faults);
  return inspected.config;
}

/** As `loadConfig`, but returns every fault. */
export function inspectConfig(options: LoadOptions): Inspection {
  const { faults, isGood, leftOut, config } = readAll(options, false);
  if (!isGood) return { faults: faults.all, rest: undefined, leftOut: leftOut.flatMap(entriesLeftOut) };
  const rest = config();
  return faults.isEmpty ? { config: rest } : { faults: faults.all, rest, leftOut: leftOut.flatMap(entriesLeftOut) };
}

/**
 * As much of a configuration as can be read, for what must work whatever its faults: a setting that is lost in one has its default. `faults`
 * is empty for a whole one.
 */
export function configPastFaults(options: LoadOptions): { readonly config: LoadedConfig; readonly faults: readonly Fault[] } {
  const { faults, config } = readAll(options, true);
  return { config: config(), faults: faults.all };
}

function readAll({ files = [], set = [], env, cwd, live, sendsAlerts, isVenue = false }: LoadOptions, pastFaults: boolean) {
  const faults = new FaultList();
  const read = files === null ? [] : configFiles(files, cwd, faults);
  const notes: string[] = [];
  const layers = layersOf({ read, set, env, cwd, faults, live, isVenue, pastFaults, tell: (note) => void notes.push(note) });
  return {
    faults,
    isGood: layers.isGood,
    asked: layers.asked,
    leftOut: layers.leftOut,
    config: () => configOf({ layers, faults, read, notes, env, cwd, live, sendsAlerts }),
  };
}

function configOf(of: {
  readonly layers: ReturnType<typeof layersOf>;
  readonly faults: FaultList;
  readonly read: readonly string[];
  readonly notes: string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly live: LoadOptions['live'];
  readonly sendsAlerts: boolean | undefined;
}): LoadedConfig {
  const { layers, faults, read, notes, env, cwd, live, sendsAlerts } = of;
  const resolved = resolve(layers);
  const { mode, refusal } = layers;
  const checked = { resolved, mode, env, faults, tell: (note: string) => void notes.push(note) };
  if (faults.isEmpty && refusal !== null) faults.add(refusal, 'MODE');
  else if (faults.isEmpty) {
    checkTogether(checked);
    if (live !== undefined) checkStart(checked);
    else if (sendsAlerts) checkAlerts(checked);
  }
  const json = canonicalJson(buildSettings(resolved, asGiven));
  return {
    settings: frozen(buildSettings(resolved, from(cwd))),
    mode,
    files: read,
    notes,
    hash: hashOf(json),
    json,
    origins: () => originsOf(resolved),
  };
}

function layersOf(sources: {
  readonly read: readonly string[];
  readonly set: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly faults: FaultList;
  readonly live: LoadOptions['live'];
  readonly isVenue: boolean;
  readonly pastFaults: boolean;
  readonly tell: (note: string) => void;
}): Layers & {
  readonly isGood: boolean;
  readonly leftOut: readonly LayerSetting[];
  readonly asked: ModeSettings;
  readonly refusal: string | null;
} {
  const { read, set, env, cwd, faults, live, isVenue, pastFaults, tell } = sources;
  const leftOut: LayerSetting[] = [];
  const files = read.flatMap((file) => {
    const before = faults.all.length;
    const source = readSource(file, { cwd, faults, pastFaults });
    if (!source) return [];
    // Whatever else is wrong in a file that is torn may follow from that.
    const layer = layerOf(source, faults.all.length > before ? new FaultList() : faults);
    leftOut.push(...layer.leftOut.map((given) => usesFrom(given, { file, cwd, tell: () => {} })));
    return layer.given.map((given) => usesFrom(given, { file, cwd, tell }));
  });
  // Faulty values of files are left out.
  const ofFiles = faults.all.length;
  const environment = readEnvironment({ env, cwd, faults, tell });
  const assign = (mode: Mode, wrong: FaultList, currency?: unknown) => {
    const assigned: LayerSetting[] = [];
    const before = (name: string): LayerSetting =>
      [...files, ...environment.given, ...assigned].findLast((given) => given.name === name) ?? defaultOf(name, mode);
    for (const argument of set)
      assigned.push(...readAssignment(argument, { before, currency: String(currency ?? before('account.currency').value), faults: wrong }));
    return { assigned, before };
  };
  const { before } = assign('live', faults);
  const whole = faults.isEmpty;
  const asked: ModeSettings = {
    baseUrl: whole ? readChecked(KEYS.service.baseUrl.kind, before('service.baseUrl').value) : null,
    declared: whole ? readChecked(KEYS.mode.kind, before('mode').value) : null,
  };
  const { mode, refusal } = modeAsked({ ...asked, isVenue, live: live === 'either' ? undefined : live });
  // Once more: what one figure of a group is assigned into may be the mode's default, and of a currency that comes behind it.
  const { assigned } = assign(mode, new FaultList(), before('account.currency').value);
  return { files, environment, set: assigned, mode, refusal, asked, isGood: faults.all.length === ofFiles, leftOut };
}

/** What the settings say of the mode. */
type ModeSettings = Pick<Parameters<typeof modeAsked>[0], 'declared' | 'baseUrl'>;

/**
 * The address of a service that decides the mode by what it is, a Kairos venue or not; null where there is none, and where the settings
 * declare dry or live.
 */
export function serviceThatDecides(options: LoadOptions): string | null {
  const { declared, baseUrl } = readAll(options, true).asked;
  return declared === null || modeFacts(declared).isForTrials ? baseUrl : null;
}

/** Strategies among what a file's faults took away. */
const entriesLeftOut = ({ name, value, origin }: LayerSetting): readonly SkippedEntry[] =>
  name === 'strategies' && Array.isArray(value) ? value.map((entry, index) => ({ ...entryInPart(entry), origin: origin([index]) })) : [];

function defaultOf(name: string, mode: Mode): LayerSetting {
  const placed = keyNamed(name);
  return { name, value: placed && initialOf(placed.key, mode), origin: () => 'default' };
}
