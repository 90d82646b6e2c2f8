import type { SourceBounds } from '#adapters/outside-signals/gate.ts';
import { tokenOf } from '#adapters/outside-signals/tokens.ts';
import { Thread } from '#adapters/threads/thread.ts';
import type { LoadedStrategy } from '#assembly/assemble.ts';
import { signalSchemas, unnamedSources } from '#assembly/bound-inputs.ts';
import type { Settings } from '#config/settings.ts';
import { invariant } from '#domain/errors.ts';
import type { InboxEvent } from '#domain/event.ts';
import type { LaneId } from '#domain/names.ts';
import { type OutsideSignal, signalSource } from '#domain/outside-signal.ts';
import type { Notice } from '#ports/notice.ts';
import type { Timers } from '#ports/timers.ts';
import { Intake } from './intake.ts';
import { type CauseCounts, countsText } from './refusals.ts';

interface SignalsOptions {
  readonly settings: Settings;
  readonly strategies: readonly LoadedStrategy[];
  readonly timers: Timers;
  readonly post: (event: InboxEvent) => void;
  /** True where what is posted and settled now is the first event of its millisecond. */
  readonly isFresh: () => boolean;
  /** Handles everything that waits and hands it to the operating system; false if the journal could not. The thread syncs the file. */
  readonly settle: () => boolean;
  /** True while the engine takes events. */
  readonly isRunning: () => boolean;
  readonly notice: Notice;
}

/** The running receiver of signals from outside. */
interface SignalReceiver {
  readonly url: string;
  /** All that was refused, by source and cause: `model LATE`. */
  readonly refused: CauseCounts;
  /** Ends the server and its thread. Idempotent. */
  close(): Promise<void>;
}

/** A signal and where it came from. */
export interface SentSignal {
  readonly source: LaneId;
  readonly signal: OutsideSignal;
}

/** Input and messages of the signals' thread. */
export interface SignalsThread {
  readonly data: {
    readonly host: string;
    readonly port: number;
    readonly sources: readonly (SourceBounds & { readonly name: string; readonly token: string })[];
    readonly journalPath: string;
  };
  readonly toThread: { readonly kind: 'settled'; readonly written: boolean } | { readonly kind: 'close' };
  /** Its address, once; then signals to keep, and how many were refused, by source and cause: `model LATE`. */
  readonly fromThread:
    | { readonly kind: 'listening'; readonly url: string }
    | { readonly kind: 'batch'; readonly batch: readonly SentSignal[] }
    | { readonly kind: 'refused'; readonly counts: CauseCounts };
}

/** How often a signal waits for the next millisecond: it comes first in its own, where a backtest plays it. */
const FRESH_TRIES = 20;
/** Time for the server to close before its thread is ended, in milliseconds. */
const CLOSE_MS = 2_000;

/** Opens the receiver of signals in a thread of its own, which gets no environment; null without sources. Throws PORT_IN_USE. */
export async function openSignals(options: SignalsOptions): Promise<SignalReceiver | null> {
  const data = signalsData(options);
  if (!data) return null;
  const thread = new Thread<SignalsThread>({ entry: new URL('./signals-thread-entry.ts', import.meta.url), name: 'signals', data });
  const first = await thread.next();
  invariant(first.kind === 'listening', 'the thread of signals first says where it listens');
  const { notice, timers } = options;
  const refused: Record<string, number> = {};
  const take = signalIntake(options);
  thread.onMessage((message) => {
    // After this turn's network input: quotes go first.
    if (message.kind === 'batch') setImmediate(() => take(message.batch, (written) => thread.post({ kind: 'settled', written })));
    if (message.kind !== 'refused') return;
    for (const [cause, count] of Object.entries(message.counts)) refused[cause] = (refused[cause] ?? 0) + count;
    notice('warn', `signals: refused ${countsText(message.counts)}`);
  });
  let closing: Promise<void> | undefined;
  return {
    url: first.url,
    refused,
    close() {
      closing ??= thread.close({ kind: 'close' }, { withinMs: CLOSE_MS, timers });
      return closing;
    },
  };
}

/** The inbox's side of the receiver: takes a batch as the first of its millisecond, and says whether it is in the journal's file. */
export function signalIntake(options: Pick<SignalsOptions, 'post' | 'settle' | 'isRunning' | 'isFresh' | 'timers'>) {
  const { timers, isFresh } = options;
  const intake = new Intake<SentSignal>({
    ...options,
    keyOf: ({ source, signal }) => `${source} ${signal.id}`,
    eventOf: ({ source, signal }) => ({ kind: 'signal', source, signal }),
  });
  const take = (batch: readonly SentSignal[], done: (written: boolean) => void, tries = FRESH_TRIES): void => {
    if (tries > 0 && !isFresh()) timers.after(1, () => take(batch, done, tries - 1));
    else done(intake.accept(batch));
  };
  return (batch: readonly SentSignal[], done: (written: boolean) => void): void => take(batch, done);
}

/** The input of a run's receiver; undefined if it has none. */
export function signalsData({
  settings,
  strategies,
  notice,
}: Pick<SignalsOptions, 'settings' | 'strategies' | 'notice'>): SignalsThread['data'] | undefined {
  const { signals, journal } = settings;
  const { host, port, secret } = signals;
  const schemas = signalSchemas(strategies);
  for (const text of unnamedSources(schemas, signals.sources)) notice('warn', text);
  // The check of a start asks for the secret.
  if (signals.sources.length === 0 || secret === null) return undefined;
  const sources = signals.sources.map(({ name, ...bounds }) => {
    const source = signalSource(name);
    return { name, source, token: tokenOf(secret, name), schemas: schemas.get(source) ?? [], ...bounds };
  });
  return { host, port, sources, journalPath: journal.path };
}
