import { createHmac } from 'node:crypto';
import { KairosError } from '../../domain/errors.ts';
import { isoTime } from '../../domain/names.ts';
import type { Cancel, Timers } from '../../ports/timers.ts';
import { BROKER_SECRET } from '../defaults.ts';
import type { WebhookSettings } from '../settings.ts';
import type { NotificationStore } from '../store/notification-store.ts';
import { afterFailure, type Notification } from './notification.ts';
import { type PostResult, postWebhook } from './webhook-post.ts';

const KEY = Buffer.from(BROKER_SECRET, 'base64');
/** Attempts that run at the same time. What is due beyond that waits in the queue. */
const MOST_AT_ONCE = 32;
/** The queue is looked at no later than this, so that a wall clock that was set cannot hold it up. */
const LONGEST_SLEEP_MS = 600_000;

export interface NotifierParts {
  readonly store: NotificationStore;
  readonly timers: Timers;
  /** What the partner gave; undefined: nobody is told. */
  readonly url: URL | undefined;
  readonly settings: WebhookSettings;
  readonly log: (line: string) => void;
}

/**
 * Sends queued notifications to the partner's URL (spec 4.6, 5.4, 6.1): signed over timestamp and body, tried again after 1,
 * 2, 3 .. 99 minutes, given up after attempt 100. The queue and its times are in the venue's database, so that a restart
 * goes on where it was; an attempt that a stop cut short is made again.
 */
export class Notifier {
  private readonly parts: NotifierParts;
  private readonly underWay = new Map<number, Promise<void>>();
  private readonly stopping = new AbortController();
  private cancel: Cancel = () => {};

  constructor(parts: NotifierParts) {
    this.parts = parts;
  }

  /** Whether the partner of these users has given a URL. */
  get hasRecipient(): boolean {
    return this.parts.url !== undefined;
  }

  /** Called at the start and when something was queued: starts what is due, as far as there is room, and sleeps until more is. */
  pump(): void {
    const { store, timers, url } = this.parts;
    if (!url || this.stopping.signal.aborted) return;
    this.cancel();
    const nowMs = timers.wallMs();
    const due = store.due(nowMs, MOST_AT_ONCE + this.underWay.size).filter(({ id }) => !this.underWay.has(id));
    for (const notification of due.slice(0, MOST_AT_ONCE - this.underWay.size)) this.start(notification, url);
    // While all places are taken the end of an attempt wakes the queue.
    if (this.underWay.size >= MOST_AT_ONCE) return;
    const nextMs = store.nextDueMs();
    if (nextMs === null || nextMs <= nowMs) return;
    this.cancel = timers.after(Math.min(nextMs - nowMs, LONGEST_SLEEP_MS), () => this.pump());
  }

  /** Cuts what is under way; it stays queued. Idempotent. */
  async close(): Promise<void> {
    this.cancel();
    this.stopping.abort();
    await Promise.all(this.underWay.values());
  }

  private start(notification: Notification, url: URL): void {
    this.underWay.set(notification.id, this.attempt(notification, url));
  }

  private async attempt(notification: Notification, url: URL): Promise<void> {
    const { timers, settings } = this.parts;
    const { body, firstTimestamp } = notification;
    const timestamp = settings.freshTimestamp ? String(timers.wallMs()) : (firstTimestamp ?? String(timers.wallMs()));
    const headers = {
      'Content-Type': 'application/json',
      'X-Webhook-Timestamp': timestamp,
      'X-Webhook-Signature': createHmac('sha256', KEY).update(`${timestamp}${body}`).digest('base64'),
    };
    const result = await postWebhook({ url, headers, body, timeoutMs: settings.timeoutMs }, timers, this.stopping.signal);
    this.underWay.delete(notification.id);
    if (this.stopping.signal.aborted) return;
    this.settle({ ...notification, firstTimestamp: firstTimestamp ?? timestamp }, result);
    this.pump();
  }

  private settle(notification: Notification, result: PostResult): void {
    const { store, timers, log } = this.parts;
    const nowMs = timers.wallMs();
    const attempts = notification.attempts + 1;
    const isDelivered = 'status' in result && result.status >= 200 && result.status <= 299;
    const after = isDelivered ? ({ state: 'delivered', nextAtMs: null } as const) : afterFailure(attempts, nowMs);
    const lastResult = 'status' in result ? String(result.status) : result.error;
    const { id, firstTimestamp } = notification;
    store.attempted({ id, attempts, firstTimestamp, lastAt: isoTime(nowMs), lastResult, ...after });
    log(`notification ${id}: attempt ${attempts} ${after.state} (${lastResult})`);
  }
}

/** The URL to send to, if any. Throws CONFIG_INVALID for one that is none. */
export function webhookUrlOf({ url: text }: WebhookSettings): URL | undefined {
  if (text === null) return undefined;
  if (URL.canParse(text)) return new URL(text);
  throw new KairosError('CONFIG_INVALID', 'venue.webhooks.url: is no address; write one such as http://127.0.0.1:8081/webhooks');
}
