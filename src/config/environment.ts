import { existsSync } from 'node:fs';
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
  const { CREDENTIALS_DIRECTORY: credentials } = env;
  const files = [...(credentials ? [path.join(credentials, `kairos_${variable}`)] : []), path.join('secrets', variable)];
  return files.find((file) => existsSync(path.resolve(cwd, file)));
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

const textOf = (env: NodeJS.ProcessEnv, name: string): string | undefined => env[name] || undefined;
