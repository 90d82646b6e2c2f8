import { runThread } from '#adapters/threads/thread.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { openWebhookServer } from '#adapters/webhook-receiver/server.ts';
import { RefusalCounts } from './refusals.ts';
import { WebhookReception } from './webhook-reception.ts';
import type { WebhooksThread } from './webhooks.ts';

/**
 * The webhooks' thread: no request can delay an order. Only new notifications go to the main thread, which writes the
 * journal; this thread waits for the disk. If the disk fails, the error ends this thread and trading halts.
 */
runThread<WebhooksThread>(async ({ data, post, onMessage, close }) => {
  const { host, port, path } = data;
  const reception = new WebhookReception({ ...data, timers: systemTimers, send: (batch) => post({ kind: 'batch', batch }) });
  const refusals = new RefusalCounts(systemTimers, (counts) => post({ kind: 'refused', counts }));
  const server = await openWebhookServer({
    host,
    port,
    path,
    receiver: reception.receiver,
    onRefused: (error) => refusals.add(error),
  });
  onMessage((message) => {
    if (message.kind === 'offset') reception.offsetMs = message.ms;
    else if (message.kind === 'settled') reception.settled(message.written);
    else {
      refusals.stop();
      reception.close();
      void server.close().finally(() => {
        reception.closeJournal();
        close();
      });
    }
  });
  post({ kind: 'listening', url: server.url });
});
