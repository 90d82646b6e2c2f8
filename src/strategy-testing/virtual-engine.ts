import type { VirtualClock } from '#adapters/time/virtual-clock.ts';
import { Engine } from '#core/engine/engine.ts';
import type { EngineOptions } from '#core/engine/engine-options.ts';
import { Inbox } from '#core/engine/inbox.ts';
import type { InboxEvent } from '#domain/event.ts';
import type { Lane } from '#domain/lane.ts';
import type { Millis } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import type { InboxLog } from '#ports/inbox-log.ts';

/** Interval of the samples of the service's clock, as live, in milliseconds. */
const CLOCK_MS = 60_000;

interface VirtualEngineOptions {
  readonly clock: VirtualClock;
  readonly log?: InboxLog;
  /** Number of the first event. */
  readonly first?: number;
  /** False if the owner reports the service's clock itself. */
  readonly keepsClock?: boolean;
  readonly engine: Omit<EngineOptions, 'onNextDue'>;
}

const NO_LOG: InboxLog = { append() {}, conflated() {}, flush() {} };

/** The engine that trades live, in virtual time that its owner moves. Every event goes through the inbox and is handled before the call returns. */
export class VirtualEngine {
  readonly clock: VirtualClock;
  readonly inbox: Inbox;
  readonly engine: Engine;
  private readonly keepsClock: boolean;
  private clockSetAt = Number.NEGATIVE_INFINITY;

  constructor({ clock, log, first, keepsClock, engine }: VirtualEngineOptions) {
    this.keepsClock = keepsClock ?? true;
    this.clock = clock;
    this.engine = new Engine({ ...engine, onNextDue: (at) => this.clock.wakeAt(at, () => this.give({ kind: 'wake' })) });
    this.inbox = new Inbox({
      clock: this.clock,
      log: log ?? NO_LOG,
      first: first ?? 1,
      handle: (event) => this.engine.handle(event),
      soon: () => {},
    });
  }

  give(event: InboxEvent): void {
    this.inbox.post(event);
    this.inbox.drain();
  }

  quote(quote: Quote): void {
    this.inbox.quote(quote);
    this.inbox.drain();
  }

  /** Acknowledges a lane's first subscription. */
  ack({ id }: Lane): void {
    this.inbox.change({ phase: 'opening', lane: id, epoch: 1 });
    this.inbox.change({ phase: 'acked', lane: id, epoch: 1 });
    this.inbox.drain();
  }

  /** Moves time forward; timers fire at their due times. */
  moveTo(at: Millis): void {
    this.clock.moveTo(at);
    this.keepClock();
    this.inbox.drain();
  }

  /** Reports engine time as the service's clock, once a minute. */
  keepClock(): void {
    if (!this.keepsClock || this.clock.now() - this.clockSetAt < CLOCK_MS) return;
    this.clockSetAt = this.clock.now();
    this.give({ kind: 'clock', offsetMs: 0, halfWidthMs: 0, ageMs: 0 });
  }
}
