import { type ChildProcess, fork } from 'node:child_process';
import { on } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { isErrorCode, KairosError } from '#domain/errors.ts';
import { Thread, threadEnvironment } from './thread.ts';

/** What a child process is given, asked later where it is asked, and what it tells, as plain data. */
interface ChildTypes {
  readonly data: unknown;
  readonly asked?: unknown;
  readonly told: unknown;
}

interface ChildOptions<Types extends ChildTypes> {
  /** The file that calls `runChild` with the same types. */
  readonly entry: URL;
  /** Named in errors. */
  readonly name: string;
  readonly data: Types['data'];
  readonly memory?: Memory;
  /** Ends it at once. */
  readonly signal?: AbortSignal;
}

interface Memory {
  /** What its objects may take, in megabytes; all of it may take twice as much. */
  readonly mb: number;
  /** What its error says where it needs more. */
  readonly tooMuch: string;
}

/** An error on its way: structured clones of errors lose their codes. */
interface ThrownError {
  readonly code: unknown;
  readonly message: string;
  readonly stack: string | undefined;
}

type Message<Types extends ChildTypes> = { readonly told: Types['told'] } | { readonly thrown: ThrownError };

/** The thread that ends the process with its parent, and where it takes more than it may. */
export interface ChildWatch {
  readonly data: { readonly parent: number; readonly maxBytes: number };
  readonly toThread: never;
  readonly fromThread: never;
}

/** The first message to the process. */
interface Begin<Types extends ChildTypes> {
  readonly data: Types['data'];
  readonly watch: ChildWatch['data'];
}

const WATCH = new URL('./child-watch-entry.ts', import.meta.url);
const MB = 1024 * 1024;

/**
 * Work of some seconds that takes much memory, in a process of its own: all of it is returned when it ends, a process that the system
 * kills for its memory is not this one, and it runs behind whatever else wants the processor. It gets no environment, so that no
 * secret reaches it. Its errors, and an end that nobody asked for, go to `onError`.
 */
export class Child<Types extends ChildTypes> {
  /** Resolves once the process is gone. */
  readonly ended: Promise<void>;
  private readonly process: ChildProcess;
  private readonly takers: ((told: Types['told']) => void)[] = [];
  private readonly catchers: ((error: unknown) => void)[] = [];
  private readonly waiting: PromiseWithResolvers<Types['told']>[] = [];
  private isStopped = false;
  /** Why nothing comes any more. */
  private failure: { readonly error: unknown } | undefined;

  constructor({ entry, name, data, memory, signal }: ChildOptions<Types>) {
    // A thread goes by the time zone of its process.
    const env = { ...threadEnvironment(), TZ: 'UTC' };
    const execArgv = memory ? [`--max-old-space-size=${memory.mb}`] : [];
    this.process = fork(entry, { env, execArgv, serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const abort = (): void => void this.stop();
    signal?.addEventListener('abort', abort, { once: true });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise.finally(() => signal?.removeEventListener('abort', abort));
    this.process.on('message', (message: Message<Types>) => {
      if ('thrown' in message) this.failed(errorOf(message.thrown));
      else this.took(message.told);
    });
    this.process.on('error', (error) => {
      this.failed(error);
      if (this.process.pid === undefined) resolve();
    });
    // Not `exit`: what it told last may still be on its way then.
    this.process.on('close', (code, killedBy) => {
      const why = killedBy === 'SIGABRT' && memory ? memory.tooMuch : `the process '${name}' ended with ${code ?? killedBy}`;
      if (code !== 0 && !this.isStopped) this.failed(new Error(why));
      this.over(new Error(`the process '${name}' ended without a word`));
      resolve();
    });
    const maxBytes = memory ? 2 * memory.mb * MB : Number.MAX_SAFE_INTEGER;
    this.send({ data, watch: { parent: process.pid, maxBytes } } satisfies Begin<Types>);
  }

  ask(asked: Types['asked']): void {
    this.send(asked);
  }

  onMessage(take: (told: Types['told']) => void): void {
    this.takers.push(take);
  }

  /** The first error alone. A KairosError stays one. */
  onError(take: (error: unknown) => void): void {
    this.catchers.push(take);
  }

  /** The next message. Throws the error that ends the process before it, or has ended it. */
  next(): Promise<Types['told']> {
    const next = Promise.withResolvers<Types['told']>();
    if (this.failure) next.reject(this.failure.error);
    else this.waiting.push(next);
    return next.promise;
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

  private send(message: unknown): void {
    // One that did not begin, or has ended, says so elsewhere.
    if (this.process.pid !== undefined) this.process.send(message as never, () => {});
  }

  private took(told: Types['told']): void {
    for (const take of this.takers) take(told);
    for (const { resolve } of this.waiting.splice(0)) resolve(told);
  }

  private failed(error: unknown): void {
    if (this.failure) return;
    for (const take of this.catchers) take(error);
    this.over(error);
  }

  private over(error: unknown): void {
    this.failure ??= { error };
    for (const { reject } of this.waiting.splice(0)) reject(error);
  }
}

/** The process as its own code sees it. */
interface ChildSide<Types extends ChildTypes> {
  readonly data: Types['data'];
  /** What is asked, for as long as its parent lives. */
  readonly asked: AsyncIterable<Types['asked']>;
  post(told: Types['told']): void;
}

/**
 * Runs the code of a child process, in its entry file. What it throws, or rejects with, is that of `Child.onError`. It ends with its
 * parent, and once it runs not by an interrupt, which a terminal sends to both.
 */
export function runChild<Types extends ChildTypes>(work: (side: ChildSide<Types>) => void | Promise<void>): void {
  letOthersFirst();
  process.once('disconnect', () => process.exit());
  process.on('SIGINT', () => {});
  void play(work, heard(on(process, 'message')));
}

async function play<Types extends ChildTypes>(work: Parameters<typeof runChild<Types>>[0], asked: AsyncGenerator): Promise<void> {
  const send = (message: Message<Types>): Promise<void> => new Promise((resolve) => process.send?.(message, () => resolve()));
  const { data, watch }: Begin<Types> = (await asked.next()).value;
  new Thread<ChildWatch>({ entry: WATCH, name: 'watch', data: watch }).unref();
  let sent: Promise<unknown> = Promise.resolve();
  try {
    await work({ data, asked, post: (told) => (sent = Promise.all([sent, send({ told })])) });
  } catch (error) {
    process.exitCode = 1;
    sent = Promise.all([sent, send({ thrown: thrownOf(error) })]);
  }
  await sent;
  process.disconnect?.();
}

/** One message after the other, none left out. */
async function* heard(messages: AsyncIterable<unknown[]>): AsyncGenerator {
  for await (const [message] of messages) yield message;
}

/**
 * On Linux each thread has a priority of its own: V8's as well, which run before this code. Where memory is short, it ends this process
 * first. Whoever began behind others already, or on another system, is left as it is.
 */
function letOthersFirst(): void {
  const { PRIORITY_BELOW_NORMAL: behind } = constants.priority;
  try {
    for (const thread of readdirSync('/proc/self/task')) if (getPriority(Number(thread)) < behind) setPriority(Number(thread), behind);
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    if (getPriority() < behind) setPriority(behind);
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
