import { Backoff } from '#adapters/service/rest/backoff.ts';
import type { Lane, LaneChange } from '#domain/lane.ts';
import { laneIdOf } from '#domain/names.ts';
import type { FeedSink } from '#ports/feed.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import { decodeFrame } from './decode-frame.ts';
import type { FeedCounts } from './feed-counts.ts';
import type { OpenQueue } from './open-queue.ts';
import type { OpenQuoteSocket, QuoteSocket } from './quote-socket.ts';
import type { Subscription } from './subscription.ts';

/** How long each stage may take, in milliseconds. */
const CONNECT_MS = 10_000;
const ACK_MS = 5000;
const PING_AFTER_MS = 5000;
const TERMINATE_AFTER_MS = 10_000;

export interface ReserveSocketOptions {
  readonly url: string;
  readonly timers: Timers;
  readonly open: OpenQuoteSocket;
  readonly queue: OpenQueue;
  readonly counts: FeedCounts;
  readonly sink: FeedSink;
  readonly onRefusedFrame: (lane: Lane, why: string) => void;
}

/** Where what still comes belongs once a lane is given back. */
const GIVEN_BACK = laneIdOf('given-back');

/** The lane that the connection serves at the moment. */
interface Job {
  readonly lane: Lane;
  readonly subscription: Subscription;
  epoch: number;
}

/**
 * A connection kept open without subscription, for amounts that are known only when they are needed: a lane is lent to it,
 * subscribed to, and given back (spec 4.5: a later request replaces the earlier). Quotes count only after the ACK of
 * the present lane; what still comes for an earlier one is dropped (F29).
 */
export class ReserveSocket {
  private readonly options: ReserveSocketOptions;
  private readonly backoff: Backoff;
  private job: Job | null = null;
  /** What was asked for last and neither acknowledged nor refused: an ERR names no request, so nothing else is asked before that. */
  private outstanding: Subscription | null = null;
  private stage: 'off' | 'connecting' | 'ready' | 'subscribing' | 'live' | 'over' = 'off';
  private socket: QuoteSocket | null = null;
  private connections = 0;
  private cancelTimer: Cancel | null = null;
  private cancelAck: Cancel | null = null;
  private cancelTurn: Cancel | null = null;
  private lastFrameMs = 0;
  /** Looks at the connection's silence since it opened; from the second on it has lasted for seconds. */
  private settledRounds = 0;

  constructor(options: ReserveSocketOptions) {
    this.options = options;
    this.backoff = new Backoff({ timers: options.timers, leastMs: 250, mostMs: 30_000, mostPerMinute: 20 });
  }

  get lane(): Lane | null {
    return this.job?.lane ?? null;
  }

  /** True while a lane that is lent is subscribed to at once. */
  get isReady(): boolean {
    return this.isConnected && this.outstanding === null;
  }

  private get isConnected(): boolean {
    return this.socket !== null && this.stage !== 'connecting';
  }

  start(): void {
    if (this.stage === 'off')
      this.cancelTurn = this.options.queue.ask(
        () => this.connect(),
        () => this.job !== null,
      );
  }

  /** Serves a lane from now on; it is subscribed to as soon as there is a connection. */
  acquire(lane: Lane, subscription: Subscription): void {
    this.job = { lane, subscription, epoch: 0 };
    if (this.isConnected) this.subscribe();
  }

  /** Stops serving its lane; nothing more is told of that. */
  release(): void {
    this.job = null;
    if (this.stage === 'subscribing' || this.stage === 'live') this.stage = 'ready';
  }

  /** Begins anew with another connection, and with the lane that is lent. */
  replace(why: string): void {
    if (this.socket !== null) this.lose(why, false);
  }

  /** Ends the connection for good. Idempotent. */
  close(): void {
    this.stage = 'over';
    this.job = null;
    this.clear();
    this.options.queue.gaveUp(this);
  }

  private connect(): void {
    const { queue, timers } = this.options;
    this.cancelTurn = null;
    this.stage = 'connecting';
    this.connections += 1;
    const connection = this.connections;
    const current = (): boolean => this.connections === connection && this.socket !== null;
    this.backoff.attempt();
    queue.began(this);
    this.cancelTimer = timers.after(CONNECT_MS, () => this.lose(`no connection within ${CONNECT_MS / 1000} s`, false));
    this.socket = this.options.open(this.options.url, {
      opened: () => current() && this.opened(),
      text: (frame) => current() && this.receive(frame),
      alive: () => current() && this.heard(),
      ended: (why, violation) => current() && this.lose(why, violation),
    });
  }

