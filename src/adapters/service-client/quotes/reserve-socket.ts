import type { Lane, LaneChange } from '#domain/lane.ts';
import { laneIdOf } from '#domain/names.ts';
import type { FeedSink } from '#ports/feed.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import { decodeFrame } from './decode-frame.ts';
import { FeedConnection } from './feed-connection.ts';
import type { FeedCounts } from './feed-counts.ts';
import type { OpenQueue } from './open-queue.ts';
import type { OpenQuoteSocket } from './quote-socket.ts';
import type { Subscription } from './subscription.ts';

const ACK_MS = 5000;

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
  private readonly connection: FeedConnection;
  private job: Job | null = null;
  /** What was asked for last and neither acknowledged nor refused: an ERR names no request, so nothing else is asked before that. */
  private outstanding: Subscription | null = null;
  private stage: 'ready' | 'subscribing' | 'live' = 'ready';
  private cancelAck: Cancel | null = null;

  constructor(options: ReserveSocketOptions) {
    this.options = options;
    this.connection = new FeedConnection(
      { ...options, isUrgent: () => this.job !== null },
      {
        opened: () => this.opened(),
        text: (frame) => this.receive(frame),
        lost: (why, violation) => this.lose(why, violation),
        lasts: () => this.connection.backoff.reset(),
      },
    );
  }

  get lane(): Lane | null {
    return this.job?.lane ?? null;
  }

  /** True while a lane that is lent is subscribed to at once. */
  get isReady(): boolean {
    return this.connection.isOpen && this.outstanding === null;
  }

  start(): void {
    this.connection.start();
  }

  /** Serves a lane from now on; it is subscribed to as soon as there is a connection. */
  acquire(lane: Lane, subscription: Subscription): void {
    this.job = { lane, subscription, epoch: 0 };
    if (this.connection.isOpen) this.subscribe();
  }

  /** Stops serving its lane; nothing more is told of that. */
  release(): void {
    this.job = null;
    this.stage = 'ready';
  }

  /** Begins anew with another connection, and with the lane that is lent. */
  replace(why: string): void {
    if (this.connection.isOpen) this.lose(why, false);
  }

  /** Ends the connection for good. Idempotent. */
  close(): void {
    this.job = null;
    this.stopWaiting();
    this.connection.close();
  }

  private opened(): void {
    this.connection.watch();
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
    this.connection.send(subscription.text);
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

  private lose(why: string, violation: boolean): void {
    // An order waits for a lane that is lent.
    const { job } = this;
    if (!this.connection.end(violation)) return;
    this.stage = 'ready';
    this.stopWaiting();
    if (job && job.epoch > 0) this.options.sink.change({ phase: 'lost', lane: job.lane.id, epoch: job.epoch, why });
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
