import { resolve } from 'node:path';
import { KairosError } from '#domain/errors.ts';
import { listOf, optional, path, text } from '#domain/settings/kind.ts';
import { FaultList, faultsError, keyText } from './faults.ts';
import { readSecretFile, readSource } from './files.ts';
import { record, required, withDefault } from './record.ts';

/** A daemon of a fleet, as it is named on the command line or in a list. */
export interface FleetEntry {
  /** What people call it; null: after its place. */
  readonly name: string | null;
  /** Its address, the file of its journal, or the folder in which it was started. */
  readonly at: string;
  /** What its control server takes; null: none is known. */
  readonly token: string | null;
}

const at = required(
  text(/^[^\0\r\n]{1,1000}$/, 'be an address, a journal or a folder'),
  'its address, the file of its journal, or the folder in which it was started',
);
const name = withDefault(optional(text(/^[^\p{Cc}]{1,64}$/u, 'be one line of 1 to 64 characters')), null, 'what people call it');
const tokenFile = withDefault(optional(path), null, 'the file that holds its token');
const tokenEnv = withDefault(
  optional(text(/^[A-Za-z_]\w{0,127}$/, 'be the name of an environment variable')),
  null,
  'the variable with it',
);

const ONE = { at: '../bot-b', name: 'bot-b' };

const daemons = required(
  listOf(
    record({ at, name, tokenFile, tokenEnv }, ONE, (take) => ({
      at: take(at),
      name: take(name),
      tokenFile: take(tokenFile),
      tokenEnv: take(tokenEnv),
    })),
    200,
  ),
  'the daemons, each with `at`',
);
const list = record({ daemons }, { daemons: [ONE] }, (take) => take(daemons));

/** Where a list is read from. */
interface ListSource {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Reads a list of daemons. Throws a KairosError of one line that names the file, the line and the first fault. */
export function readFleetList(file: string, { cwd, env }: ListSource): readonly FleetEntry[] {
  const faults = new FaultList();
  const source = readSource(resolve(cwd, file), { cwd, faults });
  const entries =
    source && list.read(source.value, (place, wrong, code) => faults.add(`${source.origin(place)}: ${keyText(place)}: ${wrong}`, code));
  if (!entries || !faults.isEmpty) throw faultsError(faults.all);
  return entries.map(({ tokenFile: inFile, tokenEnv: inVariable, ...entry }) => {
    if (inFile !== null && inVariable !== null) {
      throw new KairosError('CONFIG_INVALID', `${file}: ${entry.name ?? entry.at}: has tokenFile and tokenEnv; give one`);
    }
    if (inVariable === null) return { ...entry, token: inFile === null ? null : readToken(inFile, cwd) };
    const token = env[inVariable];
    if (token === undefined || token === '')
      throw new KairosError(
        'CONFIG_INVALID',
        `${file}: the variable ${inVariable} is not set; it is to hold the token of ${entry.name ?? entry.at}`,
      );
    return { ...entry, token };
  });
}

/** The token in a file that only its owner may read. Throws CONFIG_UNREADABLE, SECRET_EXPOSED. */
export function readToken(file: string, cwd: string): string {
  const faults = new FaultList();
  const token = readSecretFile(file, cwd, (why, exposed) => faults.add(why, exposed ? 'SECRET_EXPOSED' : 'CONFIG_UNREADABLE'));
  if (token === undefined) throw faultsError(faults.all);
  return token.trim();
}
