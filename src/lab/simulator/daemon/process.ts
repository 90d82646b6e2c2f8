import { controlFiles } from '#adapters/journal/control-files.ts';
import { Checkpoints } from '#adapters/journal/write-ahead.ts';
import type { LoadedStrategy } from '#assembly/assemble.ts';
import { clientOf } from '#assembly/service.ts';
import type { LoadedConfig } from '#config/load.ts';
import { Daemon } from '#daemon/run/daemon.ts';
import { keepFacts } from '#daemon/run/halt-file.ts';
import { StallClock } from '#daemon/run/stall-clock.ts';
import type { Decision } from '#domain/decision.ts';
import type { KairosError } from '#domain/errors.ts';
import { BASE_URL, type Scene } from '#lab/simulator/service/scene.ts';
import type { SimulatedService } from '#lab/simulator/service/service.ts';
import type { Power } from '#lab/simulator/world/machine.ts';
import { SimulatedBeside } from './beside.ts';
import { JournalWorld, PowerCut } from './crash-points.ts';
import type { Crash, Disk } from './disk.ts';

/** Interval of the watchdog, within which a stall is detected, in milliseconds (I34). */
const LOOK_MS = 10;
const NOTICED_MS = 5_000;
const CHECKPOINT_MS = 120_000;

interface ProcessOptions {
  readonly scene: Scene;
  readonly disk: Disk;
  readonly service: SimulatedService;
  readonly config: LoadedConfig;
  readonly strategies: readonly LoadedStrategy[];
  readonly number: number;
  readonly watch: ProcessWatch;
}

/** Receives what is visible of a process from outside. */
export interface ProcessWatch {
  notice(level: string, text: string): void;
  committed(decisions: readonly Decision[], isSynced: boolean): void;
  /** It ended by itself with an uncaught error. */
  faulted(error: unknown): void;
  crashed(how: Crash, where: string): void;
  opening(url: string): void;
  /** A stall was not detected in time. */
  unnoticed(ms: number): void;
  /** It stops in good order because it needs too much memory. */
  leaving(error: KairosError): void;
}

/** One process of the daemon, from its start to its end. */
export class DaemonProcess implements Power {
  isOver = false;
  daemon: Daemon | null = null;
  journal: JournalWorld | null = null;
  private client: Pick<ReturnType<typeof clientOf>, 'close'> | null = null;
  private stopCheckpoints: () => void = () => {};
  private checkpoints: Checkpoints | null = null;
  private pause: { reads: number; readonly ms: number } | null = null;
  readonly beside: SimulatedBeside;
  private readonly options: ProcessOptions;

  constructor(options: ProcessOptions) {
    this.options = options;
    this.beside = new SimulatedBeside(options.scene, this, options.disk);
  }

  /** Starts it. Rejects as the daemon does. */
  async start(): Promise<void> {
    const { scene, service, config, strategies, disk, number, watch } = this.options;
    const { machine, draws } = scene;
    const own = machine.timersOf(this, draws.fork(`process ${number}`));
    const timers = { ...own, monotonicMs: () => this.read(own.monotonicMs()) };
    const network = { dial: service.network.dialOf(this), sockets: service.feed.socketsOf(this, (url) => watch.opening(url)) };
    const leftOut = new Map<string, string>();
    const early: unknown[] = [];
    const client = clientOf(BASE_URL, config.settings.service, {
      timers,
      dial: network.dial,
      onRefusedRecord: (what, why) => void leftOut.set(what, why),
    });
    this.client = client;
    const opened = {
      settings: config.settings.service,
      baseUrl: BASE_URL,
      embedded: false,
      client,
      network,
      leftOut,
      close: () => client.close(),
    };
    this.stopCheckpoints = timers.every(CHECKPOINT_MS, () => this.checkpoint());
    const daemon = await Daemon.start({
      config,
      strategyFolders: { cwd: disk.folder, packaged: disk.folder },
      timers,
      notice: (level, text) => watch.notice(level, text),
      taken: { service: opened, strategies, opsPort: null },
      // A process ends by an error of its start once that is over.
      onFault: (error) => (this.daemon ? this.fault(error) : early.push(error)),
      onLeave: (error) => {
        if (!this.isOver) watch.leaving(error);
      },
      wrapJournal: (inner) => {
        this.journal = new JournalWorld(inner, {
          scene,
          disk,
          draws: draws.fork(`disk ${number}`),
          isOver: () => this.isOver,
          crash: (how, where) => this.crash(how, where),
          pauseAfter: (reads, ms) => this.pauseAfter(reads, ms),
          committed: (decisions, isSynced) => watch.committed(decisions, isSynced),
        });
        return this.journal;
      },
      beside: this.beside,
      // A crash leaves a copy of the disk, which stands for the disk itself.
      instanceOf: () => 'simulated',
    });
    this.daemon = daemon;
    if (this.isOver) this.bury();
    for (const error of early) this.fault(error);
  }

