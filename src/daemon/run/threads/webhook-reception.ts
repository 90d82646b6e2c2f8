import { NotificationReader, type NotificationRow } from '#adapters/journal/notifications.ts';
import { syncWritten } from '#adapters/journal/write-ahead.ts';
import { signatureMatches, signingKey } from '#adapters/service-client/orders/signature.ts';
import { Batches } from '#adapters/threads/batches.ts';
import { Receiver, type StoredNotification } from '#adapters/webhook-receiver/receiver.ts';
import { type InboxNotification, isNotificationState } from '#domain/notification.ts';
import type { Timers } from '#ports/timers.ts';
import type { WebhooksThread } from './webhooks.ts';

interface ReceptionOptions extends Pick<WebhooksThread['data'], 'windowMs' | 'secrets' | 'recipient' | 'journalPath'> {
  readonly timers: Timers;
  /** Hands new notifications to the thread that writes the journal, which reports by `settled`. */
  readonly send: (batch: readonly InboxNotification[]) => void;
  /** Syncs the journal at this path to the disk. Default: syncs its write-ahead log. */
  readonly sync?: (journalPath: string) => void;
}

/** Receives notifications in a thread of its own, which checks signatures, JSON and repeats, and waits for the disk. */
export class WebhookReception {
  readonly receiver: Receiver;
  /** The service's time less this machine's, in milliseconds. */
  offsetMs = 0;
  private readonly journalPath: string;
  private readonly journal: NotificationReader;
  private readonly batches: Batches<InboxNotification>;
  private readonly sync: (journalPath: string) => void;

  /** Throws what reading the journal throws, and CONFIG_INVALID for an unusable secret. */
  constructor({ windowMs, secrets, recipient, journalPath, timers, send, sync = syncWritten }: ReceptionOptions) {
    const journal = NotificationReader.open(journalPath);
    const keys = secrets.map((secret) => signingKey(secret));
    this.journalPath = journalPath;
    this.journal = journal;
    this.sync = sync;
    this.batches = new Batches({ send, timers });
    this.receiver = new Receiver({
      // Tries every key: the time taken must not show which one matched.
      verify: (signed, signature) => keys.map((key) => signatureMatches(key, signed, signature)).includes(true),
      recipient,
      windowMs,
      now: () => timers.wallMs() + this.offsetMs,
      ofTransfer: (transferId) => journal.ofTransfer(transferId).flatMap(keptIn),
      hasBody: (body) => journal.hasBody(body),
      keep: (notified) => this.batches.keep(notified),
    });
  }

  /** Takes the result of a batch. A 2xx answer follows the sync to the disk; throws if the disk fails. */
  settled(written: boolean): void {
    if (written) this.sync(this.journalPath);
    this.batches.settled(written);
  }

  /** Stops receiving. Idempotent. */
  close(): void {
    this.batches.close();
  }

  /** Closes the journal, once no delivery is pending. */
  closeJournal(): void {
    this.journal.close();
  }
}

function keptIn({ id, received_at, status, body }: NotificationRow): readonly StoredNotification[] {
  return isNotificationState(status) ? [{ id, receivedAt: received_at, status, body }] : [];
}
