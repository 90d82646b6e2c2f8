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

/** The daemon that holds the configured journal; undefined if none runs. Throws as `tokenOfDaemon`. */
export function daemonAt(settings: Settings): DaemonAccess | undefined {
  const { path } = settings.journal;
  const files = controlFiles(path);
  const daemon = publishedIn(files.ops);
  if (!daemon || daemon.pid !== journalFacts(path).holder?.pid) return undefined;
  return { daemon, token: tokenOfDaemon(settings, files.token) };
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
