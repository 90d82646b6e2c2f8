import type { Recipient } from '#adapters/webhooks/notification-body.ts';
import type { ErrorCode } from '#domain/errors.ts';
import type { Notified } from '#domain/notification.ts';

/** What the thread of webhooks is started with. Secrets as they were given, the newest first. */
export interface WebhooksThreadData {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly windowMs: number;
  readonly secrets: readonly string[];
  readonly recipient: Recipient;
  readonly journalPath: string;
}

/** From the thread: where it listens or why not, once; then notifications to keep, and how many requests it turned away and why. */
export type FromWebhooks =
  | { readonly kind: 'listening'; readonly url: string }
  | { readonly kind: 'failed'; readonly code: ErrorCode | null; readonly message: string }
  | { readonly kind: 'batch'; readonly batch: readonly Notified[] }
  | { readonly kind: 'refused'; readonly counts: Readonly<Record<string, number>> };

/** To the thread: the service's time less this machine's, whether the last batch is written, and the end. */
export type ToWebhooks =
  | { readonly kind: 'offset'; readonly ms: number }
  | { readonly kind: 'settled'; readonly written: boolean }
  | { readonly kind: 'close' };
