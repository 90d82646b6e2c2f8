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

/** A process of ours: what it says is collected, and it never outlives its test (`endAll`). */
export class Started {
  stdout = '';
  stderr = '';
  /** What it sent over its channel. */
  readonly messages: unknown[] = [];
  readonly ended: Promise<Ended>;
  private readonly child: ChildProcess;
  private over = false;

  constructor(command: string, args: readonly string[], options: StartOptions) {
    const stdio: ('ignore' | 'pipe' | 'ipc')[] = [options.stdin ?? 'ignore', 'pipe', 'pipe'];
    if (options.ipc) stdio.push('ipc');
    const child = spawn(command, args, { cwd: options.cwd, env: cleanEnvironment(options.env), stdio });
    this.child = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    child.on('message', (message) => this.messages.push(message));
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => {
        this.over = true;
        started.delete(this);
        resolve({ code, signal, stdout: this.stdout, stderr: this.stderr });
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

  /** Waits until `look` gives something; fails with what the process said when it ends or the time is over. */
  async until<Found>(what: string, look: () => Found | undefined, withinMs?: number): Promise<Found> {
    const found = await lookFor(look, { ...(withinMs !== undefined && { withinMs }), goOn: () => this.isRunning });
    if (found !== undefined) return found;
    const state = this.isRunning ? 'in time' : 'before the process ended';
    throw new Error(`no ${what} ${state}\nstdout:\n${this.stdout}\nstderr:\n${this.stderr}`);
  }

  /** Ends it for certain, and waits until it is gone. */
  async kill(): Promise<void> {
    if (this.isRunning) this.child.kill('SIGKILL');
    await this.ended;
  }
}

/** Starts `kairos` with its arguments. */
export function startKairos(args: readonly string[], options: StartOptions): Started {
  return new Started(process.execPath, [KAIROS, ...args], options);
}

/** Runs `kairos` to its end, which must come by itself. */
export async function runKairos(args: readonly string[], options: StartOptions & { readonly withinMs?: number }): Promise<Ended> {
  const process = startKairos(args, options);
  const inTime = await Promise.race([process.ended, pause(options.withinMs ?? 100_000, undefined, { ref: false })]);
  if (inTime) return inTime;
  const { stdout, stderr } = process;
  await process.kill();
  throw new Error(`kairos ${args.join(' ')} did not end\nstdout:\n${stdout}\nstderr:\n${stderr}`);
}

/** For `afterEach`: nothing that a test started goes on after it. */
export async function endAll(): Promise<void> {
  await Promise.all([...started].map((process) => process.kill()));
}
