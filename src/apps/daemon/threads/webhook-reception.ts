import { NotificationReader, type NotificationRow } from '#adapters/journal/notifications.ts';
import { syncWritten } from '#adapters/journal/write-ahead.ts';
import { signatureMatches, signingKey } from '#adapters/service/orders/signature.ts';
import { Batches } from '#adapters/webhooks/batches.ts';
import { type Kept, Receiver } from '#adapters/webhooks/receiver.ts';
import { isNotificationState, type Notified } from '#domain/notification.ts';
import type { Timers } from '#ports/timers.ts';
import type { WebhooksThread } from './webhooks.ts';

interface ReceptionOptions extends Pick<WebhooksThread['data'], 'windowMs' | 'secrets' | 'recipient' | 'journalPath'> {
  readonly timers: Timers;
  /** Hands what is new to the thread that writes the journal, which says by `settled` whether it is written. */
  readonly send: (batch: readonly Notified[]) => void;
  /** Puts what was written to the journal at this path on the disk. Default: its write-ahead log is synced. */
  readonly sync?: (journalPath: string) => void;
}

/** Receives notifications beside the loop that trades: signatures, JSON and repeats are dealt with here, and the disk is waited for here. */
export class WebhookReception {
  readonly receiver: Receiver;
  /** The service's time less this machine's, in milliseconds. */
  offsetMs = 0;
  private readonly journalPath: string;
  private readonly journal: NotificationReader;
  private readonly batches: Batches;
  private readonly sync: (journalPath: string) => void;

  /** Throws as the journal does that it reads, and CONFIG_INVALID for a secret that cannot be used. */
  constructor({ windowMs, secrets, recipient, journalPath, timers, send, sync = syncWritten }: ReceptionOptions) {
    const journal = NotificationReader.open(journalPath);
    const keys = secrets.map((secret) => signingKey(secret));
    this.journalPath = journalPath;
    this.journal = journal;
    this.sync = sync;
    this.batches = new Batches({ send, timers });
    this.receiver = new Receiver({
      // Every key is tried, so that the time taken does not tell which one it was.
      verify: (signed, signature) => keys.map((key) => signatureMatches(key, signed, signature)).includes(true),
      recipient,
      windowMs,
      now: () => timers.wallMs() + this.offsetMs,
      ofTransfer: (transferId) => journal.ofTransfer(transferId).flatMap(keptIn),
      hasBody: (body) => journal.hasBody(body),
      keep: (notified) => this.batches.keep(notified),
    });
  }

  /** What became of the batch that was sent. What is answered 2xx is on the disk; throws where the disk fails. */
  settled(written: boolean): void {
    if (written) this.sync(this.journalPath);
    this.batches.settled(written);
  }

  /** Takes nothing more. Idempotent. */
  close(): void {
    this.batches.close();
  }

  /** Lets go of the journal, once nothing is under way. */
  closeJournal(): void {
    this.journal.close();
  }
}

function keptIn({ id, received_at, status, body }: NotificationRow): readonly Kept[] {
  return isNotificationState(status) ? [{ id, receivedAt: received_at, status, body }] : [];
}
