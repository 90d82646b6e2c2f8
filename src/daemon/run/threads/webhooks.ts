import { Thread } from '#adapters/threads/thread.ts';
import type { Recipient } from '#adapters/webhook-receiver/notification-body.ts';
import type { Settings } from '#config/settings.ts';
import { invariant } from '#domain/errors.ts';
import type { InboxEvent } from '#domain/event.ts';
import type { InboxNotification } from '#domain/notification.ts';
import type { Notice } from '#ports/notice.ts';
import type { ServiceClock } from '#ports/service-clock.ts';
import type { Timers } from '#ports/timers.ts';
import { Intake } from './intake.ts';
import { type CauseCounts, countsText } from './refusals.ts';

interface WebhooksOptions {
  readonly settings: Settings;
  readonly timers: Timers;
  readonly serviceClock: ServiceClock;
  readonly post: (event: InboxEvent) => void;
  /**
   * Handles everything that waits and hands it to the operating system (`Journal.write`); false if the journal could
   * not. The webhooks' thread syncs the file before it answers, so this one need not wait for the disk.
   */
  readonly settle: () => boolean;
  /** True while the engine takes events. */
  readonly isRunning: () => boolean;
  readonly notice: Notice;
}

/** The running receiver of webhooks. */
interface Webhooks {
  readonly url: string;
  /** Ends the server and its thread. Idempotent. */
  close(): Promise<void>;
}

/** Input and messages of the webhooks' thread. Secrets are as configured, the newest first. */
export interface WebhooksThread {
  readonly data: {
    readonly host: string;
    readonly port: number;
    readonly path: string;
    readonly windowMs: number;
    readonly secrets: readonly string[];
    readonly recipient: Recipient;
    readonly journalPath: string;
  };
  /** The clock offset, the result of the last batch, and the end. */
  readonly toThread:
    | { readonly kind: 'offset'; readonly ms: number }
    | { readonly kind: 'settled'; readonly written: boolean }
    | { readonly kind: 'close' };
  /** Its address, once; then notifications to keep, and the number and causes of refused requests. */
  readonly fromThread:
    | { readonly kind: 'listening'; readonly url: string }
    | { readonly kind: 'batch'; readonly batch: readonly InboxNotification[] }
    | { readonly kind: 'refused'; readonly counts: CauseCounts };
}

/** Time for the server to close before its thread is ended, in milliseconds. */
const CLOSE_MS = 2_000;
/** How often the clock offset is sent to the thread, in milliseconds. */
const OFFSET_EVERY_MS = 5_000;

/**
 * Opens the receiver of webhooks in a thread of its own; null if `webhooks.enabled` is false. The thread gets no
 * environment variables. A later error of the thread is thrown here, uncaught. Throws PORT_IN_USE.
 */
export async function openWebhooks(options: WebhooksOptions): Promise<Webhooks | null> {
  const data = threadData(options.settings);
  if (!data) return null;
  const thread = new Thread<WebhooksThread>({ entry: new URL('./webhooks-thread-entry.ts', import.meta.url), name: 'webhooks', data });
  const first = await thread.next();
  invariant(first.kind === 'listening', 'the thread of webhooks first says where it listens');
  const { timers, serviceClock, notice } = options;
  const tellOffset = (): void => thread.post({ kind: 'offset', ms: (serviceClock.now()?.ms ?? timers.wallMs()) - timers.wallMs() });
  const intake = webhookIntake(options);
  let isSecretSettled = false;
  thread.onMessage((message) => {
    // After this turn's network input: quotes go first.
    if (message.kind === 'batch') {
      isSecretSettled = true;
      setImmediate(() => thread.post({ kind: 'settled', written: intake.accept(message.batch) }));
    } else if (message.kind === 'refused') {
      const { level, text } = refusedText(message.counts, isSecretSettled);
      isSecretSettled ||= level === 'error';
      notice(level, text);
    }
  });
  tellOffset();
  const stopTelling = timers.every(OFFSET_EVERY_MS, tellOffset);
  let closing: Promise<void> | undefined;
  return {
    url: first.url,
    close() {
      stopTelling();
      closing ??= thread.close({ kind: 'close' }, { withinMs: CLOSE_MS, timers });
      return closing;
    },
  };
}

/** What is said of refused deliveries. `isSecretSettled`: one has shown that the secret is right, or it was told that it may not be. */
export function refusedText(counts: CauseCounts, isSecretSettled: boolean): { readonly level: 'warn' | 'error'; readonly text: string } {
  const text = `webhooks: refused ${countsText(counts)}`;
  if (isSecretSettled || counts.SIGNATURE === undefined) return { level: 'warn', text };
  const mend = 'no signature was right since the start: is webhooks.secret (KAIROS_WEBHOOKS_SECRET) the one that the service signs with?';
  return { level: 'error', text: `${text}; ${mend}` };
}

/** The inbox's side of the receiver. */
export const webhookIntake = (options: Pick<WebhooksOptions, 'post' | 'settle' | 'isRunning'>): Intake<InboxNotification> =>
  new Intake({
    ...options,
    keyOf: ({ transferId, body }) => `${transferId} ${body}`,
    eventOf: (notified) => ({ kind: 'notification', notified }),
  });

/** The input of a run's receiver; undefined if it has none. */
export function threadData({ webhooks, service, journal }: Settings): WebhooksThread['data'] | undefined {
  const { enabled, host, port, path, windowMs, secret, secretPrevious } = webhooks;
  const present = secret ?? service.apiSecret;
  if (!enabled || present === null || service.userId === null) return undefined;
  const secrets = secretPrevious === null ? [present] : [present, secretPrevious];
  return { host, port, path, windowMs, secrets, recipient: { brand: service.brand, userId: service.userId }, journalPath: journal.path };
}
