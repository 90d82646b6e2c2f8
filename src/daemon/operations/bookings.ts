import { journalFacts } from '#adapters/journal/acts.ts';
import { type BookingRequest, bookEntries } from '#adapters/journal/at-rest.ts';
import { controlFiles } from '#adapters/journal/control-files.ts';
import type { Settings } from '#config/settings.ts';
import { ask } from './ops-client.ts';
import { publishedIn, tokenOfDaemon } from './ops-files.ts';

/**
 * Books movements that no order made: through the control server of the daemon that holds the configured journal, else
 * on the journal itself. Throws NOT_FOUND before the first run, JOURNAL_LEASED while another program than a daemon holds
 * it, OPS_UNAVAILABLE if the daemon does not answer.
 */
export async function performBooking(booking: BookingRequest, settings: Settings): Promise<void> {
  const { path } = settings.journal;
  const files = controlFiles(path);
  const { holder } = journalFacts(path);
  const published = publishedIn(files.ops);
  if (!published || published.pid !== holder?.pid) return bookEntries(path, booking);
  const { who, why, entries } = booking;
  await ask('book', { who, why, entries: [...entries] }, { daemon: published, token: tokenOfDaemon(settings, files.token) });
}
