import { Thread } from '#adapters/threads/thread.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import type { VenueSettings } from '#paper-venue/settings.ts';

/** The messages of the venue's thread: its address, once. */
export interface VenueThreadTypes {
  readonly data: VenueSettings;
  readonly toThread: 'close';
  readonly fromThread: { readonly url: string; readonly port: number };
}

/** A paper venue in a thread of its own. */
export interface VenueThread {
  readonly url: string;
  readonly port: number;
  /** Ends the venue and its thread. Idempotent. */
  close(): Promise<void>;
}

/** Time for a venue to close before its thread is ended, in milliseconds. */
const CLOSE_MS = 2000;

/**
 * Starts the embedded paper venue in a worker thread with its own loop, which shares only sockets with this one. A later
 * error of the thread is thrown here, uncaught. Throws a KairosError if the venue cannot start.
 */
export async function startVenueThread(settings: VenueSettings): Promise<VenueThread> {
  const entry = new URL('./venue-thread-entry.ts', import.meta.url);
  const thread = new Thread<VenueThreadTypes>({ entry, name: 'venue', data: settings });
  const listening = await thread.next();
  let closing: Promise<void> | undefined;
  return {
    ...listening,
    close() {
      closing ??= thread.close('close', { withinMs: CLOSE_MS, timers: systemTimers });
      return closing;
    },
  };
}
