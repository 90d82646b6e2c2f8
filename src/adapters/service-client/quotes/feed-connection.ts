import { Backoff } from '#adapters/service-client/rest/backoff.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import type { OpenQueue, Urgency } from './open-queue.ts';
import type { OpenQuoteSocket, QuoteSocket } from './quote-socket.ts';

/** How long each stage of a connection may take, in milliseconds. */
const CONNECT_MS = 10_000;
const PING_AFTER_MS = 5000;
const TERMINATE_AFTER_MS = 10_000;

interface ConnectionOptions {
  readonly url: string;
  readonly timers: Timers;
  readonly open: OpenQuoteSocket;
  readonly queue: OpenQueue;
  /** True while something rests on it: it connects before others, and again with less delay. */
  readonly isUrgent: Urgency;
}

/** What is asked for on a connection, and heard. */
interface ConnectionUse {
  /** Its turn has come to be opened. */
  begins?(): void;
  opened(): void;
  text(frame: string): void;
  /** It has been quiet or broken; `end` begins it anew. */
  lost(why: string, violation: boolean): void;
  /** It is watched for seconds already. */
  lasts?(): void;
}

/** One connection of the feed (spec 3): takes its turn, opens, is watched for silence, and begins again with back-off. What is asked for on it is not its matter. */
export class FeedConnection {
  readonly backoff: Backoff;
  private readonly options: ConnectionOptions;
  private readonly use: ConnectionUse;
  private stage: 'off' | 'connecting' | 'open' | 'over' = 'off';
  private number = 0;
  private socket: QuoteSocket | null = null;
  private cancelTimer: Cancel | null = null;
  private cancelTurn: Cancel | null = null;
  private lastFrameMs = 0;

  constructor(options: ConnectionOptions, use: ConnectionUse) {
    this.options = options;
    this.use = use;
    this.backoff = new Backoff(options.timers, 'feed');
  }

  get isOpen(): boolean {
    return this.stage === 'open';
  }

  /** Waits for its turn to be opened. */
  start(): void {
    const { queue, isUrgent } = this.options;
    if (this.stage === 'off') this.cancelTurn = queue.ask(() => this.connect(), isUrgent);
  }

  send(text: string): void {
    this.socket?.send(text);
  }

  /** Drops it and opens another later; `penalty`: the service is at fault, and has more time. False where it is over for good. */
  end(penalty: boolean): boolean {
    if (this.stage === 'over') return false;
    if (this.stage === 'connecting') this.options.queue.failed(this);
    this.clear();
    this.stage = 'off';
    const delayMs = !penalty && this.options.isUrgent() ? this.backoff.afterFailureInHaste() : this.backoff.afterFailure(penalty);
    this.cancelTimer = this.options.timers.after(delayMs, () => this.start());
    return true;
  }

  /** Ends it for good; no event follows. Idempotent. */
  close(): void {
    this.stage = 'over';
    this.clear();
    this.options.queue.gaveUp(this);
  }

  /** From now on silence is met with a ping, and lasting silence ends it. */
  watch(rounds = 1): void {
    const { timers } = this.options;
    const silentMs = timers.monotonicMs() - this.lastFrameMs;
    if (silentMs >= TERMINATE_AFTER_MS) return this.use.lost(`silent for ${TERMINATE_AFTER_MS / 1000} s`, false);
    if (rounds > 1) this.use.lasts?.();
    if (silentMs >= PING_AFTER_MS) this.socket?.ping();
    this.cancelTimer?.();
    const next = silentMs >= PING_AFTER_MS ? TERMINATE_AFTER_MS : PING_AFTER_MS;
    this.cancelTimer = timers.after(next - silentMs, () => this.watch(rounds + 1));
  }

  private connect(): void {
    const { queue, timers, open, url } = this.options;
    this.cancelTurn = null;
    this.stage = 'connecting';
    this.number += 1;
    const { number } = this;
    const current = (): boolean => this.number === number && this.socket !== null;
    this.backoff.attempt();
    queue.began(this);
    this.use.begins?.();
    if (!this.isConnecting()) return;
    this.cancelTimer = timers.after(CONNECT_MS, () => this.use.lost(`no connection within ${CONNECT_MS / 1000} s`, false));
    this.socket = open(url, {
      opened: () => current() && this.opened(),
      text: (frame) => {
        if (!current()) return;
        this.heard();
        this.use.text(frame);
      },
      alive: () => current() && this.heard(),
      ended: (why, violation) => current() && this.use.lost(why, violation),
    });
  }

  /** What is told of its turn may have closed it. */
  private isConnecting(): boolean {
    return this.stage === 'connecting';
  }

  private opened(): void {
    this.stage = 'open';
    this.options.queue.succeeded(this);
    this.heard();
    this.cancelTimer?.();
    this.cancelTimer = null;
    this.use.opened();
  }

  private heard(): void {
    this.lastFrameMs = this.options.timers.monotonicMs();
  }

  private clear(): void {
    this.cancelTimer?.();
    this.cancelTimer = null;
    this.cancelTurn?.();
    this.cancelTurn = null;
    this.socket?.destroy();
    this.socket = null;
  }
}
