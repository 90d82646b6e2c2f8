import { controlFiles } from '#adapters/journal/control-files.ts';
import { Checkpoints } from '#adapters/journal/write-ahead.ts';
import type { LoadedStrategy } from '#apps/assembly/assemble.ts';
import { clientOf } from '#apps/assembly/service.ts';
import { Daemon } from '#apps/daemon/daemon.ts';
import { keepFacts } from '#apps/daemon/halt-file.ts';
import type { LoadedConfig } from '#config/load.ts';
import type { Decision } from '#domain/decision.ts';
import { BASE_URL, type Scene } from '#simulator/service/scene.ts';
import type { SimulatedService } from '#simulator/service/service.ts';
import type { Power } from '#simulator/world/machine.ts';
import { SimulatedBeside } from './beside.ts';
import { JournalWorld, PowerCut } from './crash-points.ts';
import type { Crash, Disk } from './disk.ts';

/** As long as a strategy may stay in one call before the watchdog ends the process. */
const STALL_MS = 3_000;
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

/** What is seen of a process from outside. */
export interface ProcessWatch {
  notice(level: string, text: string): void;
  committed(decisions: readonly Decision[], isSynced: boolean): void;
  /** It ended by itself, with an error that nobody handled. */
  faulted(error: unknown): void;
  crashed(how: Crash, where: string): void;
  opening(url: string): void;
}

/** One process of the daemon, from its start to its end. */
export class DaemonProcess implements Power {
  isOver = false;
  daemon: Daemon | null = null;
  journal: JournalWorld | null = null;
  readonly beside: SimulatedBeside;
  private readonly options: ProcessOptions;

  constructor(options: ProcessOptions) {
    this.options = options;
    this.beside = new SimulatedBeside(options.scene.world, this, options.disk);
  }

  /** Starts it. Rejects as the daemon does. */
  async start(): Promise<void> {
    const { scene, service, config, strategies, disk, number, watch } = this.options;
    const { machine, draws } = scene;
    const timers = machine.timersOf(this, draws.fork(`process ${number}`));
    const network = { dial: service.network.dialOf(this), sockets: service.feed.socketsOf(this, (url) => watch.opening(url)) };
    const leftOut = new Map<string, string>();
    const client = clientOf(BASE_URL, config.settings.service, {
      timers,
      dial: network.dial,
      onRefusedRecord: (what, why) => void leftOut.set(what, why),
    });
    const opened = {
      settings: config.settings.service,
      baseUrl: BASE_URL,
      embedded: false,
      client,
      network,
      leftOut,
      close: () => client.close(),
    };
    const stopCheckpoints = timers.every(CHECKPOINT_MS, () => this.checkpoint());
    const daemon = await Daemon.start({
      config,
      strategyFolders: { cwd: disk.folder, packaged: disk.folder },
      timers,
      notice: (level, text) => watch.notice(level, text),
      taken: { service: opened, strategies, opsPort: null },
      onFault: (error) => {
        if (!this.isOver) watch.faulted(error);
      },
      wrapJournal: (inner) => {
        this.journal = new JournalWorld(inner, {
          scene,
          disk,
          draws: draws.fork(`disk ${number}`),
          isOver: () => this.isOver,
          crash: (how, where) => this.crash(how, where),
          committed: (decisions, isSynced) => watch.committed(decisions, isSynced),
        });
        return this.journal;
      },
      beside: this.beside,
    }).finally(() => {
      if (this.isOver) stopCheckpoints();
    });
    this.daemon = daemon;
    if (this.isOver) this.bury();
  }

  /** Ends it in good order. */
  async stop(who: string, why: string): Promise<void> {
    await this.daemon?.stop(who, why);
    this.isOver = true;
  }

  /** Ends it here and now, without a word. */
  crash(how: Crash, where: string): PowerCut {
    if (!this.isOver) {
      this.isOver = true;
      this.options.disk.crash(how, this.options.scene.draws);
      this.options.watch.crashed(how, where);
    }
    return new PowerCut(where);
  }

  /** The code of a strategy keeps the processor for so long; the watchdog ends the process where that is too long. */
  spin(strategy: string, ms: number): void {
    const { scene, config } = this.options;
    scene.machine.burn(Math.min(ms, STALL_MS));
    if (ms < STALL_MS) return;
    const { stall } = controlFiles(config.settings.journal.path);
    keepFacts(stall, { in: 'strategy', strategy, loading: false, stillMs: STALL_MS, at: new Date(scene.machine.wallMs()).toISOString() });
    throw this.crash('kill', `in the code of ${strategy}, which did not come back`);
  }

  /** An error that nobody caught, as Node tells its process. */
  uncaught(error: unknown, how: 'exception' | 'rejection'): void {
    if (error instanceof PowerCut || this.isOver) return;
    if (this.daemon) this.daemon.uncaught(error, how);
    else this.options.watch.faulted(error);
  }

  /** Lets go of what a crashed process had open, once nothing of it runs any more. */
  bury(): void {
    const opened = this.daemon?.opened;
    for (const close of [() => opened?.store.close(), () => opened?.log.close()]) {
      try {
        close();
      } catch (error) {
        // What it could still write does not matter: the disk is put back as the crash left it.
        if (!(error instanceof Error)) throw error;
      }
    }
  }

  private checkpoint(): void {
    if (this.isOver || !this.daemon) return;
    const checkpoints = new Checkpoints(this.options.config.settings.journal.path);
    checkpoints.run();
    checkpoints.close();
    // SQLite syncs the log before it moves a page of it.
    this.options.disk.synced();
  }
}
