import { Worker } from 'node:worker_threads';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { threadEnvironment } from '#adapters/time/thread-environment.ts';
import { type ErrorCode, KairosError } from '#domain/errors.ts';
import type { VenueSettings } from '#venue/settings.ts';

/** The one message of the venue's thread: where it listens, or why it could not start. */
export type VenueThreadMessage =
  | { readonly url: string; readonly port: number }
  | { readonly code: ErrorCode | null; readonly message: string };

export interface VenueThread {
  readonly url: string;
  readonly port: number;
  /** Ends the venue and its thread. Idempotent. */
  close(): Promise<void>;
}

/** How long a venue may take to close by itself before its thread is cut. */
const CLOSE_MS = 2000;

/**
 * Starts the embedded paper venue in a worker thread with its own loop; nothing is shared with it but sockets. The
 * thread gets none of the process's environment, so that no secret can reach it. A thread that dies later by an error of
 * its own throws that error here, uncaught. Throws a KairosError where the venue cannot start.
 */
export async function startVenueThread(settings: VenueSettings): Promise<VenueThread> {
  const worker = new Worker(new URL('./venue-thread-entry.ts', import.meta.url), {
    workerData: settings,
    execArgv: [],
    env: threadEnvironment(),
    name: 'venue',
  });
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const message = await firstMessage(worker);
  if ('message' in message) {
    await exited;
    throw message.code ? new KairosError(message.code, message.message) : new Error(message.message);
  }
  let closing: Promise<void> | undefined;
  return {
    ...message,
    close() {
      closing ??= end(worker, exited);
      return closing;
    },
  };
}

function firstMessage(worker: Worker): Promise<VenueThreadMessage> {
  return new Promise((resolve, reject) => {
    const ended = (code: number) => reject(new Error(`the paper venue's thread ended with ${code} before it listened`));
    worker.once('exit', ended);
    worker.once('error', reject);
    worker.once('message', (message: VenueThreadMessage) => {
      worker.off('exit', ended);
      worker.off('error', reject);
      resolve(message);
    });
  });
}

async function end(worker: Worker, exited: Promise<void>): Promise<void> {
  worker.postMessage('close');
  const cut = systemTimers.after(CLOSE_MS, () => void worker.terminate());
  await exited;
  cut();
}
