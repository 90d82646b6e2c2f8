import { type ChildProcess, fork } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { isErrorCode, KairosError } from '#domain/errors.ts';
import { threadEnvironment } from './thread.ts';

/** What a child process is given, and what it tells, as plain data. */
interface ChildTypes {
  readonly data: unknown;
  readonly told: unknown;
}

interface ChildOptions<Types extends ChildTypes> {
  /** The file that calls `runChild` with the same types. */
  readonly entry: URL;
  /** Named in errors. */
  readonly name: string;
  readonly data: Types['data'];
  /** What its objects may take, in megabytes; Node's own bound without it. */
  readonly memoryMb?: number;
  /** Ends it at once. */
  readonly signal?: AbortSignal;
}

/** An error on its way: structured clones of errors lose their codes. */
interface ThrownError {
  readonly code: unknown;
  readonly message: string;
  readonly stack: string | undefined;
}

type Message<Types extends ChildTypes> = { readonly told: Types['told'] } | { readonly thrown: ThrownError };

/**
 * Work of some seconds that takes much memory, in a process of its own: all of it is returned when it ends, a process that the system
 * kills for its memory is not this one, and it runs behind whatever else wants the processor. It gets no environment, so that no
 * secret reaches it. Its errors, and an end that nobody asked for, go to `onError`.
 */
export class Child<Types extends ChildTypes> {
  /** Resolves once the process is gone. */
  readonly ended: Promise<void>;
  private readonly name: string;
  private readonly process: ChildProcess;
  private readonly takers: ((told: Types['told']) => void)[] = [];
  private readonly catchers: ((error: unknown) => void)[] = [];
  private isStopped = false;
  private hasFailed = false;

  constructor({ entry, name, data, memoryMb, signal }: ChildOptions<Types>) {
    this.name = name;
    const env = threadEnvironment();
    const execArgv = memoryMb === undefined ? [] : [`--max-old-space-size=${memoryMb}`];
    this.process = fork(entry, { env, execArgv, serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const abort = (): void => void this.stop();
    signal?.addEventListener('abort', abort, { once: true });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise.finally(() => signal?.removeEventListener('abort', abort));
    this.process.on('message', (message: Message<Types>) => {
      if ('thrown' in message) this.failed(errorOf(message.thrown));
      else for (const take of this.takers) take(message.told);
    });
    this.process.on('error', (error) => {
      this.failed(error);
      if (this.process.pid === undefined) resolve();
    });
    // Not `exit`: what it told last may still be on its way then.
    this.process.on('close', (code, killedBy) => {
      const isFull = killedBy === 'SIGABRT' && memoryMb !== undefined;
      const why = isFull ? `needed more than its ${memoryMb} MB` : `ended with ${code ?? killedBy}`;
      if (code !== 0 && !this.isStopped) this.failed(new Error(`the process '${name}' ${why}`));
      resolve();
    });
    if (this.process.pid !== undefined) this.process.send({ data });
  }

  onMessage(take: (told: Types['told']) => void): void {
    this.takers.push(take);
  }

  /** The first error alone. A KairosError stays one. */
  onError(take: (error: unknown) => void): void {
    this.catchers.push(take);
  }

  /** The next message. Throws the error that ends the process before it. */
  next(): Promise<Types['told']> {
    return new Promise((resolve, reject) => {
      this.onMessage(resolve);
      this.onError(reject);
      void this.ended.then(() => reject(new Error(`the process '${this.name}' ended without a word`)));
    });
  }

  /** This process may end while the other one runs. */
  unref(): void {
    this.process.unref();
    this.process.channel?.unref();
  }

  /** Ends it at once, and keeps this process until it is gone. Idempotent. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.process.ref();
    this.process.channel?.ref();
    this.process.kill('SIGKILL');
    await this.ended;
  }

  private failed(error: unknown): void {
    if (this.hasFailed) return;
    this.hasFailed = true;
    for (const take of this.catchers) take(error);
  }
}

/** The process as its own code sees it. */
interface ChildSide<Types extends ChildTypes> {
  readonly data: Types['data'];
  post(told: Types['told']): void;
}

/** Runs the code of a child process, in its entry file. What it throws, or rejects with, is that of `Child.onError`. It ends with its parent. */
export function runChild<Types extends ChildTypes>(work: (side: ChildSide<Types>) => void | Promise<void>): void {
  letOthersFirst();
  const send = (message: Message<Types>): Promise<void> => new Promise((resolve) => process.send?.(message, () => resolve()));
  let sent: Promise<unknown> = Promise.resolve();
  process.once('message', async ({ data }: { readonly data: Types['data'] }) => {
    try {
      await work({ data, post: (told) => (sent = Promise.all([sent, send({ told })])) });
    } catch (error) {
      process.exitCode = 1;
      sent = Promise.all([sent, send({ thrown: thrownOf(error) })]);
    }
    await sent;
    process.disconnect?.();
  });
  process.once('disconnect', () => process.exit());
}

/** On Linux each thread has a priority of its own: V8's as well, which run before this code. */
function letOthersFirst(): void {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  try {
    for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Another system, where the priority is the process's.
  }
}

function thrownOf(error: unknown): ThrownError {
  if (!(error instanceof Error)) return { code: undefined, message: String(error), stack: undefined };
  return { code: 'code' in error ? error.code : undefined, message: error.message, stack: error.stack };
}

function errorOf({ code, message, stack }: ThrownError): Error {
  if (isErrorCode(code)) return new KairosError(code, message);
  const error = new Error(message);
  if (code !== undefined) Object.assign(error, { code });
  if (stack !== undefined) error.stack = stack;
  return error;
}
