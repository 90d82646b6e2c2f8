import { takenSignals } from '#adapters/journal/past-signals.ts';
import { syncWritten } from '#adapters/journal/write-ahead.ts';
import { SignalGate } from '#adapters/outside-signals/gate.ts';
import { signalApp } from '#adapters/outside-signals/server.ts';
import { Batches } from '#adapters/threads/batches.ts';
import type { Timers } from '#ports/timers.ts';
import type { SentSignal, SignalsThread } from './signals.ts';

interface ReceptionOptions extends Pick<SignalsThread['data'], 'sources' | 'journalPath'> {
  readonly timers: Timers;
  /** Hands new signals to the thread that writes the journal, which reports by `settled`. */
  readonly send: (batch: readonly SentSignal[]) => void;
  /** Called with each refusal, by source and cause: `model LATE`. */
  readonly onRefused: (cause: string) => void;
  /** Syncs the journal at this path to the disk. Default: syncs its write-ahead log. */
  readonly sync?: (journalPath: string) => void;
}

/** Receives signals from outside in a thread of its own, which tells repeats from what the journal has, and waits for the disk. */
export class SignalReception {
  /** Its routes, before it listens. */
  readonly app: ReturnType<typeof signalApp>;
  private readonly options: ReceptionOptions;
  private readonly batches: Batches<SentSignal>;

  /** Throws what reading the journal throws. */
  constructor(options: ReceptionOptions) {
    const { sources, journalPath, timers, onRefused } = options;
    this.options = options;
    this.batches = new Batches(options);
    const before = takenSignals(journalPath);
    const gates = sources.map(({ name, token, ...bounds }) => {
      const { source } = bounds;
      const taken = before.flatMap((past) => (past.source === source ? past.signal.id : []));
      const keep: ConstructorParameters<typeof SignalGate>[0]['keep'] = (signal) => this.batches.keep({ source, signal });
      return [name, { token, gate: new SignalGate({ ...bounds, taken, now: () => timers.wallMs(), keep }) }] as const;
    });
    this.app = signalApp({
      sources: new Map(gates),
      onRefused: (source, error) => onRefused(source === null ? error : `${source} ${error}`),
    });
  }

  /** Takes the result of a batch. A 2xx answer follows the sync to the disk; throws if the disk fails. */
  settled(written: boolean): void {
    const { sync = syncWritten, journalPath } = this.options;
    if (written) sync(journalPath);
    this.batches.settled(written);
  }

  /** Stops receiving. Idempotent. */
  close(): void {
    this.batches.close();
  }
}
