import { backOffMs } from '#domain/retry.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import { decodeFrame, type Frame } from './decode-frame.ts';
import { FeedConnection } from './feed-connection.ts';
import { LANE_LIMITS, type LaneSocketOptions, NO_QUOTE_MS } from './lane-socket-options.ts';
import { echoText } from './subscription.ts';

/**
 * Keeps one subscription on a connection of its own (spec 3, 4.5): subscribes, checks the echo, watches for quotes, and begins anew. Each
 * subscription is an epoch; a quote counts only after the ACK of its own.
 */
export class LaneSocket {
  private readonly options: LaneSocketOptions;
  private readonly timers: Timers;
  private readonly connection: FeedConnection;
  private stage: 'off' | 'subscribing' | 'live' = 'off';
  private epoch = 0;
  private refusals = 0;
  /** Subscriptions in a row that were not acknowledged in time. */
  private unacknowledged = 0;
  /** What the service acknowledged instead of what was asked; empty for nothing. */
  private otherEcho = '';
  private isTold = false;
  /** Of the ACK, then of quotes. */
  private cancelWait: Cancel | null = null;
  private lastQuoteMs = 0;
  private firstQuoteMs: number | null = null;

  constructor(options: LaneSocketOptions) {
    this.options = options;
    this.timers = options.timers;
    this.connection = new FeedConnection(options, {
      begins: () => this.begins(),
      opened: () => this.subscribe(),
      text: (frame) => this.receive(frame),
      lost: (why, violation) => this.lose(why, violation),
    });
  }

  start(): void {
    this.connection.start();
  }

  /** Closes the lane for good; no event follows. Idempotent. */
  close(): void {
    this.cancelWait?.();
    this.connection.close();
  }

  /** Drops a connection that may be dead and opens another. One that is only being opened, or waited for, stays. */
  replace(why: string): void {
    if (this.connection.isOpen) this.lose(why, false);
  }

  private begins(): void {
    if (this.epoch > 0) this.options.counts.reconnects += 1;
    this.epoch += 1;
    this.firstQuoteMs = null;
    this.tell('opening');
  }

  private subscribe(): void {
    this.stage = 'subscribing';
    this.otherEcho = '';
    const ackMs = backOffMs('acknowledgement', this.unacknowledged);
    this.cancelWait?.();
    this.cancelWait = this.timers.after(ackMs, () => this.notAcknowledged(ackMs));
    this.connection.send(this.options.subscription.text);
  }

  private receive(text: string): void {
    const { counts } = this.options;
    const now = this.timers.monotonicMs();
    counts.frames += 1;
    this.options.onFrame?.(now);
    const frame = decodeFrame(text, { lane: this.options.lane, epoch: this.epoch });
    switch (frame.kind) {
      case 'quote':
        if (this.isLive(now)) this.options.quote(frame.quote);
        return;
      case 'basic':
      case 'full':
        if (this.isLive(now)) this.options.shown?.(frame);
        return;
      case 'ack':
        this.acknowledged(frame);
        return;
      case 'err':
        this.refused(frame.text);
        return;
      case 'ignored':
        counts.unknownKind(frame.msgType);
        return;
      case 'malformed':
        counts.refused(frame.why);
        this.options.refusedFrame(frame.why);
        return;
    }
  }

  /** Counts a quote of any type; false for one that came before the ACK, which is dropped (F26). */
  private isLive(now: number): boolean {
    if (this.stage !== 'live') {
      this.options.counts.quotesBeforeAck += 1;
      return false;
    }
    this.options.counts.quotes += 1;
    this.lastQuoteMs = now;
    this.firstQuoteMs ??= now;
    if (now - this.firstQuoteMs >= LANE_LIMITS.settledMs) this.connection.backoff.reset();
    return true;
  }

  /**
   * An ACK is matched on its echo, never by counting: the service may send some unasked (notes to the specification). Before ours one of
   * something else is passed over; after it, nobody can say what the quotes are of, and the lane begins anew (F27).
   */
  private acknowledged(frame: Frame & { kind: 'ack' }): void {
    if (this.options.subscription.matches(frame.echo)) {
      if (this.stage !== 'subscribing') {
        this.options.counts.unaskedAcks += 1;
        return;
      }
      this.stage = 'live';
      this.refusals = 0;
      this.unacknowledged = 0;
      this.isTold = false;
      this.lastQuoteMs = this.timers.monotonicMs();
      this.awaitQuotes();
      this.connection.watch();
      this.tell('acked');
      return;
    }
    this.otherEcho = echoText(frame.echo);
    if (this.stage === 'live') this.setAside(this.mismatch(), true);
    else this.options.counts.unaskedAcks += 1;
  }

  private notAcknowledged(afterMs: number): void {
    this.unacknowledged += 1;
    if (this.otherEcho !== '') this.setAside(this.mismatch(), true);
    else if (this.unacknowledged !== LANE_LIMITS.toldUnacknowledged) this.lose(`no ACK within ${afterMs / 1000} s`, false);
    else this.setAside(`no ACK within ${afterMs / 1000} s, ${LANE_LIMITS.toldUnacknowledged} times in a row`, false);
  }

  private mismatch(): string {
    return `asked for ${this.options.subscription.title}, and the service acknowledged ${this.otherEcho}`;
  }

  /** An ERR names no request; only one is outstanding a connection, so before the ACK it is meant for ours. */
  private refused(text: string): void {
    if (this.stage !== 'subscribing') {
      this.options.counts.unknownKind('ERR after ACK');
      return;
    }
    this.refusals += 1;
    if (this.refusals >= LANE_LIMITS.toldRefusals)
      this.setAside(`the service refused the subscription ${this.refusals} times: ${text}`, false);
    else this.end({ phase: 'refused', why: text }, false);
  }

  private awaitQuotes(): void {
    const { noQuoteMs = NO_QUOTE_MS } = this.options;
    const quietMs = this.timers.monotonicMs() - this.lastQuoteMs;
    if (quietMs >= noQuoteMs) return this.lose(`no quote for ${noQuoteMs / 1000} s`, false);
    this.cancelWait?.();
    this.cancelWait = this.timers.after(noQuoteMs - quietMs, () => this.awaitQuotes());
  }

  private lose(why: string, violation: boolean): void {
    this.end({ phase: 'lost', why }, violation);
  }

  /** The service answers, and not with what was asked for: told of once, and tried again until it does. */
  private setAside(why: string, penalty: boolean): void {
    const phase = this.isTold ? 'refused' : 'disabled';
    this.isTold = true;
    this.end({ phase, why }, penalty);
  }

  private end({ phase, why }: { readonly phase: 'lost' | 'refused' | 'disabled'; readonly why: string }, penalty: boolean): void {
    if (!this.connection.end(penalty)) return;
    this.stage = 'off';
    this.cancelWait?.();
    this.options.change({ phase, lane: this.options.lane, epoch: this.epoch, why });
  }

  private tell(phase: 'opening' | 'acked'): void {
    this.options.change({ phase, lane: this.options.lane, epoch: this.epoch });
  }
}
