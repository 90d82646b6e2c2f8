import { type ChildProcess, fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Envelope {
  readonly reply?: unknown;
  readonly failed?: string;
}

/** As npm start, pm2 and systemd start a daemon; what it is held against is started alike. */
const AS_STARTED = ['--max-semi-space-size=8'];
/** `bin/kairos.mjs` keeps the compiled source between starts: what strips types of it is then not loaded, nor in memory. */
const COMPILED = process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'node-compile-cache');

/** A process of the benchmark that answers one question after the other. */
export class Child {
  private readonly name: string;
  private readonly process: ChildProcess;
  private waiting: { resolve(reply: unknown): void; reject(error: Error): void } | undefined;

  private constructor(name: string, process: ChildProcess) {
    this.name = name;
    this.process = process;
    process.on('message', (text) => this.answered(String(text)));
    process.once('exit', (code, signal) => this.waiting?.reject(new Error(`${name} ended with ${code ?? signal} before it answered`)));
  }

  /** Starts the module beside this one and hands it `facts`, as its first argument in JSON. */
  static start(name: string, facts: object): Child {
    const file = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
    return new Child(
      name,
      fork(file, [JSON.stringify(facts)], {
        execArgv: AS_STARTED,
        env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      }),
    );
  }

  get isGone(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  /** Asks and waits for the answer, which is what `serve` in that module returned. One question at a time. */
  async ask<Reply>(question: object): Promise<Reply> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.waiting = { resolve, reject };
    this.process.send(JSON.stringify(question));
    const text = await promise;
    const envelope = JSON.parse(String(text));
    if (envelope.failed !== undefined) throw new Error(`${this.name}: ${envelope.failed}`);
    return envelope.reply;
  }

  /** Lets go of it, which ends it, and waits until it is gone. Idempotent. */
  async end(): Promise<void> {
    if (this.isGone) return;
    const gone = new Promise((resolve) => this.process.once('exit', resolve));
    if (this.process.connected) this.process.disconnect();
    await gone;
  }

  private answered(text: string): void {
    this.waiting?.resolve(text);
    this.waiting = undefined;
  }
}

/** In a child: what it was started with. */
export function givenFacts<Facts>(): Facts {
  return JSON.parse(process.argv[2] ?? '{}');
}

/** In a child: answers each question until the benchmark lets go; then `close` runs and the process ends. */
export function serve<Question>(answer: (question: Question) => unknown, close: () => Promise<void> | void): void {
  process.on('message', async (text) => {
    let envelope: Envelope;
    try {
      envelope = { reply: await answer(JSON.parse(String(text))) };
    } catch (error) {
      // The benchmark hears of it and ends.
      envelope = { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
    process.send?.(JSON.stringify(envelope));
  });
  process.once('disconnect', async () => {
    await close();
    process.exit(0);
  });
}
