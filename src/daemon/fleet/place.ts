import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { controlFiles } from '#adapters/journal/control-files.ts';
import { journalName } from '#adapters/journal/journal-name.ts';
import type { FleetEntry } from '#config/fleet-list.ts';
import { publishedIn } from '#daemon/operations/ops-files.ts';
import { KairosError } from '#domain/errors.ts';

/** Where a daemon is found: at an address, or through the files beside its journal, which say where it listens. */
type Place =
  | { readonly kind: 'address'; readonly url: string; readonly token: string | null }
  | { readonly kind: 'journal'; readonly path: string };

/** A daemon of the fleet by its name. */
export interface MemberPlace {
  readonly name: string;
  readonly place: Place;
}

/** The daemons of a fleet, each under a name of its own. Throws USAGE for a place that cannot be one, and for a name that two have. */
export function placesOf(entries: readonly FleetEntry[], cwd: string): readonly MemberPlace[] {
  const named = entries.map(({ name, at, token }) => {
    const place = placeOf(at, token, cwd);
    return { name: name ?? nameOf(place), place };
  });
  const twice = named.find(({ name }, index) => named.findIndex((one) => one.name === name) < index);
  if (twice) throw usage(`two daemons are called ${twice.name}: give each a name in a list (--list FILE)`);
  return named;
}

/** How a person would write it. */
export const placeText = (place: Place): string => (place.kind === 'address' ? place.url : place.path);

/** Where it listens now, and as which process, where that is known; undefined where no daemon has said so. */
export function listening(place: Place): { readonly url: string; readonly pid: number | null } | undefined {
  return place.kind === 'address' ? { url: place.url, pid: null } : publishedIn(controlFiles(place.path).ops);
}

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
const HOST_PORT = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])?:(\d{1,5})$/;

function placeOf(at: string, token: string | null, cwd: string): Place {
  const short = HOST_PORT.exec(at);
  if (short) return { kind: 'address', url: `http://${short[1] ?? '127.0.0.1'}:${short[2]}`, token };
  if (SCHEME.test(at)) return { kind: 'address', url: addressOf(at), token };
  const file = path.resolve(cwd, at);
  if (!existsSync(file)) {
    throw usage(`${at} is neither an address such as 127.0.0.1:8080, nor a journal, nor a folder in which a daemon was started`);
  }
  return { kind: 'journal', path: statSync(file).isDirectory() ? path.join(file, 'var', 'kairos.db') : file };
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

const nameOf = (place: Place): string => (place.kind === 'address' ? place.url.replace('http://', '') : journalName(place.path));

const usage = (text: string): KairosError => new KairosError('USAGE', text);
