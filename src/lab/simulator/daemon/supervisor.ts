import cron from 'node-cron';
import { isRehearsed as ordersExecuted, writeAct } from '#adapters/journal/acts.ts';
import { controlFiles } from '#adapters/journal/control-files.ts';
import type { LoadedStrategy } from '#assembly/assemble.ts';
import type { LoadedConfig } from '#config/load.ts';
import type { Settings } from '#config/settings.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { OperatorCommand } from '#domain/event.ts';
import type { Scene } from '#lab/simulator/service/scene.ts';
import type { SimulatedService } from '#lab/simulator/service/service.ts';
import { mischief } from '#lab/simulator/strategies/mischief.ts';
import { configurationOf } from './configuration.ts';
import { type Damage, damage } from './damage.ts';
import type { Disk } from './disk.ts';
import { DaemonProcess, type ProcessWatch } from './process.ts';

/** Receives what is visible of processes as they start and end. */
export interface LivesWatch extends Omit<ProcessWatch, 'faulted' | 'crashed' | 'leaving'> {
  /** An uncaught error of Kairos itself is about to reach the process. */
  threw(process: DaemonProcess): void;
  /** It is about to end by an error. */
  failed(error: unknown): void;
  /** It has stopped in good order, with this number of timers and connections left. */
  leftOver(timers: number, connections: number): void;
  /** A process is about to start on this disk. */
  starting(): void;
  started(process: DaemonProcess): void;
  /** It has ended in some way; the disk is as it left it. */
  ended(how: 'crash' | 'stop' | 'fault'): void;
  /** It has started on a journal that it must not start on. */
  blind(what: string): void;
  /** A person has acted on the journal of a process that is gone. */
  actedAway(act: OperatorCommand['act']): void;
  /** A second process could start beside the first. */
  doubled(): void;
  /** It could not start, for another cause than the service. */
  refused(error: unknown): void;
}

interface SupervisorOptions {
  readonly scene: Scene;
  readonly disk: Disk;
  readonly service: SimulatedService;
  readonly watch: LivesWatch;
  readonly strategiesOf: (settings: Settings) => readonly LoadedStrategy[];
}

/** Until an order was executed a person arms, whatever the plan says. */
const UNREHEARSED = ['trading.arm=manual'];

/** How long a process manager waits before it starts the next process, in milliseconds. */
const RESTART_MS = [500, 4_000] as const;

/** Keeps a daemon running as a process manager does: starts it, and restarts it when it has ended. */
export class Supervisor {
  current: DaemonProcess | null = null;
  config: LoadedConfig;
  private readonly options: SupervisorOptions;
  /** Changed settings for the next process. */
  private changes: readonly string[] | null = null;
  private settings: readonly string[] = [];
  /** An order was executed: only then may a daemon start armed. */
  private isRehearsed = false;
  private lives = 0;
  private isEnding = false;
  /** Processes that crashed: one may have been asked to end before. */
  private readonly crashing = new WeakSet<DaemonProcess>();
  /** Number of code changes since the first process. */
  code = 0;
  /** The damage to the journal before the next start, and before the present one. */
  private next: Damage | null = null;
  private damaged: string | null = null;

  /** What a person does to the journal before the next start. */
  private away: { readonly act: OperatorCommand; readonly told: () => void } | null = null;

  constructor(options: SupervisorOptions) {
    this.options = options;
    this.config = configurationOf(options.scene.plan, options.disk, UNREHEARSED);
  }

  /** True if the files for the next process were touched. */
  get isDamaged(): boolean {
    return this.damaged !== null;
  }

  get journalFile(): string {
    return this.options.disk.journal;
  }

  /** The process that trades; null while there is none. */
  get running(): DaemonProcess | null {
    return this.current?.daemon && !this.current.isOver && this.current.beside.control ? this.current : null;
  }

  /** True while another program holds the journal. */
  get isJournalHeld(): boolean {
    return this.options.scene.troubles.on('F41') !== undefined || this.current?.journal?.isHeld === true;
  }

