import { serviceAddress } from '#adapters/service/rest/service-address.ts';
import type { Mode } from '#domain/mode.ts';
import { readAssignment } from './assignment.ts';
import { buildSettings, frozen } from './build.ts';
import { canonicalJson, hashOf, type Origin, originsOf } from './canonical.ts';
import { checkMode, checkTogether } from './checks.ts';
import { type EntryInPart, entryInPart } from './entries.ts';
import { readEnvironment } from './environment.ts';
import { type Fault, FaultList, faultsError } from './faults.ts';
import { configFiles, readSource } from './files.ts';
import { asGiven, from } from './group-values.ts';
import { type Given, layerOf } from './layer.ts';
import { type Layers, resolve } from './resolved.ts';
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
  /** The mode by the service's address: `paper` on loopback or without an address; else `live`, or `dry` for quotes without orders. */
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
  /**
   * True for live trading, false for none; checked against the address. Undefined for commands that do not trade, which
   * read a real service's settings as live ones.
   */
  readonly live?: boolean;
}

/** A configuration, or all its faults with the rest of it, if any, for display only. */
type Inspected =
  | { readonly config: LoadedConfig }
  | { readonly faults: readonly Fault[]; readonly rest: LoadedConfig | undefined; readonly leftOut: readonly EntryLeftOut[] };

/** The readable part of a faulty strategy entry, which `rest` does not have. */
export interface EntryLeftOut extends EntryInPart {
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
export function inspectConfig(options: LoadOptions): Inspected {
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

function readAll({ files = [], set = [], env, cwd, live }: LoadOptions, pastFaults: boolean) {
  const faults = new FaultList();
  const read = files === null ? [] : configFiles(files, cwd);
  const notes: string[] = [];
  const layers = layersOf({ read, set, env, cwd, faults, live, pastFaults, tell: (note) => void notes.push(note) });
  return {
    faults,
    isGood: layers.isGood,
    leftOut: layers.leftOut,
    config: () => configOf({ layers, faults, read, notes, env, cwd, live }),
  };
}

function configOf(of: {
  readonly layers: Layers;
  readonly faults: FaultList;
  readonly read: readonly string[];
  readonly notes: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly live: boolean | undefined;
}): LoadedConfig {
  const { layers, faults, read, notes, env, cwd, live } = of;
  const resolved = resolve(layers);
  const loopback = layers.defaults === 'loopback';
  const checked = { resolved, loopback, env, faults };
  if (faults.isEmpty) {
    checkTogether(checked);
    if (live !== undefined) checkMode(checked, live);
  }
  const json = canonicalJson(buildSettings(resolved, asGiven));
  return {
    settings: frozen(buildSettings(resolved, from(cwd))),
    mode: layers.defaults === 'loopback' ? 'paper' : layers.defaults,
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
  readonly live: boolean | undefined;
  readonly pastFaults: boolean;
  readonly tell: (note: string) => void;
}): Layers & { readonly isGood: boolean; readonly leftOut: readonly Given[] } {
  const { read, set, env, cwd, faults, live, pastFaults, tell } = sources;
  const leftOut: Given[] = [];
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
  const environment = readEnvironment(env, cwd, faults);
  const assigned: Given[] = [];
  const before = (name: string): Given =>
    [...files, ...environment.given, ...assigned].findLast((given) => given.name === name) ?? defaultOf(name);
  for (const argument of set) assigned.push(...readAssignment(argument, before, faults));
  const baseUrl = before('service.baseUrl').value;
  const loopback = !faults.isEmpty || typeof baseUrl !== 'string' || serviceAddress(baseUrl).loopback;
  const defaults = loopback ? 'loopback' : live === false ? 'dry' : 'live';
  return { files, environment, set: assigned, defaults, isGood: faults.all.length === ofFiles, leftOut };
}

/** Strategies among what a file's faults took away. */
const entriesLeftOut = ({ name, value, origin }: Given): readonly EntryLeftOut[] =>
  name === 'strategies' && Array.isArray(value) ? value.map((entry, index) => ({ ...entryInPart(entry), origin: origin([index]) })) : [];

function defaultOf(name: string): Given {
  return { name, value: keyNamed(name)?.key.initial, origin: () => 'default' };
}
