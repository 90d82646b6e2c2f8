import { runThread } from '#adapters/threads/thread.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { listenFor } from '#adapters/webhook-receiver/post-server.ts';
import { RefusalCounts } from './refusals.ts';
import { SignalReception } from './signal-reception.ts';
import type { SignalsThread } from './signals.ts';

/** The signals' thread: no request can delay an order. The main thread writes the journal; this one waits for the disk, then answers. */
runThread<SignalsThread>(async ({ data, post, onMessage, close }) => {
  const refusals = new RefusalCounts(systemTimers, (counts) => post({ kind: 'refused', counts }));
  const reception = new SignalReception({
    ...data,
    timers: systemTimers,
    send: (batch) => post({ kind: 'batch', batch }),
    onRefused: (cause) => refusals.add(cause),
  });
  const server = await listenFor(reception.app, { ...data, path: '/signals', setting: 'signals.port' });
  onMessage((message) => {
    if (message.kind === 'settled') return reception.settled(message.written);
    refusals.stop();
    reception.close();
    void server.close().finally(close);
  });
  post({ kind: 'listening', url: server.url });
});
