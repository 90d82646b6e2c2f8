import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { systemTimers } from '#adapters/time/system-timers.ts';
import type { SimulationPlan } from '#lab/simulator/plan/plan.ts';
import type { SimulationOutcome } from '#lab/simulator/simulation.ts';
import type { PlayReport, PlayRequest } from './messages.ts';

/** Real time after which a history counts as stuck, in milliseconds, where the machine is the simulator's own. */
const PATIENCE_MS = 240_000;
/** How often it is looked at, in milliseconds. */
const LOOK_MS = 1_000;
/** Number of plans after which a process is replaced, together with the state of its libraries. */
const PLAYS = 400;

interface CrewOptions {
  readonly size: number;
  /** Real time after which a history counts as stuck, in milliseconds; longer where other work has the processor first. */
  readonly patienceMs?: number;
  /** Modules that each process preloads, as with `--import`. */
  readonly preload?: readonly string[];
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The outcome of a plan, and its processor time. */
interface PlanResult {
  readonly outcome: SimulationOutcome;
  readonly cpuMs: number;
  /** How often it came by each mutant. */
  readonly reached: Readonly<Record<string, number>>;
}

/** How a history is followed. */
interface Following {
  readonly onLine?: ((line: string) => void) | undefined;
  /** A file for the byte-by-byte trace. */
  readonly trace?: string | null;
}

interface Job {
  readonly order: PlayRequest;
  readonly onLine: (line: string) => void;
  readonly done: (played: PlanResult) => void;
}

/** Processes that play plans side by side, one for each core. */
export class Crew {
  private readonly options: CrewOptions;
  private readonly waiting: Job[] = [];
  private readonly players = new Set<Player>();

  constructor(options: CrewOptions) {
    this.options = options;
  }

  /** How many plans it plays at a time. */
  get size(): number {
    return this.options.size;
  }

  /** The outcome of a plan. If its process dies, that counts as a failure of the plan. */
  play(plan: SimulationPlan, { onLine, trace = null }: Following = {}): Promise<PlanResult> {
    return new Promise((done) => {
      this.waiting.push({ order: { plan, words: onLine !== undefined, trace }, onLine: onLine ?? (() => {}), done });
      this.next();
    });
  }

  /** Ends all processes. */
  close(): void {
    for (const player of this.players) player.end();
    this.players.clear();
  }

  private next(): void {
    if (this.waiting.length === 0) return;
    let free = [...this.players].find((player) => !player.isBusy);
    if (!free && this.players.size < this.options.size) {
      free = new Player(this.options);
      this.players.add(free);
    }
    const job = free && this.waiting.shift();
    if (!free || !job) return;
    const player = free;
    player.play(job).then((played) => {
      if (player.isSpent) {
        player.end();
        this.players.delete(player);
      }
      job.done(played);
      this.next();
    });
  }
}

/** One process that plays. */
class Player {
  isBusy = false;
  isSpent = false;
  private readonly child: ChildProcess;
  private readonly ready = Promise.withResolvers<void>();
  private readonly patienceMs: number;
  private plays = 0;
  /** The last of its error output. */
  private complaint = '';

  constructor({ preload = [], env = {}, patienceMs = PATIENCE_MS }: CrewOptions) {
    this.patienceMs = patienceMs;
    this.child = fork(fileURLToPath(new URL('player.ts', import.meta.url)), {
      execArgv: ['--no-warnings', '--max-semi-space-size=32', ...preload.flatMap((module) => ['--import', module])],
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.child.on('message', (report: PlayReport) => report.kind === 'ready' && this.ready.resolve());
    this.child.once('exit', () => this.ready.resolve());
    this.child.stderr?.on('data', (text: Buffer) => {
      this.complaint = `${this.complaint}${text}`.slice(-2_000);
    });
  }

  async play({ order, onLine }: Job): Promise<PlanResult> {
    this.isBusy = true;
    this.plays += 1;
    await this.ready.promise;
    const { child } = this;
    const { promise, resolve } = Promise.withResolvers<PlanResult>();
    const fail = (what: string): void => {
      this.isSpent = true;
      resolve({ outcome: failed(order.plan, what), cpuMs: 0, reached: {} });
    };
    const onMessage = (report: PlayReport): void => {
      if (report.kind === 'line') onLine(report.line);
      else if (report.kind === 'over') resolve(report);
    };
    const onExit = (code: number | null): void => fail(`the process that played it ended with ${code}: ${this.complaint}`);
    const [begunMs, begunCpuMs] = [systemTimers.monotonicMs(), cpuMsOf(child.pid)];
    // Beside other work a history takes long without being stuck: its processor time tells.
    const cancel = systemTimers.every(LOOK_MS, () => {
      const [wallMs, cpuMs] = [systemTimers.monotonicMs() - begunMs, cpuMsOf(child.pid) - begunCpuMs];
      if (wallMs < this.patienceMs || (cpuMs < this.patienceMs / 4 && wallMs < this.patienceMs * 10)) return;
      child.kill('SIGKILL');
      fail(`it did not end within ${Math.round(wallMs / 1000)} s`);
    });
    child.on('message', onMessage).once('exit', onExit);
    if (child.connected) child.send(order);
    else onExit(child.exitCode);
    const played = await promise;
    cancel();
    child.off('message', onMessage).off('exit', onExit);
    this.isBusy = false;
    this.isSpent ||= this.plays >= PLAYS;
    return played;
  }

  end(): void {
    this.child.removeAllListeners('exit');
    if (this.child.connected) this.child.disconnect();
  }
}

/** Processor time of a process so far; without end where the system does not say. */
function cpuMsOf(pid: number | undefined): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.POSITIVE_INFINITY;
  const [user = 0, system = 0] = readFileSync(file, 'latin1')
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (user + system) * 10;
}

function failed({ seed }: SimulationPlan, what: string): SimulationOutcome {
  return { seed, violation: { invariant: 'process', what, at: 0 }, last: [], hash: '', seen: {}, orders: 0, quotes: 0, lives: 0 };
}