  start(): void {
    const { scene, watch, strategiesOf, ...parts } = this.options;
    this.lives += 1;
    this.isEnding = false;
    const isRehearsed = this.isRehearsed || (!this.isDamaged && ordersExecuted(parts.disk.journal));
    if (this.changes || isRehearsed !== this.isRehearsed) {
      this.settings = this.changes ?? this.settings;
      this.config = configurationOf(scene.plan, parts.disk, isRehearsed ? this.settings : [...this.settings, ...UNREHEARSED]);
    }
    this.changes = null;
    this.isRehearsed = isRehearsed;
    watch.starting();
    const process: DaemonProcess = new DaemonProcess({
      ...parts,
      scene,
      config: this.config,
      strategies: strategiesOf(this.config.settings),
      number: this.lives,
      watch: {
        notice: (level, text) => watch.notice(level, text),
        committed: (decisions, isSynced) => watch.committed(decisions, isSynced),
        opening: (url) => watch.opening(url),
        faulted: (error) => this.faulted(process, error),
        crashed: (how, where) => this.crashed(process, how, where),
        unnoticed: (ms) => watch.unnoticed(ms),
        leaving: (error) => this.leaving(process, error),
      },
    });
    this.current = process;
    scene.history.tell(`process ${this.lives} starts`);
    process.start().then(
      () => process.isOver || this.started(process),
      (error: unknown) => this.notStarted(process, error),
    );
  }

  /** Stops it and starts the next, with changed settings if given. */
  restart(why: string, changes?: readonly string[]): void {
    const process = this.running;
    if (!process || this.isEnding) return;
    if (changes) this.changes = changes;
    this.options.scene.history.tell(`process ${this.lives} is asked to end: ${why}`);
    this.end(process, 'stop');
  }

  /** Stops it, touches the journal's files, and starts the next process on them. */
  damage(next: Damage): void {
    if (!this.running || this.isEnding) return;
    this.next = next;
    this.restart('somebody looks after the disk');
  }

  /** Stops it, and a person acts on its journal before the next process starts. */
  actAway(act: OperatorCommand, told: () => void): void {
    if (!this.running || this.isEnding) return;
    this.away = { act, told };
    this.restart('a person acts meanwhile');
  }

  /** Restarts it with other code. */
  changeCode(): void {
    if (!this.running || this.isEnding) return;
    this.code += 1;
    this.options.scene.troubles.struck('F67', 'the next process has other code');
    this.restart('another release');
  }

  /** Starts a second process on the same journal. */
  startSecond(): void {
    const { scene, watch, strategiesOf, ...parts } = this.options;
    if (!this.running) return;
    scene.troubles.struck('F49', 'somebody starts a second process');
    const silent = { notice() {}, committed() {}, faulted() {}, crashed() {}, opening() {}, unnoticed() {}, leaving() {} };
    const strategies = strategiesOf(this.config.settings);
    const second = new DaemonProcess({ ...parts, scene, config: this.config, strategies, number: -this.lives, watch: silent });
    const first = this.current;
    const over = (error: unknown): void => {
      second.isOver = true;
      const isRefused = error instanceof KairosError && /^JOURNAL_(LEASED|BUSY)$/.test(error.code);
      // The first may have just ended by itself.
      if (!isRefused && first === this.current && first?.isOver === false) watch.doubled();
    };
    second.start().then(() => over(null), over);
  }

  /** Stops the running process for good. */
  async finish(): Promise<void> {
    const { current } = this;
    this.isEnding = true;
    await current?.stop('simulator', 'the history is over');
  }

  /** An error that nobody handles is thrown in the process. */
  threw(): void {
    if (this.running) this.options.watch.threw(this.running);
  }

  /** Passes an uncaught error to the process. */
  uncaught(error: unknown, how: 'exception' | 'rejection'): void {
    this.threw();
    this.current?.uncaught(error, how);
  }

  private end(process: DaemonProcess, how: 'stop' | 'fault'): void {
    this.isEnding = true;
    process.stop('SIGTERM', 'asked to stop').then(
      () => {
        if (!this.crashing.has(process)) this.over(process, how);
      },
      (error: unknown) => this.options.watch.refused(error),
    );
  }

