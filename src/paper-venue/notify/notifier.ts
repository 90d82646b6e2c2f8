import { createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { messageOf } from '#domain/errors.ts';
import { isoTime } from '#domain/names.ts';
import type { WebhookSettings } from '#paper-venue/settings.ts';
import type { NotificationStore } from '#paper-venue/store/notification-store.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import { afterFailure, type Notification } from './notification.ts';
import type { RecipientOf, WebhookTarget } from './recipients.ts';

/** Maximum number of concurrent attempts; others wait in the queue. */
const MAX_AT_ONCE = 32;
/** Longest sleep of the queue, in milliseconds: a clock that was set must not block it. */
const MAX_SLEEP_MS = 600_000;
/** Rest of the queue after a failure of the database, in milliseconds: what was sent and not recorded is sent again. */
const REST_MS = 10_000;
/** The result for a partner that no longer has a URL; retried like any other. */
const NO_URL: PostResult = { error: 'the partner has not set a URL' };

interface NotifierParts {
  readonly store: NotificationStore;
  readonly timers: Timers;
  readonly recipientOf: RecipientOf;
  readonly settings: WebhookSettings;
  /** Number of repeats of a sent notification. */
  readonly repeats: () => number;
  readonly log: (line: string) => void;
}

/**
 * Sends queued notifications to the URL of the user's partner (spec 4.6, 5.4, 6.1): signed over timestamp and body,
 * retried after 1, 2, 3 .. 99 minutes, given up after attempt 100. The queue is in the venue's database and survives
 * restarts; an interrupted attempt is repeated.
 */
export class Notifier {
  private readonly parts: NotifierParts;
  private readonly underWay = new Map<number, Promise<void>>();
  private readonly stopping = new AbortController();
  private cancel: Cancel = () => {};
  private isResting = false;

  constructor(parts: NotifierParts) {
    this.parts = parts;
  }

  /** True if the partner of this user has a URL. */
  hasRecipient(userId: string): boolean {
    return this.parts.recipientOf(userId) !== undefined;
  }

  /** Starts due attempts within the limit and sleeps until the next is due. Called at the start and after each addition. */
  pump(): void {
    if (this.stopping.signal.aborted || this.isResting) return;
    this.orRest(() => this.startDue());
  }

  private startDue(): void {
    const { store, timers } = this.parts;
    this.cancel();
    const nowMs = timers.wallMs();
    const due = store.due(nowMs, MAX_AT_ONCE + this.underWay.size).filter(({ id }) => !this.underWay.has(id));
    for (const notification of due.slice(0, MAX_AT_ONCE - this.underWay.size)) this.start(notification);
    // At the limit, the end of an attempt wakes the queue.
    if (this.underWay.size >= MAX_AT_ONCE) return;
    const nextMs = store.nextDueMs();
    if (nextMs === null || nextMs <= nowMs) return;
    this.cancel = timers.after(Math.min(nextMs - nowMs, MAX_SLEEP_MS), () => this.pump());
  }

  /** Uses the database. If that fails, nothing is sent for `REST_MS`. */
  private orRest(use: () => void): void {
    try {
      use();
    } catch (error) {
      const { timers, log } = this.parts;
      log(`notifications rest for ${REST_MS} ms: ${messageOf(error)}`);
      this.isResting = true;
      this.cancel();
      this.cancel = timers.after(REST_MS, () => {
        this.isResting = false;
        this.pump();
      });
    }
  }

  /** Cuts running attempts, which stay queued. Idempotent. */
  async close(): Promise<void> {
    this.cancel();
    this.stopping.abort();
    await Promise.all(this.underWay.values());
  }

  private start(notification: Notification): void {
    this.underWay.set(notification.id, this.attempt(notification));
  }

  private async attempt(notification: Notification): Promise<void> {
    const { timers, settings, recipientOf } = this.parts;
    const { userId, body, firstTimestamp } = notification;
    const timestamp = settings.freshTimestamp ? String(timers.wallMs()) : (firstTimestamp ?? String(timers.wallMs()));
    const recipient = recipientOf(userId);
    const result = await (recipient ? this.send(recipient, timestamp, body) : NO_URL);
    this.underWay.delete(notification.id);
    if (this.stopping.signal.aborted) return;
    this.orRest(() => this.settle({ ...notification, firstTimestamp: firstTimestamp ?? timestamp }, result));
    this.pump();
  }

  private async send({ url, key }: WebhookTarget, timestamp: string, body: string): Promise<PostResult> {
    const { timers, settings, repeats } = this.parts;
    const headers = {
      'Content-Type': 'application/json',
      'X-Webhook-Timestamp': timestamp,
      'X-Webhook-Signature': createHmac('sha256', key).update(`${timestamp}${body}`).digest('base64'),
    };
    const post = () => postWebhook({ url, headers, body, timeoutMs: settings.timeoutMs }, timers, this.stopping.signal);
    const result = await post();
    for (let left = repeats(); left > 0; left -= 1) await post();
    return result;
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

interface WebhookPost {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
}

/** The partner's answer, or why there was none. */
type PostResult = { readonly status: number } | { readonly error: string };

/**
 * Sends one POST on its own connection and returns the status of the answer without reading its body. Does not follow
 * redirects. Never rejects; `signal` aborts it.
 */
function postWebhook({ url, headers, body, timeoutMs }: WebhookPost, timers: Timers, signal: AbortSignal): Promise<PostResult> {
  return new Promise((resolve) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const length = String(Buffer.byteLength(body));
    const request = send(url, { method: 'POST', headers: { ...headers, 'content-length': length }, agent: false, signal });
    const cut = timers.after(timeoutMs, () => request.destroy(new Error(`no answer within ${timeoutMs} ms`)));
    const settle = (result: PostResult) => {
      cut();
      resolve(result);
    };
    request.on('response', (response) => {
      settle({ status: response.statusCode ?? 0 });
      response.on('error', () => {
        // Only the status counts.
      });
      response.destroy();
    });
    request.on('error', (error) => settle({ error: error.message }));
    // Such as after 101, which is no answer.
    request.on('close', () => settle({ error: 'the connection closed without an answer' }));
    request.end(body);
  });
}
