import { appendAtRest } from '#adapters/journal/at-rest.ts';
import { MemoryJournal } from '#adapters/journal/memory-journal.ts';
import { NotificationReader } from '#adapters/journal/notifications.ts';
import { readNotification } from '#adapters/webhook-receiver/notification-body.ts';
import type { Settings } from '#config/settings.ts';
import { DecisionLog } from '#core/decisions/decision-log.ts';
import { notifiedRows } from '#core/engine/money-in.ts';
import { KairosError } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';
import type { InboxNotification } from '#domain/notification.ts';
import type { FieldsOf } from '#server/control/endpoints.ts';
import { daemonAt } from './daemon-access.ts';
import { ask } from './ops-client.ts';

/** The acceptance of a late notification. Throws NOT_FOUND for an unknown id, ACT_REFUSED for one that is not late or whose transfer is booked already. */
export function acceptanceOf({ id, who, why }: FieldsOf<'accept'>, settings: Pick<Settings, 'journal' | 'service'>): InboxNotification {
  const { journal, service } = settings;
  const reader = NotificationReader.open(journal.path);
  try {
    const row = reader.find(id);
    if (!row) throw new KairosError('NOT_FOUND', `there is no notification ${JSON.stringify(id)}: npx kairos notifications list`);
    if (row.status !== 'late') throw new KairosError('ACT_REFUSED', `notification ${id} is ${row.status}; only a late one can be accepted`);
    const read = readNotification(row.body, { brand: service.brand, userId: service.userId ?? '' });
    if (read?.deposit == null || read.transferId === null) {
      throw new KairosError('ACT_REFUSED', `notification ${id} is no deposit of service.userId ${service.userId ?? '(none)'}`);
    }
    if (reader.ofTransfer(read.transferId).some(({ status }) => status === 'booked')) {
      throw new KairosError('ACT_REFUSED', `transfer ${read.transferId} is booked already, by another notification`);
    }
    const { type, transferId, deposit } = read;
    const earlier = { id, receivedAt: row.received_at };
    return { type, transferId, body: row.body, status: 'booked', deposit, earlier, by: { who, why } };
  } finally {
    reader.close();
  }
}

/**
 * Accepts a late notification: through the control server of the daemon that holds the configured journal, else on the journal
 * itself. Throws as `acceptanceOf`, JOURNAL_LEASED while something other than a daemon holds the journal, OPS_UNAVAILABLE.
 */
export async function performAcceptance(asked: FieldsOf<'accept'>, settings: Settings, now: Millis): Promise<void> {
  const to = daemonAt(settings);
  if (to) return void (await ask('accept', asked, to));
  const log = new DecisionLog(new MemoryJournal());
  log.now = now;
  const { notification, booked } = notifiedRows(log, acceptanceOf(asked, settings), asked.id);
  appendAtRest(settings.journal.path, () => (booked ? [notification, booked] : [notification]));
}
