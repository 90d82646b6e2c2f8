import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { controlFiles } from '#adapters/journal/control-files.ts';
import { journalFiles } from '#adapters/journal/files.ts';
import { journalName } from '#adapters/journal/journal-name.ts';
import type { FleetEntry } from '#config/fleet-list.ts';
import type { LoadOptions } from '#config/load.ts';
import { publishedIn } from '#daemon/operations/ops-files.ts';
import { readPastFaults } from '#daemon/operations/past-faults.ts';
import { KairosError } from '#domain/errors.ts';

/** Where a daemon is found: at an address, or through the files beside its journal, which say where it listens; a folder's settings name that. */
type Place =
  | { readonly kind: 'address'; readonly url: string; readonly token: string | null }
  | { readonly kind: 'journal'; readonly path: string }
  | { readonly kind: 'folder'; readonly path: string };

/** A daemon of the fleet by its name. */
export interface MemberPlace {
  readonly name: string;
  readonly place: Place;
}

/** The daemons of a fleet, each under a name of its own. Throws USAGE for a place that cannot be one, and for a name that two have. */
export function placesOf(entries: readonly FleetEntry[], cwd: string): readonly MemberPlace[] {
  const named = entries.map((entry) => placeOf(entry, cwd));
  const twice = named.find(({ name }, index) => named.findIndex((one) => one.name === name) < index);
  if (twice) throw usage(`two daemons are called ${twice.name}: give each a name in a list (--list FILE)`);
  return named;
}

/** The daemon of one entry. Throws USAGE for a place that cannot be one. */
export function placeOf({ name, at, token }: FleetEntry, cwd: string): MemberPlace {
  const place = placeAt(at, token, cwd);
  return { name: name ?? nameOf(place), place };
}

/** How a person would write it. */
export const placeText = (place: Place): string => (place.kind === 'address' ? place.url : place.path);

/** Where it listens now, and as which process, where that is known; undefined where no daemon has said so. */
export function listening(place: Place): { readonly url: string; readonly pid: number | null } | undefined {
  if (place.kind === 'address') return { url: place.url, pid: null };
  return place.kind === 'journal' ? publishedIn(controlFiles(place.path).ops) : undefined;
}

/** From where a command to the daemon of a folder or a journal reads the settings. */
export const settingsFrom = ({ kind, path: file }: Exclude<Place, { kind: 'address' }>): LoadOptions => ({
  ...(kind === 'folder' ? { cwd: file, env: {} } : { cwd: path.dirname(file), env: { KAIROS_JOURNAL_PATH: file } }),
  isVenue: true,
});

/** A place as it is now: a folder is the journal of its settings. */
export function placeNow(place: Place): Place {
  if (place.kind !== 'folder') return place;
  try {
    return { kind: 'journal', path: journalFiles(readPastFaults(settingsFrom(place)).config.settings.journal.path).database };
  } catch {
    // They name no journal: nothing is known of it.
    return place;
  }
}

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
const HOST_PORT = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])?:(\d{1,5})$/;

function placeAt(at: string, token: string | null, cwd: string): Place {
  const short = HOST_PORT.exec(at);
  if (short) return { kind: 'address', url: `http://${short[1] ?? '127.0.0.1'}:${short[2]}`, token };
  if (SCHEME.test(at)) return { kind: 'address', url: addressOf(at), token };
  const file = path.resolve(cwd, at);
  if (!existsSync(file)) {
    throw usage(`${at} is neither an address such as 127.0.0.1:8080, nor a journal, nor a folder in which a daemon was started`);
  }
  return { kind: statSync(file).isDirectory() ? 'folder' : 'journal', path: file };
}

/** Only this machine, so that no token leaves it in clear text: what is elsewhere comes by a tunnel. */
function addressOf(at: string): string {
  const wrong = usage(
    `${JSON.stringify(at.slice(0, 80))} must be http://127.0.0.1:PORT: a daemon elsewhere comes by a tunnel, \`ssh -L PORT:127.0.0.1:PORT HOST\``,
  );
  if (!URL.canParse(at)) throw wrong;
  const { protocol, hostname, port, pathname, search, hash, username, password } = new URL(at);
  const isPlain = pathname === '/' && [search, hash, username, password].every((part) => part === '');
  if (protocol !== 'http:' || !isPlain || !HOST_PORT.test(`${hostname}:${port || 80}`)) throw wrong;
  return `http://${hostname}:${port || 80}`;
}

function nameOf(place: Place): string {
  if (place.kind === 'folder') return path.basename(place.path);
  return place.kind === 'address' ? place.url.replace('http://', '') : journalName(place.path);
}

const usage = (text: string): KairosError => new KairosError('USAGE', text);