  private leaving(process: DaemonProcess, error: KairosError): void {
    this.options.scene.history.tell(`process ${this.lives} leaves: ${error.message}`);
    if (process === this.current && !this.isEnding) this.end(process, 'stop');
  }

  private faulted(process: DaemonProcess, error: unknown): void {
    if (process !== this.current || process.isOver) return;
    this.options.watch.failed(error);
    this.options.scene.history.tell(`process ${this.lives} ends by an error that nobody handled: ${messageOf(error)}`);
    if (!this.isEnding) this.end(process, 'fault');
  }

  private crashed(process: DaemonProcess, how: string, where: string): void {
    const { scene, disk } = this.options;
    scene.history.tell(`process ${this.lives} is gone (${how}) ${where}`);
    this.crashing.add(process);
    mischief.hooks.called = () => {};
    scene.world.after(0, () => {
      this.hangUp();
      scene.world.after(0, () => {
        process.bury();
        // Its schedule's library has timers of its own, which would go on in the next process.
        for (const task of cron.getTasks().values()) void task.destroy();
        disk.restore();
        this.over(process, 'crash');
      });
    });
  }

  /** Drops the connections of an ended process. */
  private hangUp(): void {
    const { network, feed } = this.options.service;
    network.dropAll();
    feed.dropAll();
  }

  private started(process: DaemonProcess): void {
    const { watch } = this.options;
    if (this.damaged !== null) watch.blind(this.damaged);
    watch.started(process);
  }

  private over(process: DaemonProcess, how: 'crash' | 'stop' | 'fault'): void {
    if (process !== this.current) return;
    const { scene, watch } = this.options;
    watch.ended(how);
    this.current = null;
    this.touch(how);
    this.writeAway(how);
    // Its sockets report it a turn later, and where the machine is suspended long after.
    if (how === 'stop' && process.daemon)
      scene.world.after(200 + (scene.plan.turnMs ?? 0), () => {
        if (!scene.machine.isHeldUp) watch.leftOver(scene.machine.timersLeft(process), this.options.service.connections);
      });
    scene.world.after(scene.draws.between(...RESTART_MS), () => scene.machine.receive(() => this.start()));
  }

  /** Touches the journal's files if that is due, and restores them if nothing was really changed. */
  private touch(how: 'crash' | 'stop' | 'fault'): void {
    const { next } = this;
    this.next = null;
    if (next === null || how !== 'stop') return;
    const { disk, scene } = this.options;
    disk.keepCopy();
    this.damaged = damage(disk.journal, next);
    if (this.damaged === null) disk.undo();
    else scene.troubles.struck(next.fault, this.damaged);
  }

  /** As the command does where no daemon runs. Not on files that somebody has touched. */
  private writeAway(how: 'crash' | 'stop' | 'fault'): void {
    const { away } = this;
    this.away = null;
    if (away === null || how !== 'stop' || this.isDamaged || this.isJournalHeld) return;
    const { disk, scene, watch } = this.options;
    writeAct(disk.journal, away.act, scene.machine.wallMs());
    disk.settle();
    scene.history.tell(`a person writes to the journal: ${away.act.act}`);
    watch.actedAway(away.act.act);
    away.told();
  }

  private notStarted(process: DaemonProcess, error: unknown): void {
    if (process.isOver || process !== this.current) return;
    const { scene, watch } = this.options;
    process.isOver = true;
    this.hangUp();
    scene.history.tell(`process ${this.lives} does not start: ${messageOf(error)}`);
    const code = error instanceof KairosError ? error.code : '';
    // FAULT: of a removed log, while another program still reads it.
    const isFound = this.damaged !== null && /^JOURNAL_(BROKEN|NEWER|UNUSABLE|FAULT)$/.test(code);
    if (isFound) {
      this.damaged = null;
      this.options.disk.putBack(controlFiles(this.config.settings.journal.path).haltOfAll);
      scene.history.tell('a person puts the journal back as it was');
    } else if (!/^SERVICE_/.test(code)) watch.refused(error);
    this.over(process, 'stop');
  }
}
