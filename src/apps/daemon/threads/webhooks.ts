import { Worker } from 'node:worker_threads';
import { threadEnvironment } from '#adapters/time/thread-environment.ts';
import type { Settings } from '#config/settings.ts';
import { KairosError } from '#domain/errors.ts';
import type { InboxEvent } from '#domain/event.ts';
import type { Notified } from '#domain/notification.ts';
import type { Notice } from '#ports/notice.ts';
import type { ServiceClock } from '#ports/service-clock.ts';
import type { Timers } from '#ports/timers.ts';
import type { FromWebhooks, ToWebhooks, WebhooksThreadData } from './webhooks-messages.ts';

export interface WebhooksOptions {
  readonly settings: Settings;
  readonly timers: Timers;
  readonly serviceClock: ServiceClock;
  readonly post: (event: InboxEvent) => void;
  /**
   * Handles all that was posted and hands it to the operating system (`Journal.write`); false where the journal could not. The
   * thread syncs the file before it answers, so that this one, and orders with it, need not wait for the disk.
   */
  readonly settle: () => boolean;
  /** Whether the engine takes events. */
  readonly isRunning: () => boolean;
  readonly notice: Notice;
}

/** The receiver of webhooks at work. */
export interface Webhooks {
  readonly url: string;
  /** Ends the listener and its thread. Idempotent. */
  close(): Promise<void>;
}

/** How long the listener may take to close by itself before its thread is cut. */
const CLOSE_MS = 2_000;
/** How often the thread hears of the service's time. */
const OFFSET_EVERY_MS = 5_000;

/**
 * Opens the receiver of webhooks in a thread of its own; null where `webhooks.enabled` is false. The thread gets no
 * environment; one that dies by an error of its own throws that error here, uncaught. Throws PORT_IN_USE.
 */
export async function openWebhooks(options: WebhooksOptions): Promise<Webhooks | null> {
  const data = threadData(options.settings);
  if (!data) return null;
  const worker = new Worker(new URL('./webhooks-thread-entry.ts', import.meta.url), {
    workerData: data,
    execArgv: [],
    env: threadEnvironment(),
    name: 'webhooks',
  });
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const url = await listening(worker, exited);
  const { timers, serviceClock, notice } = options;
  const say = (message: ToWebhooks): void => worker.postMessage(message);
  const tellOffset = (): void => say({ kind: 'offset', ms: (serviceClock.now()?.ms ?? timers.wallMs()) - timers.wallMs() });
  const intake = new Intake(options);
  worker.on('message', (message: FromWebhooks) => {
    // After the network has been read: quotes that came in this turn of the loop go first.
    if (message.kind === 'batch') setImmediate(() => say({ kind: 'settled', written: intake.take(message.batch) }));
    else if (message.kind === 'refused') notice('warn', `webhooks: turned away ${countsText(message.counts)}`);
  });
  tellOffset();
  const stopTelling = timers.every(OFFSET_EVERY_MS, tellOffset);
  let closing: Promise<void> | undefined;
  return {
    url,
    close() {
      stopTelling();
      closing ??= end();
      return closing;
    },
  };

  async function end(): Promise<void> {
    say({ kind: 'close' });
    const cut = timers.after(CLOSE_MS, () => void worker.terminate());
    await exited;
    cut();
  }
}

/** Takes batches into the inbox. */
class Intake {
  private readonly options: WebhooksOptions;
  /** Handled, and not known to be in the journal: the same again is not handled again. */
  private readonly unsure = new Set<string>();

  constructor(options: WebhooksOptions) {
    this.options = options;
  }

  /** True once all of the batch is in the journal's file, if not yet on the disk. */
  take(batch: readonly Notified[]): boolean {
    const { post, settle, isRunning } = this.options;
    // While the journal is held by another program nothing more is taken on.
    if (!isRunning() || (this.unsure.size > 0 && !settle())) return false;
    for (const notified of batch) {
      const key = `${notified.transferId} ${notified.body}`;
      if (this.unsure.has(key)) continue;
      this.unsure.add(key);
      post({ kind: 'notification', notified });
    }
    if (!settle()) return false;
    this.unsure.clear();
    return true;
  }
}

function threadData({ webhooks, service, journal }: Settings): WebhooksThreadData | undefined {
  const { enabled, host, port, path, windowMs, secret, secretPrevious } = webhooks;
  const present = secret ?? service.apiSecret;
  if (!enabled || present === null || service.userId === null) return undefined;
  const secrets = secretPrevious === null ? [present] : [present, secretPrevious];
  return { host, port, path, windowMs, secrets, recipient: { brand: service.brand, userId: service.userId }, journalPath: journal.path };
}

async function listening(worker: Worker, exited: Promise<void>): Promise<string> {
  const message = await new Promise<FromWebhooks>((resolve, reject) => {
    const ended = (code: number) => reject(new Error(`the thread of webhooks ended with ${code} before it listened`));
    worker.once('exit', ended);
    worker.once('error', reject);
    worker.once('message', (first: FromWebhooks) => {
      worker.off('exit', ended);
      worker.off('error', reject);
      resolve(first);
    });
  });
  if (message.kind === 'listening') return message.url;
  await exited;
  const { code, message: text } = message.kind === 'failed' ? message : { code: null, message: message.kind };
  throw code ? new KairosError(code, text) : new Error(text);
}

const countsText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([error, count]) => `${count} (${error})`)
    .join(', ');
