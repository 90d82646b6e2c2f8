import { resolve } from 'node:path';
import { listOf, optional, path, text } from '#domain/settings/kind.ts';
import { type FaultList, keyText } from './faults.ts';
import { readSecretFile, readSource } from './files.ts';
import { readField, record, required, withDefault } from './record.ts';

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
    record({ at, name, tokenFile, tokenEnv }, ONE, (take) => take(at)),
    200,
  ),
  'the daemons, each with `at`',
);
const list = record({ daemons }, { daemons: [ONE] }, (take) => take(daemons));

/** Where a list is read from, and who is told of its faults. */
interface ListSource {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly faults: FaultList;
}

/** Reads a list of daemons, each whose place can be read: a halt goes on past faults, each of which is one line that names file and line. */
export function readFleetList(file: string, { cwd, env, faults }: ListSource): readonly FleetEntry[] {
  const source = readSource(resolve(cwd, file), { cwd, faults, pastFaults: true });
  if (source) list.read(source.value, (place, wrong, code) => faults.add(`${source.origin(place)}: ${keyText(place)}: ${wrong}`, code));
  const { daemons: given }: { readonly daemons?: unknown } = Object(source?.value);
  return (Array.isArray(given) ? given : []).flatMap((one: unknown): readonly FleetEntry[] => {
    const [its, called] = [readField(one, 'at', at), readField(one, 'name', name) ?? null];
    return its === undefined ? [] : [{ name: called, at: its, token: tokenOf(one, called ?? its) }];
  });

  function tokenOf(one: unknown, of: string): string | null {
    const [inFile, inVariable] = [readField(one, 'tokenFile', tokenFile) ?? null, readField(one, 'tokenEnv', tokenEnv) ?? null];
    if (inFile !== null && inVariable !== null) {
      faults.add(`${file}: ${of}: has tokenFile and tokenEnv; give one`);
      return null;
    }
    if (inVariable === null) return inFile === null ? null : readToken(inFile, { cwd, faults });
    const token = env[inVariable];
    if (!token) faults.add(`${file}: the variable ${inVariable} is not set; it is to hold the token of ${of}`);
    return token || null;
  }
}

/** The token in a file that only its owner may read; null after telling why it cannot be read. */
export function readToken(file: string, { cwd, faults }: Pick<ListSource, 'cwd' | 'faults'>): string | null {
  const token = readSecretFile(file, cwd, (why, exposed) => faults.add(why, exposed ? 'SECRET_EXPOSED' : 'CONFIG_UNREADABLE'));
  return token?.trim() ?? null;
}
