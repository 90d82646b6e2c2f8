import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { lookFor } from './wait-for.ts';

/** The command as users have it. */
export const KAIROS = fileURLToPath(new URL('../../bin/kairos.mjs', import.meta.url));

export interface StartOptions {
  readonly cwd: string;
  /** On top of what every process here gets: the path, the home and the folder for temporary files. */
  readonly env?: Readonly<Record<string, string>>;
  /** Opens a channel on which `process.send` speaks, as a process manager does. */
  readonly ipc?: boolean;
  /** `pipe` for a process that is typed to (`type`); nobody is there otherwise. */
  readonly stdin?: 'pipe';
}

/** How a process ended: an exit code, or the signal that cut it. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Names whose values a child may have; no KAIROS_ setting of the developer's shell, and nothing of the test runner. */
const INHERITED = ['PATH', 'HOME', 'XDG_STATE_HOME', 'TMPDIR', 'NODE_COMPILE_CACHE', 'LANG', 'USER', 'LOGNAME'];

export function cleanEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const inherited = INHERITED.flatMap((name): [string, string][] => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(inherited), NO_COLOR: '1', ...extra };
}

const started = new Set<Started>();

/** What a process has said so far. */
export interface Said {
  readonly stdout: string;
  readonly stderr: string;
  /** What it sent over its channel. */
  readonly messages: readonly unknown[];
}

/**
 * A process of ours: what it says is collected, and it never outlives its test (`endAll`). While it runs, its text is seen only by waiting
 * for it (`says`, `until`): it comes through a pipe, later than what else the process does. All of it is in what `ended` resolves to.
 */
export class Started {
  readonly ended: Promise<Ended>;
  readonly #said = { stdout: '', stderr: '', messages: [] as unknown[] };
  private readonly words: string;
  private readonly child: ChildProcess;
  private over = false;

  constructor(command: string, args: readonly string[], options: StartOptions) {
    const stdio: ('ignore' | 'pipe' | 'ipc')[] = [options.stdin ?? 'ignore', 'pipe', 'pipe'];
    if (options.ipc) stdio.push('ipc');
    const child = spawn(command, args, { cwd: options.cwd, env: cleanEnvironment(options.env), stdio });
    this.child = child;
    this.words = [command, ...args].join(' ');
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#said.stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#said.stderr += text;
    });
    child.on('message', (message) => this.#said.messages.push(message));
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => {
        this.over = true;
        started.delete(this);
        resolve({ code, signal, stdout: this.#said.stdout, stderr: this.#said.stderr });
      });
    });
    started.add(this);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get isRunning(): boolean {
    return !this.over;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Types a line. */
  type(line: string): void {
    this.child.stdin?.write(`${line}\n`);
  }

  /** Waits until whole lines of either stream say something; gives what was found. */
  says(what: RegExp): Promise<RegExpExecArray> {
    const lines = (text: string): string => (this.isRunning ? text.slice(0, text.lastIndexOf('\n') + 1) : text);
    return this.until(`word of ${what}`, ({ stdout, stderr }) => what.exec(lines(stdout)) ?? what.exec(lines(stderr)) ?? undefined);
  }

  /** Waits until it has told its process manager that it is ready. */
  ready(): Promise<true> {
    return this.until('word that it is ready', ({ messages }) => messages.includes('ready') || undefined);
  }

  /** Waits until `look` gives something; fails with what the process said when it ends or the time is over. */
  async until<Found>(
    what: string,
    look: (said: Said) => Found | undefined | Promise<Found | undefined>,
    withinMs?: number,
  ): Promise<Found> {
    const found = await lookFor(() => look({ ...this.#said, messages: [...this.#said.messages] }), {
      ...(withinMs !== undefined && { withinMs }),
      goOn: () => this.isRunning,
    });
    if (found !== undefined) return found;
    throw new Error(`no ${what} ${this.isRunning ? 'in time' : 'before the process ended'}\n${this.#everything()}`);
  }

  /** Waits until it ends by itself. */
  async end(withinMs = 300_000): Promise<Ended> {
    const inTime = await Promise.race([this.ended, pause(withinMs, undefined, { ref: false })]);
    if (inTime) return inTime;
    await this.kill();
    throw new Error(`${this.words} did not end\n${this.#everything()}`);
  }

  #everything(): string {
    return `stdout:\n${this.#said.stdout}\nstderr:\n${this.#said.stderr}`;
  }

  /** Ends it for certain, and waits until it is gone. */
  kill(): Promise<Ended> {
    if (this.isRunning) this.child.kill('SIGKILL');
    return this.ended;
  }
}

/** Threads that collect garbage beside take a fifteenth of the processor, and room for new objects that grows step by step a tenth. */
export const FRUGAL = ['--single-threaded-gc', '--min-semi-space-size=32'] as const;

/** Starts `kairos` with its arguments. */
export function startKairos(args: readonly string[], options: StartOptions): Started {
  return new Started(process.execPath, [...FRUGAL, KAIROS, ...args], options);
}

/** Runs `kairos` to its end, which must come by itself. */
export function runKairos(args: readonly string[], options: StartOptions & { readonly withinMs?: number }): Promise<Ended> {
  return startKairos(args, options).end(options.withinMs);
}

/** For `afterEach`: nothing that a test started goes on after it. */
export async function endAll(): Promise<void> {
  await Promise.all([...started].map((process) => process.kill()));
}
