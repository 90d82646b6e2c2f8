import { openService, type Service } from '#assembly/service.ts';
import type { Settings } from '#config/settings.ts';
import type { Timers } from '#ports/timers.ts';
import { saidByDaemon } from './said-by-daemon.ts';

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
  const said = await saidByDaemon('state', journalPath);
  return said?.embedded ? said.service : undefined;
}