  private opened(): void {
    this.options.queue.succeeded(this);
    this.stage = 'ready';
    this.settledRounds = 0;
    this.heard();
    this.watchSilence();
    if (this.job) this.subscribe();
  }

  private subscribe(): void {
    const { job } = this;
    if (!job) return;
    this.stage = 'subscribing';
    job.epoch += 1;
    this.tell(job, 'opening');
    if (this.outstanding === null) this.ask(job.subscription);
  }

  private ask(subscription: Subscription): void {
    this.outstanding = subscription;
    this.cancelAck = this.options.timers.after(ACK_MS, () => this.lose(`no ACK within ${ACK_MS / 1000} s`, false));
    this.socket?.send(subscription.text);
  }

  /** What was asked for last is answered; what is lent meanwhile is asked for now. */
  private answered(refusal: string | null): void {
    const { job, outstanding } = this;
    this.stopWaiting();
    if (!job || this.stage !== 'subscribing') return;
    if (outstanding?.text !== job.subscription.text) return this.ask(job.subscription);
    if (refusal !== null) return this.lose(`refused: ${refusal}`, false);
    this.stage = 'live';
    this.tell(job, 'acked');
  }

  private receive(text: string): void {
    this.heard();
    const { job, outstanding } = this;
    const { counts, sink, onRefusedFrame } = this.options;
    counts.frames += 1;
    if (!job && !outstanding) return;
    const frame = decodeFrame(text, { lane: job?.lane.id ?? GIVEN_BACK, epoch: job?.epoch ?? 0 });
    switch (frame.kind) {
      case 'quote':
        if (this.stage !== 'live') {
          counts.quotesBeforeAck += 1;
          return;
        }
        counts.quotes += 1;
        sink.quote(frame.quote);
        return;
      case 'ack':
        if (outstanding?.matches(frame.echo)) this.answered(null);
        else counts.unaskedAcks += 1;
        return;
      case 'err':
        if (outstanding) this.answered(frame.text);
        return;
      case 'malformed':
        counts.refused(frame.why);
        if (job) onRefusedFrame(job.lane, frame.why);
        return;
      case 'basic':
      case 'full':
      case 'ignored':
        return;
    }
  }

  private heard(): void {
    this.lastFrameMs = this.options.timers.monotonicMs();
  }

  private watchSilence(): void {
    const { timers } = this.options;
    const silentMs = timers.monotonicMs() - this.lastFrameMs;
    if (silentMs >= TERMINATE_AFTER_MS) return this.lose(`silent for ${TERMINATE_AFTER_MS / 1000} s`, false);
    this.settledRounds += 1;
    if (this.settledRounds > 1) this.backoff.reset();
    if (silentMs >= PING_AFTER_MS) this.socket?.ping();
    this.cancelTimer?.();
    const next = silentMs >= PING_AFTER_MS ? TERMINATE_AFTER_MS : PING_AFTER_MS;
    this.cancelTimer = timers.after(next - silentMs, () => this.watchSilence());
  }

  private lose(why: string, violation: boolean): void {
    if (this.stage === 'over') return;
    if (this.stage === 'connecting') this.options.queue.failed(this);
    const { job } = this;
    this.clear();
    this.stage = 'off';
    // An order waits for a lane that is lent.
    const delayMs = job && !violation ? this.backoff.afterFailureInHaste() : this.backoff.afterFailure(violation);
    this.cancelTimer = this.options.timers.after(delayMs, () => this.start());
    if (job && job.epoch > 0) this.options.sink.change({ phase: 'lost', lane: job.lane.id, epoch: job.epoch, why });
  }

  private clear(): void {
    this.cancelTimer?.();
    this.cancelTimer = null;
    this.stopWaiting();
    this.cancelTurn?.();
    this.cancelTurn = null;
    this.socket?.destroy();
    this.socket = null;
  }

  private stopWaiting(): void {
    this.outstanding = null;
    this.cancelAck?.();
    this.cancelAck = null;
  }

  private tell({ lane, epoch }: Job, phase: 'opening' | 'acked'): void {
    const change: LaneChange = { phase, lane: lane.id, epoch };
    this.options.sink.change(change);
  }
}