  private fault(error: unknown): void {
    if (!this.isOver) this.options.watch.faulted(error);
  }

  /** Blocks the processor for a time after a number of readings of the time: a pause between two lines of code. */
  pauseAfter(reads: number, ms: number): void {
    this.pause = { reads, ms };
  }

  private read(monotonicMs: number): number {
    const { pause } = this;
    if (pause && --pause.reads === 0) {
      this.pause = null;
      this.options.scene.machine.burn(pause.ms);
    }
    return monotonicMs;
  }

  /** Ends it in good order. */
  async stop(who: string, why: string): Promise<void> {
    this.stopCheckpoints();
    this.closeCheckpoints();
    await this.daemon?.stop(who, why);
    await this.client?.close();
    this.isOver = true;
  }

  /** Crashes it at once. */
  crash(how: Crash, where: string): PowerCut {
    if (!this.isOver) {
      this.isOver = true;
      this.options.disk.crash(how, this.options.scene.draws);
      this.options.watch.crashed(how, where);
    }
    return new PowerCut(where);
  }

  /** Keeps the processor busy for a time; the watchdog ends the process if that is too long (I34). */
  spin(ms: number): void {
    const { scene, config, watch } = this.options;
    const { heartbeat } = this.beside;
    const clock = new StallClock();
    for (let still = 0; heartbeat && still < ms; still += LOOK_MS) {
      const found = clock.inspect({ turn: heartbeat.turn, inside: heartbeat.inside, gapMs: LOOK_MS });
      if (!found) continue;
      scene.machine.burn(still);
      const { stall } = controlFiles(config.settings.journal.path);
      keepFacts(stall, { ...found.inside, loading: false, stillMs: found.stillMs, at: new Date(scene.machine.wallMs()).toISOString() });
      if (found.stillMs > NOTICED_MS) watch.unnoticed(found.stillMs);
      throw this.crash('kill', `in code that did not come back: ${found.inside.in}`);
    }
    scene.machine.burn(ms);
    if (ms > NOTICED_MS) watch.unnoticed(ms);
  }

  /** Delivers an uncaught error, as Node does. */
  uncaught(error: unknown, how: 'exception' | 'rejection'): void {
    if (error instanceof PowerCut || this.isOver) return;
    if (this.daemon) this.daemon.uncaught(error, how);
    else this.fault(error);
  }

  /** Closes what a crashed process had open, once nothing of it runs. */
  bury(): void {
    this.closeCheckpoints();
    const opened = this.daemon?.opened;
    for (const close of [() => opened?.store.close(), () => opened?.log.close()]) {
      try {
        close();
      } catch (error) {
        // Its late writes do not matter: the disk is restored to its state at the crash.
        if (!(error instanceof Error)) throw error;
      }
    }
  }

  private checkpoint(): void {
    if (this.isOver || !this.daemon) return;
    this.checkpoints ??= new Checkpoints(this.options.config.settings.journal.path);
    this.checkpoints.run();
    // SQLite syncs the log before it moves a page of it.
    this.options.disk.synced();
  }

  private closeCheckpoints(): void {
    this.checkpoints?.close();
    this.checkpoints = null;
  }
}
