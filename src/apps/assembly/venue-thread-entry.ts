import { runThread } from '#adapters/threads/thread.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { startVenue } from '#venue/venue.ts';
import type { VenueThreadTypes } from './venue-thread.ts';

/** The embedded venue's own thread: settings come in once, the port goes out once, the rest goes over sockets. */
runThread<VenueThreadTypes>(async ({ data, post, onMessage, close }) => {
  const venue = await startVenue(data, systemTimers);
  // With server, database and this port closed nothing keeps the thread alive.
  onMessage(() => void venue.close().finally(close));
  post({ url: venue.url, port: venue.port });
});
