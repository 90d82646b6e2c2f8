import { Thread } from '#adapters/threads/thread.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import type { VenueSettings } from '#venue/settings.ts';

/** The venue's thread says once where it listens. */
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

/** How long a venue may take to close by itself before its thread is cut. */
const CLOSE_MS = 2000;

/**
 * Starts the embedded paper venue in a worker thread with its own loop; nothing is shared with it but sockets. A thread that dies later
 * by an error of its own throws that error here, uncaught. Throws a KairosError where the venue cannot start.
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
