import { parentPort, workerData } from 'node:worker_threads';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { VenueSettings } from '#venue/settings.ts';
import { startVenue } from '#venue/venue.ts';
import type { VenueThreadMessage } from './venue-thread.ts';

/** The embedded venue's own thread: settings come in once, the port goes out once, the rest goes over sockets. */
const settings: VenueSettings = workerData;
const tell = (message: VenueThreadMessage) => parentPort?.postMessage(message);

try {
  const venue = await startVenue(settings, systemTimers);
  parentPort?.once('message', () => {
    // With server, database and this port closed nothing keeps the thread alive.
    void venue.close().finally(() => parentPort?.close());
  });
  tell({ url: venue.url, port: venue.port });
} catch (error) {
  tell({ code: error instanceof KairosError ? error.code : null, message: messageOf(error) });
  parentPort?.close();
}
