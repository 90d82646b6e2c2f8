import module from 'node:module';
import path from 'node:path';
import { parentPort, type ResourceLimits, type Transferable, Worker, workerData } from 'node:worker_threads';
import { invariant, isErrorCode, KairosError } from '#domain/errors.ts';
import type { Timers } from '#ports/timers.ts';

/** The messages between a thread and its owner, as plain data. `never` for a direction without messages. */
interface ThreadTypes {
  /** Its start data. */
  readonly data: unknown;
  readonly toThread: unknown;
  readonly fromThread: unknown;
}

interface ThreadOptions<Types extends ThreadTypes> {
  /** The file that calls `runThread` with the same types. */
  readonly entry: URL;
  /** Shown by debuggers and in errors. */
  readonly name: string;
  readonly data: Types['data'];
  readonly limits?: ResourceLimits;
  /** Ends the thread at once. */
  readonly signal?: AbortSignal;
}

/** Finds modules of Kairos quickly, in each thread anew. */
const OWN_MODULES = new URL('../../../scripts/own-modules.mjs', import.meta.url).href;

/**
 * A worker thread with an event loop of its own. It gets no environment of the process, so that no secret reaches it. An error
 * that the thread does not handle ends it and goes to `onError`; without that it is thrown here, uncaught.
 */
export class Thread<Types extends ThreadTypes> {
  /** Resolves with its exit code once the thread is gone. */
  readonly ended: Promise<number>;
  private readonly name: string;
  private readonly worker: Worker;

  constructor({ entry, name, data, limits, signal }: ThreadOptions<Types>) {
    this.name = name;
    const env = threadEnvironment();
    this.worker = new Worker(entry, {
      workerData: data,
      execArgv: ['--import', OWN_MODULES],
      env,
      name,
      ...(limits && { resourceLimits: limits }),
    });
    const abort = (): void => void this.stop();
    signal?.addEventListener('abort', abort, { once: true });
    this.ended = new Promise((resolve) =>
      this.worker.once('exit', (code) => {
        signal?.removeEventListener('abort', abort);
        resolve(code);
      }),
    );
  }

  /** `memory` is moved to the thread instead of copied. */
  post(message: Types['toThread'], memory: readonly Transferable[] = []): void {
    this.worker.postMessage(message, memory);
  }

  onMessage(take: (message: Types['fromThread']) => void): void {
    this.worker.on('message', take);
  }

  /** A KairosError stays one. */
  onError(take: (error: unknown) => void): void {
    this.worker.on('error', (error) => take(asThrownHere(error)));
  }

  /** The next message. Throws the error that ends the thread before it. */
  next(): Promise<Types['fromThread']> {
    const { worker } = this;
    return new Promise((resolve, reject) => {
      const over = (): void => {
        worker.off('message', took);
        worker.off('error', failed);
        worker.off('exit', exited);
      };
      const took = (message: Types['fromThread']): void => {
        over();
        resolve(message);
      };
      const failed = (error: unknown): void => {
        worker.off('exit', exited);
        void this.ended.then(() => reject(asThrownHere(error)));
      };
      const exited = (code: number): void => reject(new Error(`the thread '${this.name}' ended with ${code}`));
      worker.once('message', took);
      worker.once('error', failed);
      worker.once('exit', exited);
    });
  }

  /** The process may end while the thread runs. */
  unref(): void {
    this.worker.unref();
  }

  /** Asks the thread to end by itself, and cuts it off after `withinMs`. */
  async close(message: Types['toThread'], { withinMs, timers }: { withinMs: number; timers: Pick<Timers, 'after'> }): Promise<void> {
    this.post(message);
    const cancel = timers.after(withinMs, () => void this.stop());
    await this.ended;
    cancel();
  }

  /** Ends the thread at once. Idempotent. */
  async stop(): Promise<void> {
    await this.worker.terminate();
  }
}

/** The thread as its own code sees it. */
export interface ThreadSide<Types extends ThreadTypes> {
  readonly data: Types['data'];
  post(message: Types['fromThread']): void;
  /** Keeps the thread alive until `close`. */
  onMessage(take: (message: Types['toThread']) => void): void;
  /** Takes no more messages; the thread ends when nothing else keeps it. */
  close(): void;
}

/** Runs the code of a thread, in its entry file. What it throws, or rejects with, ends the thread and is that of `Thread.onError`. */
export function runThread<Types extends ThreadTypes>(work: (side: ThreadSide<Types>) => void | Promise<void>): void {
  invariant(parentPort, 'the entry file of a thread runs in a thread');
  const port = parentPort;
  void work({
    data: workerData,
    post: (message) => port.postMessage(message),
    onMessage: (take) => void port.on('message', take),
    close: () => port.close(),
  });
}

/** An error of a thread arrives as a plain one with the fields that it had. */
function asThrownHere(error: unknown): unknown {
  if (error instanceof Error && 'code' in error && isErrorCode(error.code)) {
    return new KairosError(error.code, error.message, { cause: error });
  }
  return error;
}

/**
 * Nothing of the process's environment but two folders: of the user's state, and of compiled source that is kept between starts, where the
 * process keeps it. A thread that finds its source compiled starts in half the time.
 */
export function threadEnvironment(): NodeJS.ProcessEnv {
  const kept = module.getCompileCacheDir();
  const { HOME, XDG_STATE_HOME } = process.env;
  // Node makes one folder for each of its versions in the one that it is told.
  const compiled = kept && path.dirname(kept);
  return { ...(HOME && { HOME }), ...(XDG_STATE_HOME && { XDG_STATE_HOME }), ...(compiled && { NODE_COMPILE_CACHE: compiled }) };
}
