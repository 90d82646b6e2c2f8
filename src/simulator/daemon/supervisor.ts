import type { LoadedStrategy } from '#apps/assembly/assemble.ts';
import type { LoadedConfig } from '#config/load.ts';
import type { Settings } from '#config/settings.ts';
import { KairosError, messageOf } from '#domain/errors.ts';
import type { Scene } from '#simulator/service/scene.ts';
import type { SimulatedService } from '#simulator/service/service.ts';
import { mischief } from '#simulator/strategies/mischief.ts';
import { configurationOf } from './configuration.ts';
import type { Disk } from './disk.ts';
import { DaemonProcess, type ProcessWatch } from './process.ts';

/** What is seen of processes as they come and go. */
export interface LivesWatch extends Omit<ProcessWatch, 'faulted' | 'crashed'> {
  /** A process is about to start on this disk. */
  starting(): void;
  started(process: DaemonProcess): void;
  /** It has ended, one way or another; the disk is as it left it. */
  ended(how: 'crash' | 'stop' | 'fault'): void;
  /** It could not be started, for another reason than the service. */
  refused(error: unknown): void;
}

interface SupervisorOptions {
  readonly scene: Scene;
  readonly disk: Disk;
  readonly service: SimulatedService;
  readonly watch: LivesWatch;
  readonly strategiesOf: (settings: Settings) => readonly LoadedStrategy[];
}

/** How long a process manager waits before it starts the next process, in milliseconds. */
const RESTART_MS = [500, 4_000] as const;

/** Keeps a daemon running as a process manager does: starts it, and starts it again when it has ended. */
export class Supervisor {
  current: DaemonProcess | null = null;
  config: LoadedConfig;
  private readonly options: SupervisorOptions;
  private changes: readonly string[] = [];
  private lives = 0;
  private isEnding = false;

  constructor(options: SupervisorOptions) {
    this.options = options;
    this.config = configurationOf(options.scene.plan, options.disk, []);
  }

  /** The process that trades; null while there is none. */
  get running(): DaemonProcess | null {
    return this.current?.daemon && !this.current.isOver && this.current.beside.control ? this.current : null;
  }

  start(): void {
    const { scene, watch, strategiesOf, ...parts } = this.options;
    this.lives += 1;
    this.isEnding = false;
    this.config = configurationOf(scene.plan, parts.disk, this.changes);
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
      },
    });
    this.current = process;
    scene.history.tell(`process ${this.lives} starts`);
    process.start().then(
      () => process.isOver || watch.started(process),
      (error: unknown) => this.notStarted(process, error),
    );
  }

  /** Asks it to end, and starts the next, with other settings where some are given. */
  restart(why: string, changes?: readonly string[]): void {
    const process = this.running;
    if (!process || this.isEnding) return;
    if (changes) this.changes = changes;
    this.options.scene.history.tell(`process ${this.lives} is asked to end: ${why}`);
    this.end(process, 'stop');
  }

  /** Ends the one that runs for good. */
  async finish(): Promise<void> {
    const { current } = this;
    this.isEnding = true;
    await current?.stop('simulator', 'the history is over');
  }

  /** What no code caught: the process hears of it. */
  uncaught(error: unknown, how: 'exception' | 'rejection'): void {
    this.current?.uncaught(error, how);
  }

  private end(process: DaemonProcess, how: 'stop' | 'fault'): void {
    this.isEnding = true;
    process.stop('SIGTERM', 'asked to stop').then(
      () => this.over(process, how),
      (error: unknown) => this.options.watch.refused(error),
    );
  }

  private faulted(process: DaemonProcess, error: unknown): void {
    if (process !== this.current || process.isOver) return;
    this.options.scene.history.tell(`process ${this.lives} ends by an error that nobody handled: ${messageOf(error)}`);
    if (!this.isEnding) this.end(process, 'fault');
  }

  private crashed(process: DaemonProcess, how: string, where: string): void {
    const { scene, service, disk } = this.options;
    scene.history.tell(`process ${this.lives} is gone (${how}) ${where}`);
    mischief.hooks.called = () => {};
    scene.world.after(0, () => {
      service.network.dropAll();
      service.feed.dropAll();
      scene.world.after(0, () => {
        process.bury();
        disk.restore();
        this.over(process, 'crash');
      });
    });
  }

  private over(process: DaemonProcess, how: 'crash' | 'stop' | 'fault'): void {
    if (process !== this.current) return;
    const { scene, watch } = this.options;
    this.current = null;
    watch.ended(how);
    scene.world.after(scene.draws.between(...RESTART_MS), () => scene.machine.receive(() => this.start()));
  }

  private notStarted(process: DaemonProcess, error: unknown): void {
    if (process.isOver || process !== this.current) return;
    const { scene, watch } = this.options;
    process.isOver = true;
    scene.history.tell(`process ${this.lives} does not start: ${messageOf(error)}`);
    if (!(error instanceof KairosError) || !/^SERVICE_/.test(error.code)) watch.refused(error);
    this.over(process, 'stop');
  }
}
