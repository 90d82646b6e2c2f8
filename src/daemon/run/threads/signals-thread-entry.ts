import { takenSignals } from '#adapters/journal/past-signals.ts';
import { syncWritten } from '#adapters/journal/write-ahead.ts';
import { SignalGate } from '#adapters/signals/gate.ts';
import { openSignalServer } from '#adapters/signals/server.ts';
import { Batches } from '#adapters/threads/batches.ts';
import { runThread } from '#adapters/threads/thread.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { RefusalCounts } from './refusals.ts';
import type { SentSignal, SignalsThread } from './signals.ts';

/** The signals' thread: no request can delay an order. The main thread writes the journal; this one waits for the disk, then answers. */
runThread<SignalsThread>(async ({ data, post, onMessage, close }) => {
  const { host, port, journalPath } = data;
  const batches = new Batches<SentSignal>({ send: (batch) => post({ kind: 'batch', batch }), timers: systemTimers });
  const before = takenSignals(journalPath);
  const sources = data.sources.map(({ name, token, ...bounds }) => {
    const { source } = bounds;
    const taken = before.flatMap((past) => (past.source === source ? past.signal.id : []));
    const keep: ConstructorParameters<typeof SignalGate>[0]['keep'] = (signal) => batches.keep({ source, signal });
    return [name, { token, gate: new SignalGate({ ...bounds, taken, now: () => systemTimers.wallMs(), keep }) }] as const;
  });
  const refusals = new RefusalCounts(systemTimers, (counts) => post({ kind: 'refused', counts }));
  const server = await openSignalServer({
    host,
    port,
    sources: new Map(sources),
    onRefused: (source, error) => refusals.add(source === null ? error : `${source} ${error}`),
  });
  onMessage((message) => {
    if (message.kind === 'settled') {
      if (message.written) syncWritten(journalPath);
      return batches.settled(message.written);
    }
    refusals.stop();
    batches.close();
    void server.close().finally(close);
  });
  post({ kind: 'listening', url: server.url });
});
