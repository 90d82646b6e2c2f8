import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { editsBetween, nearest } from '#domain/nearest.ts';
import { type FaultList, keyText } from './faults.ts';
import { readSecretFile } from './files.ts';
import { checkGiven, type LayerSetting } from './layer.ts';
import { ALL_KEYS, type PlacedKey } from './tree.ts';

/** Settings from the environment with their variables and texts. */
export interface Environment {
  readonly given: readonly LayerSetting[];
  /** Text by variable, including secrets read from files. */
  readonly texts: Readonly<Record<string, string>>;
}

/** Maximum number of edits by which a variable counts as a misspelt one of Kairos. */
const MAX_EDITS = 2;

/** Variables that are no settings: the first two come with the Node that Kairos starts for itself, the others are told to `alerts.command`. */
const NO_SETTINGS: readonly string[] = [
  'KAIROS_REEXEC',
  'KAIROS_STARTER',
  'KAIROS_ALERT_TITLE',
  'KAIROS_ALERT_TEXT',
  'KAIROS_ALERT_EVENTS',
];

interface EnvironmentSource {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly faults: FaultList;
  /** Told of variables that nothing reads. */
  readonly tell: (note: string) => void;
}

/**
 * Reads the `KAIROS_...` variables. An empty one counts as not set. A secret may also come from a file that only its owner may read:
 * `<VARIABLE>_FILE` names it, or it has the variable's name in `secrets/`.
 */
export function readEnvironment({ env, cwd, faults, tell }: EnvironmentSource): Environment {
  const given: LayerSetting[] = [];
  const texts: Record<string, string> = {};
  for (const placed of ALL_KEYS) {
    if (placed.env === undefined) continue;
    const found = placed.key.secret ? secretText(placed, placed.env, { env, cwd, faults }) : variableText(env, placed.env);
    if (found === undefined) continue;
    const { text, origin } = found;
    const value = placed.key.kind.fromText?.(text);
    const setting: LayerSetting = { name: placed.name, value, origin: () => origin };
    const good = placed.key.secret ? checkSecret(setting, placed, faults) : checkGiven(setting, placed.key, faults);
    if (!good) continue;
    texts[placed.env] = text;
    given.push(setting);
  }
  reportUnread({ env, faults, tell });
  for (const place of keptPlaces(env)) reportUnreadFiles(place, { env, cwd, faults, tell });
  return { given, texts };
}

interface VariableText {
  readonly text: string;
  readonly origin: string;
}

function variableText(env: NodeJS.ProcessEnv, variable: string): VariableText | undefined {
  const text = textOf(env, variable);
  return text === undefined ? undefined : { text, origin: `env ${variable}` };
}

function secretText({ name }: PlacedKey, variable: string, from: Omit<EnvironmentSource, 'tell'>): VariableText | undefined {
  const { env, cwd, faults } = from;
  const direct = variableText(env, variable);
  const named = textOf(env, `${variable}_FILE`);
  if (direct !== undefined && named !== undefined) {
    faults.add(`env ${variable}: ${name}: is given twice; unset ${variable} or ${variable}_FILE`);
    return undefined;
  }
  if (direct !== undefined) return direct;
  const file = named ?? keptFile(variable, from);
  if (file === undefined) return undefined;
  const origin = named === undefined ? file : `env ${variable}_FILE`;
  const text = readSecretFile(file, cwd, (why, exposed) =>
    faults.add(`${named === undefined ? '' : `${origin}: `}${name}: ${why}`, exposed ? 'SECRET_EXPOSED' : 'CONFIG_UNREADABLE'),
  );
  return text === undefined ? undefined : { text, origin };
}

/** The file of a secret by its variable's name: among the credentials that systemd hands over, else in the folder `secrets`. */
function keptFile(variable: string, { env, cwd }: Pick<EnvironmentSource, 'env' | 'cwd'>): string | undefined {
  const files = keptPlaces(env).map(({ folder, prefix }) => path.join(folder, `${prefix}${variable}`));
  return files.find((file) => existsSync(path.resolve(cwd, file)));
}

/** A folder of secrets, and how the names of its files begin before that of the variable. */
interface KeptPlace {
  readonly folder: string;
  readonly prefix: string;
}

function keptPlaces({ CREDENTIALS_DIRECTORY: credentials }: NodeJS.ProcessEnv): readonly KeptPlace[] {
  return [...(credentials ? [{ folder: credentials, prefix: 'kairos_' }] : []), { folder: 'secrets', prefix: '' }];
}

/** Checks a secret like any value, without repeating it in a fault. */
function checkSecret(setting: LayerSetting, { key, path }: PlacedKey, faults: FaultList): boolean {
  let good = true;
  key.kind.read(setting.value, (_inside, wrong) => {
    good = false;
    faults.add(`${setting.origin([])}: ${keyText(path)}: ${wrong.replace(/, not [\s\S]*$/, '')}`);
  });
  return good;
}

function reportUnread({ env, faults, tell }: Omit<EnvironmentSource, 'cwd'>): void {
  const known = [
    'KAIROS_LIVE',
    ...ALL_KEYS.flatMap(({ env: name, key }) => (name === undefined ? [] : key.secret ? [name, `${name}_FILE`] : [name])),
  ];
  for (const name of Object.keys(env)) {
    if (!name.startsWith('KAIROS_') || known.includes(name) || NO_SETTINGS.includes(name)) continue;
    const near = nearest(name, known);
    if (near !== undefined && editsBetween(name, near) <= MAX_EDITS)
      faults.add(`env ${name}: unknown variable; the nearest known one is ${near}`, 'CONFIG_UNKNOWN_KEY');
    else tell(`env ${name}: nothing reads this variable; \`kairos config print --origins\` shows those that are read`);
  }
}

/** Holds the files of a folder of secrets to the rule of variables. One that has another ending, as a copy, or stands beside the right one is only told. */
function reportUnreadFiles({ folder, prefix }: KeptPlace, { env, cwd, faults, tell }: EnvironmentSource): void {
  const secrets = ALL_KEYS.flatMap(({ env: name, key }) => (name !== undefined && key.secret ? [`${prefix}${name}`] : []));
  const names = namesIn(path.resolve(cwd, folder));
  const pointedAt = Object.entries(env).flatMap(([name, file = '']) => (name.endsWith('_FILE') ? path.resolve(cwd, file) : []));
  for (const name of names) {
    if (!/^(kairos_)?KAIROS_/.test(name) || secrets.includes(name) || pointedAt.includes(path.resolve(cwd, folder, name))) continue;
    const file = path.join(folder, name);
    const setting = ALL_KEYS.find(({ env }) => `${prefix}${env}` === name)?.name;
    const near = nearest(name, secrets);
    if (setting !== undefined) tell(`${file}: is not read, since ${setting} is no secret; set it in kairos.yaml`);
    else if (/^\w+$/.test(name) && near !== undefined && !names.includes(near) && editsBetween(name, near) <= MAX_EDITS)
      faults.add(`${file}: unknown secret; the nearest known one is ${near}`, 'CONFIG_UNKNOWN_KEY');
    else tell(`${file}: nothing reads this file; a secret has the name of its variable, as ${prefix}KAIROS_API_KEY`);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    // Nobody keeps secrets there.
    return [];
  }
}

const textOf = (env: NodeJS.ProcessEnv, name: string): string | undefined => env[name] || undefined;
