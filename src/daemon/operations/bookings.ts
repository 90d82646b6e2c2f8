import { type BookingRequest, bookEntries } from '#adapters/journal/at-rest.ts';
import type { Settings } from '#config/settings.ts';
import { daemonAt } from './daemon-access.ts';
import { ask } from './ops-client.ts';

/**
 * Books movements that no order made: through the control server of the daemon that holds the configured journal, else
 * on the journal itself. Throws NOT_FOUND before the first run, JOURNAL_LEASED while another program than a daemon holds
 * it, OPS_UNAVAILABLE if the daemon does not answer.
 */
export async function performBooking(booking: BookingRequest, settings: Settings): Promise<void> {
  const to = daemonAt(settings);
  if (!to) return bookEntries(settings.journal.path, booking);
  const { who, why, entries } = booking;
  await ask('book', { who, why, entries: [...entries] }, to);
}
