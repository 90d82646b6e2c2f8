import { editsBetween, nearest } from '#domain/nearest.ts';
import { type FaultList, keyText } from './faults.ts';
import { readSecretFile } from './files.ts';
import { checkGiven, type Given } from './layer.ts';
import { ALL_KEYS, type PlacedKey } from './tree.ts';

/** Settings from the environment with their variables and texts. */
export interface Environment {
  readonly given: readonly Given[];
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
 * Reads the `KAIROS_...` variables. An empty one counts as not set. A secret may also come from a file that
 * `<VARIABLE>_FILE` names and that only its owner may read.
 */
export function readEnvironment({ env, cwd, faults, tell }: EnvironmentSource): Environment {
  const given: Given[] = [];
  const texts: Record<string, string> = {};
  for (const placed of ALL_KEYS) {
    if (placed.env === undefined) continue;
    const text = placed.key.secret ? secretText(placed, placed.env, { env, cwd, faults }) : textOf(env, placed.env);
    if (text === undefined) continue;
    const variable = placed.key.secret && textOf(env, placed.env) === undefined ? `${placed.env}_FILE` : placed.env;
    const value = placed.key.kind.fromText?.(text);
    const setting: Given = { name: placed.name, value, origin: () => `env ${variable}` };
    const good = placed.key.secret ? checkSecret(setting, placed, faults) : checkGiven(setting, placed.key, faults);
    if (!good) continue;
    texts[placed.env] = text;
    given.push(setting);
  }
  reportUnread({ env, faults, tell });
  return { given, texts };
}

function secretText({ name }: PlacedKey, variable: string, from: Omit<EnvironmentSource, 'tell'>): string | undefined {
  const direct = textOf(from.env, variable);
  const file = textOf(from.env, `${variable}_FILE`);
  if (file === undefined) return direct;
  if (direct !== undefined) {
    from.faults.add(`env ${variable}: ${name}: is given twice; unset ${variable} or ${variable}_FILE`);
    return undefined;
  }
  return readSecretFile(file, from.cwd, (why, exposed) =>
    from.faults.add(`env ${variable}_FILE: ${name}: ${why}`, exposed ? 'SECRET_EXPOSED' : 'CONFIG_UNREADABLE'),
  );
}

/** Checks a secret like any value, without repeating it in a fault. */
function checkSecret(setting: Given, { key, path }: PlacedKey, faults: FaultList): boolean {
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
