import { takenSignals } from '#adapters/journal/past-signals.ts';
import { syncWritten } from '#adapters/journal/write-ahead.ts';
import { SignalGate } from '#adapters/signals/gate.ts';
import { openSignalServer } from '#adapters/signals/server.ts';
import { Batches } from '#adapters/threads/batches.ts';
import { runThread } from '#adapters/threads/thread.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import type { SentSignal, SignalsThread } from './signals.ts';

/** How often refusals are reported to the main thread, in milliseconds. */
const TOLD_EVERY_MS = 10_000;

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
  let counts: Record<string, number> = {};
  const server = await openSignalServer({
    host,
    port,
    sources: new Map(sources),
    onRefused: (source, error) => {
      const what = source === null ? error : `${source} ${error}`;
      counts[what] = (counts[what] ?? 0) + 1;
    },
  });
  const stopTelling = systemTimers.every(TOLD_EVERY_MS, () => {
    if (Object.keys(counts).length > 0) post({ kind: 'refused', counts });
    counts = {};
  });
  onMessage((message) => {
    if (message.kind === 'settled') {
      if (message.written) syncWritten(journalPath);
      return batches.settled(message.written);
    }
    stopTelling();
    batches.close();
    void server.close().finally(close);
  });
  post({ kind: 'listening', url: server.url });
});
