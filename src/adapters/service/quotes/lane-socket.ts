import { Backoff } from '#adapters/service/rest/backoff.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import { decodeFrame, type Frame } from './decode-frame.ts';
import { LANE_LIMITS, type LaneSocketOptions, NO_QUOTE_MS } from './lane-socket-options.ts';
import type { QuoteSocket } from './quote-socket.ts';
import { echoText } from './subscription.ts';

type Stage = 'idle' | 'waiting' | 'connecting' | 'subscribing' | 'live' | 'over';

/**
 * Keeps one connection with one subscription open (spec 3, 4.5): connects, subscribes, checks the echo, watches for
 * silence, and begins again with back-off. Each subscription is an epoch; a quote counts only after the ACK of its own.
 */
export class LaneSocket {
  private readonly options: LaneSocketOptions;
  private readonly timers: Timers;
  private readonly backoff: Backoff;
  private stage: Stage = 'idle';
  private epoch = 0;
  private refusals = 0;
  /** Subscriptions in a row that were not acknowledged in time. */
  private unacknowledged = 0;
  /** What the service acknowledged instead of what was asked; empty for nothing. */
  private otherEcho = '';
  private isTold = false;
  private socket: QuoteSocket | null = null;
  private cancelTimer: Cancel | null = null;
  private cancelTurn: Cancel | null = null;
  private lastFrameMs = 0;
  private lastQuoteMs = 0;
  private firstQuoteMs: number | null = null;
  private pinged = false;

  constructor(options: LaneSocketOptions) {
    this.options = options;
    this.timers = options.timers;
    this.backoff = new Backoff({ timers: options.timers, leastMs: 250, mostMs: 30_000, mostPerMinute: 20 });
  }

  start(): void {
    if (this.stage === 'idle') this.queueUp();
  }

  /** Closes the lane for good; no event follows. Idempotent. */
  close(): void {
    this.stage = 'over';
    this.clear();
    this.options.queue.gaveUp(this);
  }

  /** Drops a connection that may be dead and opens another. One that is only being opened, or waited for, stays. */
  replace(why: string): void {
    if (this.stage === 'subscribing' || this.stage === 'live') this.lose(why, false);
  }

  private queueUp(): void {
    this.stage = 'waiting';
    this.cancelTurn = this.options.queue.ask(() => this.connect(), this.options.isUrgent);
  }

  private connect(): void {
    this.cancelTurn = null;
    this.stage = 'connecting';
    if (this.epoch > 0) this.options.counts.reconnects += 1;
    this.epoch += 1;
    this.firstQuoteMs = null;
    this.backoff.attempt();
    this.options.queue.began(this);
    this.tell('opening');
    if (this.stage !== 'connecting') return;
    const epoch = this.epoch;
    const current = (): boolean => this.epoch === epoch && this.socket !== null;
    this.cancelTimer = this.timers.after(LANE_LIMITS.connectMs, () =>
      this.lose(`no connection within ${LANE_LIMITS.connectMs / 1000} s`, false),
    );
    this.socket = this.options.open(this.options.url, {
      opened: () => current() && this.subscribe(),
      text: (frame) => current() && this.receive(frame),
      alive: () => current() && this.heard(),
      ended: (why, violation) => current() && this.lose(why, violation),
    });
  }

  private subscribe(): void {
    this.stage = 'subscribing';
    this.options.queue.succeeded(this);
    this.heard();
    this.cancelTimer?.();
    this.otherEcho = '';
    const ackMs = Math.min(LANE_LIMITS.ackMs * 2 ** Math.min(this.unacknowledged, 10), LANE_LIMITS.maxAckMs);
    this.cancelTimer = this.timers.after(ackMs, () => this.notAcknowledged(ackMs));
    this.socket?.send(this.options.subscription.text);
  }

  private heard(): number {
    this.lastFrameMs = this.timers.monotonicMs();
    this.pinged = false;
    return this.lastFrameMs;
  }

  private receive(text: string): void {
    const { counts } = this.options;
    const now = this.heard();
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
    if (now - this.firstQuoteMs >= LANE_LIMITS.settledMs) this.backoff.reset();
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
      this.lastQuoteMs = this.lastFrameMs;
      this.watchSilence();
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

  private watchSilence(): void {
    const now = this.timers.monotonicMs();
    const silentMs = now - this.lastFrameMs;
    const quietMs = now - this.lastQuoteMs;
    const { noQuoteMs = NO_QUOTE_MS } = this.options;
    if (silentMs >= LANE_LIMITS.terminateAfterMs || quietMs >= noQuoteMs) {
      const silent = silentMs >= LANE_LIMITS.terminateAfterMs;
      this.lose(silent ? `silent for ${LANE_LIMITS.terminateAfterMs / 1000} s` : `no quote for ${noQuoteMs / 1000} s`, false);
      return;
    }
    if (silentMs >= LANE_LIMITS.pingAfterMs && !this.pinged) {
      this.pinged = true;
      this.socket?.ping();
    }
    const nextMs = (this.pinged ? LANE_LIMITS.terminateAfterMs : LANE_LIMITS.pingAfterMs) - silentMs;
    this.cancelTimer?.();
    this.cancelTimer = this.timers.after(Math.min(nextMs, noQuoteMs - quietMs), () => this.watchSilence());
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
    if (this.stage === 'over') return;
    if (this.stage === 'connecting') this.options.queue.failed(this);
    this.clear();
    this.stage = 'waiting';
    this.retryLater(penalty);
    this.options.change({ phase, lane: this.options.lane, epoch: this.epoch, why });
  }

  private retryLater(penalty: boolean): void {
    const hasty = !penalty && this.options.isUrgent();
    const delayMs = hasty ? this.backoff.afterFailureInHaste() : this.backoff.afterFailure(penalty);
    this.cancelTimer = this.timers.after(delayMs, () => this.queueUp());
  }

  private clear(): void {
    this.cancelTimer?.();
    this.cancelTimer = null;
    this.cancelTurn?.();
    this.cancelTurn = null;
    this.socket?.destroy();
    this.socket = null;
  }

  private tell(phase: 'opening' | 'acked'): void {
    this.options.change({ phase, lane: this.options.lane, epoch: this.epoch });
  }
}
