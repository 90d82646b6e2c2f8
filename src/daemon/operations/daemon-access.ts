import { journalFacts } from '#adapters/journal/acts.ts';
import { controlFiles } from '#adapters/journal/control-files.ts';
import type { Settings } from '#config/settings.ts';
import { KairosError } from '#domain/errors.ts';
import { modeFactsNamed } from '#domain/mode.ts';
import { type DaemonAddress, publishedIn, tokenOfDaemon } from './ops-files.ts';

/** A running daemon, and the token for its control server. */
export interface DaemonAccess {
  readonly daemon: DaemonAddress;
  readonly token: string;
}

/** The settings that say where a daemon is found, and its token. */
type AccessSettings = Pick<Settings, 'ops'> & { readonly journal: Pick<Settings['journal'], 'path'> };

/** The address of the daemon that holds the configured journal; undefined if none runs. */
export function daemonOf({ journal: { path } }: Pick<AccessSettings, 'journal'>): DaemonAddress | undefined {
  const daemon = publishedIn(controlFiles(path).ops);
  return daemon && daemon.pid === journalFacts(path).holder?.pid ? daemon : undefined;
}

/** The same with its token. Throws as `tokenOfDaemon`. */
export function daemonAt(settings: AccessSettings): DaemonAccess | undefined {
  const daemon = daemonOf(settings);
  return daemon && { daemon, token: tokenOfDaemon(settings, controlFiles(settings.journal.path).token) };
}

/** As `daemonAt`. Throws OPS_UNAVAILABLE if none runs. */
export function runningDaemon(settings: Settings): DaemonAccess {
  const found = daemonAt(settings);
  if (found) return found;
  throw new KairosError(
    'OPS_UNAVAILABLE',
    `no daemon runs on ${settings.journal.path}, and this needs one: start it with \`kairos run${modeFactsNamed(settings.mode)?.isRealMoney ? ' --live' : ''}\``,
  );
}
