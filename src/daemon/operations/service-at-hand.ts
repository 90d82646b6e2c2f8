import { controlFiles } from '#adapters/journal/control-files.ts';
import { openService, type Service } from '#assembly/service.ts';
import type { Settings } from '#config/settings.ts';
import type { Timers } from '#ports/timers.ts';
import { callDaemon } from './daemon-call.ts';
import { publishedIn } from './ops-files.ts';

const ANSWER_MS = 2000;

/** A service for one command, and where it comes from. */
interface ServiceAtHand extends Service {
  /** True where it is the paper venue inside the daemon that runs on the configured journal. */
  readonly ofDaemon: boolean;
}

/**
 * The service for one command: the configured one; where none is, the paper venue of the running daemon, else one that is started for the
 * command and forgets everything at its end. Throws a KairosError.
 */
export async function serviceAtHand(settings: Settings, timers: Timers): Promise<ServiceAtHand> {
  const running = settings.service.baseUrl === null ? await embeddedVenue(settings.journal.path) : undefined;
  if (running === undefined) {
    const venue = { ...settings.venue, port: 0, database: ':memory:', faults: [] };
    return { ...(await openService({ ...settings, venue }, timers)), ofDaemon: false };
  }
  const service = await openService({ ...settings, service: { ...settings.service, baseUrl: running } }, timers);
  return { ...service, embedded: true, ofDaemon: true };
}

/** Address of the paper venue inside the running daemon; undefined if none runs, it does not answer, or it trades elsewhere. */
export async function embeddedVenue(journalPath: string): Promise<string | undefined> {
  const published = publishedIn(controlFiles(journalPath).ops);
  if (!published) return undefined;
  try {
    const { said: state } = await callDaemon(`${published.url}/api/state`, { withinMs: ANSWER_MS });
    if (typeof state !== 'object' || state === null) return undefined;
    // After a crash another daemon may listen where this one did.
    const { pid, embedded, service }: Readonly<Record<string, unknown>> = { ...state };
    return pid === published.pid && embedded === true && typeof service === 'string' ? service : undefined;
  } catch {
    // The daemon has just ended and left its address behind, or it is busy.
    return undefined;
  }
}
