import { messageOf as textOf } from '#domain/errors.ts';
import { backOffMs } from '#domain/retry.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import { type Channel, isUrgent } from './alert.ts';
import { messageOf, type QueuedAlert } from './message.ts';

/** How many alerts may wait for a channel. */
export const MAX_WAITING = 100;
/** How long one delivery may take, in milliseconds. */
const SEND_MS = 10_000;
const MINUTE_MS = 60_000;

interface ChannelLineOptions {
  readonly channel: Channel;
  readonly label: string;
  /** Messages in any minute; what is more waits, and goes as one digest. */
  readonly perMinute: number;
  readonly timers: Timers;
  /** Told when deliveries begin to fail, with why, and when they work again. */
  readonly onTrouble: (channel: string, why: string | null) => void;
}

/**
 * The queue before one channel. One message is on its way at a time; what arrives meanwhile, or beyond the limit, goes
 * together as a digest. A delivery that fails is tried again, ever later, up to once a minute. The queue holds 100 alerts:
 * beyond that the oldest one that is not urgent is lost, and the next digest says how many were.
 */
export class ChannelLine {
  private readonly options: ChannelLineOptions;
  private waiting: QueuedAlert[] = [];
  private dropped = 0;
  private failures = 0;
  /** When what failed is tried again, whatever comes meanwhile. */
  private retryAtMs = 0;
  private sending = false;
  private closing = false;
  private readonly sentAt: number[] = [];
  private cancelWake: Cancel = () => {};
  private onIdle: () => void = () => {};

  constructor(options: ChannelLineOptions) {
    this.options = options;
  }

  add(waiting: QueuedAlert): void {
    this.waiting.push(waiting);
    this.bound();
    this.pump();
  }

  /** Delivers what waits at once, limit or not, for up to `withinMs`; what fails then is lost. */
  async close(withinMs: number): Promise<void> {
    const { channel, timers } = this.options;
    this.closing = true;
    await new Promise<void>((resolve) => {
      const stopWaiting = timers.after(withinMs, resolve);
      this.onIdle = () => {
        stopWaiting();
        resolve();
      };
      this.pump();
    });
    this.cancelWake();
    this.waiting = [];
    await channel.close();
  }

  private pump(): void {
    if (this.sending) return;
    if (this.waiting.length === 0) return this.onIdle();
    this.cancelWake();
    const { timers } = this.options;
    const waitMs = this.failures > 0 ? this.retryAtMs - timers.monotonicMs() : this.heldMs();
    if (waitMs > 0 && !this.closing) {
      this.cancelWake = timers.after(waitMs, () => void this.send());
      return;
    }
    void this.send();
  }

  /** How long the limit holds back what waits. */
  private heldMs(): number {
    const { perMinute, timers } = this.options;
    const now = timers.monotonicMs();
    while (this.sentAt[0] !== undefined && this.sentAt[0] <= now - MINUTE_MS) this.sentAt.shift();
    const presses = this.waiting.some(({ alert }) => isUrgent(alert) && !alert.over);
    const [oldest] = this.sentAt;
    return presses || this.sentAt.length < perMinute || oldest === undefined ? 0 : oldest + MINUTE_MS - now;
  }

  /** Never rejects: a failure is told, and what was to go waits again. */
  private async send(): Promise<void> {
    const { channel, label, timers, onTrouble } = this.options;
    const batch = this.waiting;
    const lost = this.dropped;
    this.waiting = [];
    this.dropped = 0;
    this.sending = true;
    const limit = new AbortController();
    const stopLimit = timers.after(SEND_MS, () => limit.abort(new Error(`nothing within ${SEND_MS} ms`)));
    try {
      this.sentAt.push(timers.monotonicMs());
      await channel.send(messageOf(label, batch, lost), limit.signal);
      if (this.failures > 0) onTrouble(channel.name, null);
      this.failures = 0;
    } catch (error) {
      this.retryAtMs = timers.monotonicMs() + backOffMs('alert', this.failures);
      this.failures += 1;
      this.waiting = [...batch, ...this.waiting];
      this.dropped += lost;
      this.bound();
      if (this.failures === 1) onTrouble(channel.name, textOf(error));
    } finally {
      stopLimit();
      this.sending = false;
    }
    if (this.closing && this.failures > 0) return this.onIdle();
    this.pump();
  }

  private bound(): void {
    while (this.waiting.length > MAX_WAITING) {
      const index = this.waiting.findIndex(({ alert }) => !isUrgent(alert));
      this.waiting.splice(Math.max(0, index), 1);
      this.dropped += 1;
    }
  }
}
