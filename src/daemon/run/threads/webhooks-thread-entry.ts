import { runThread } from '#adapters/threads/thread.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { openWebhookServer } from '#adapters/webhooks/server.ts';
import { WebhookReception } from './webhook-reception.ts';
import type { WebhooksThread } from './webhooks.ts';

/** How often refusals are reported to the main thread, in milliseconds. */
const TOLD_EVERY_MS = 10_000;

/**
 * The webhooks' thread: no request can delay an order. Only new notifications go to the main thread, which writes the
 * journal; this thread waits for the disk. If the disk fails, the error ends this thread and trading halts.
 */
runThread<WebhooksThread>(async ({ data, post, onMessage, close }) => {
  const { host, port, path } = data;
  const reception = new WebhookReception({ ...data, timers: systemTimers, send: (batch) => post({ kind: 'batch', batch }) });
  let counts: Record<string, number> = {};
  const server = await openWebhookServer({
    host,
    port,
    path,
    receiver: reception.receiver,
    onRefused: (error) => {
      counts[error] = (counts[error] ?? 0) + 1;
    },
  });
  const stopTelling = systemTimers.every(TOLD_EVERY_MS, () => {
    if (Object.keys(counts).length > 0) post({ kind: 'refused', counts });
    counts = {};
  });
  onMessage((message) => {
    if (message.kind === 'offset') reception.offsetMs = message.ms;
    else if (message.kind === 'settled') reception.settled(message.written);
    else {
      stopTelling();
      reception.close();
      void server.close().finally(() => {
        reception.closeJournal();
        close();
      });
    }
  });
  post({ kind: 'listening', url: server.url });
});
