import { NotificationReader, type NotificationRow } from '#adapters/journal/notifications.ts';
import { syncWritten } from '#adapters/journal/write-ahead.ts';
import { signatureMatches, signingKey } from '#adapters/service/orders/signature.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { Batches } from '#adapters/webhooks/batches.ts';
import { type Kept, Receiver } from '#adapters/webhooks/receiver.ts';
import { openWebhookServer } from '#adapters/webhooks/server.ts';
import { runThread } from '#apps/assembly/thread.ts';
import { isNotificationState } from '#domain/notification.ts';
import type { WebhooksThread } from './webhooks.ts';

/** How often the main thread is told what was turned away. */
const TOLD_EVERY_MS = 10_000;

/**
 * The thread of webhooks, with a loop of its own: listening, signatures, JSON and repeats are dealt with here, so that
 * nobody who knocks can hold up an order. Only what is new goes to the main thread, which writes the journal; this one waits for
 * the disk.
 */
runThread<WebhooksThread>(async ({ data, post, onMessage, close }) => {
  const { host, port, path, windowMs, secrets, recipient, journalPath } = data;
  const journal = NotificationReader.open(journalPath);
  const keys = secrets.map((secret) => signingKey(secret));
  const batches = new Batches({ send: (batch) => post({ kind: 'batch', batch }), timers: systemTimers });
  let offsetMs = 0;
  let counts: Record<string, number> = {};
  const receiver = new Receiver({
    // Every key is tried, so that the time taken does not tell which one it was.
    verify: (signed, signature) => keys.map((key) => signatureMatches(key, signed, signature)).includes(true),
    recipient,
    windowMs,
    now: () => systemTimers.wallMs() + offsetMs,
    ofTransfer: (transferId) => journal.ofTransfer(transferId).flatMap(keptIn),
    hasBody: (body) => journal.hasBody(body),
    keep: (notified) => batches.keep(notified),
  });
  const server = await openWebhookServer({
    host,
    port,
    path,
    receiver,
    onRefused: (error) => {
      counts[error] = (counts[error] ?? 0) + 1;
    },
  });
  const stopTelling = systemTimers.every(TOLD_EVERY_MS, () => {
    if (Object.keys(counts).length > 0) post({ kind: 'refused', counts });
    counts = {};
  });
  onMessage((message) => {
    if (message.kind === 'offset') offsetMs = message.ms;
    else if (message.kind === 'settled') {
      // What is answered 2xx is on the disk. Where the disk fails, the error ends this thread, and trading is halted.
      if (message.written) syncWritten(journalPath);
      batches.settled(message.written);
    } else {
      stopTelling();
      batches.close();
      void server.close().finally(() => {
        journal.close();
        close();
      });
    }
  });
  post({ kind: 'listening', url: server.url });
});

function keptIn({ id, received_at, status, body }: NotificationRow): readonly Kept[] {
  return isNotificationState(status) ? [{ id, receivedAt: received_at, status, body }] : [];
}
