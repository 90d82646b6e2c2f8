import { runThread } from '#adapters/threads/thread.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { startVenue } from '#paper-venue/venue.ts';
import type { VenueThreadTypes } from './venue-thread.ts';

/** The embedded venue's thread: it receives its settings once and sends its port once; everything else goes over sockets. */
runThread<VenueThreadTypes>(async ({ data, post, onMessage, close }) => {
  const venue = await startVenue(data, systemTimers);
  // Once server, database and this port are closed, the thread ends.
  onMessage(() => void venue.close().finally(close));
  post({ url: venue.url, port: venue.port });
});
