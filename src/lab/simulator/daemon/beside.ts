import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import path from 'node:path';
import { syncWritten } from '#adapters/journal/write-ahead.ts';
import { webhookApp } from '#adapters/webhook-receiver/server.ts';
import type { Engine } from '#core/engine/engine.ts';
import { Backtests } from '#daemon/operations/backtest/backtests.ts';
import { feesTaken } from '#daemon/operations/fees-taken.ts';
import { backUp, newestIn } from '#daemon/run/backups.ts';
import type { Beside } from '#daemon/run/beside.ts';
import { Control } from '#daemon/run/control.ts';
import { Drill } from '#daemon/run/drill.ts';
import { HaltFile } from '#daemon/run/halt-file.ts';
import type { Heartbeat } from '#daemon/run/heartbeat.ts';
import { SignalReception } from '#daemon/run/threads/signal-reception.ts';
import { signalIntake, signalsData } from '#daemon/run/threads/signals.ts';
import { WebhookReception } from '#daemon/run/threads/webhook-reception.ts';
import { threadData, webhookIntake } from '#daemon/run/threads/webhooks.ts';
import type { Scene } from '#lab/simulator/service/scene.ts';
import type { Power } from '#lab/simulator/world/machine.ts';
import { MachineSocket } from '#lab/simulator/world/machine-socket.ts';
import type { Timers } from '#ports/timers.ts';
import { RequestGuard } from '#server/control/request-guard.ts';
import { opsApp } from '#server/control/server.ts';
import type { Disk } from './disk.ts';
import { SimulatedMemory } from './memory.ts';

/** One request of the service to the daemon's route for notifications. */
export interface NotificationPost {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The control server as anybody on the machine reaches it. */
export interface Stranger {
  readonly host: string;
  readonly token: string;
  /** Sends a request; resolves with the status of the answer, 0 for none. */
  ask(request: string): Promise<number>;
}

/** A process that can crash at once. */
interface Crashing extends Power {
  crash(how: 'kill', where: string): Error;
}

/** The daemon's threads and servers, in the single thread of the simulation, with the entry points for the simulated world. */
export class SimulatedBeside implements Beside {
  /** The acts of a person; null while the control server is closed. */
  control: Control | null = null;
  /** The engine, for judges who look at it; null while the control server is closed. */
  engine: Pick<Engine, 'inspect'> | null = null;
  /** The control server's port; null while it is closed. */
  strangers: Stranger | null = null;
  /** The route for notifications: resolves with the status of the answer. */
  deliver: ((delivery: NotificationPost) => Promise<number>) | null = null;
  /** The route for signals from outside. */
  signal: ((delivery: NotificationPost) => Promise<number>) | null = null;
  /** The published heartbeat of the loop; null before it starts. */
  heartbeat: Pick<Heartbeat, 'turn' | 'inside'> | null = null;
  /** The watchdog's check for the halt file. */
  lookForHalt: () => void = () => {};
  private readonly scene: Scene;
  private readonly process: Crashing;
  private readonly disk: Disk;
  readonly memory: SimulatedMemory;
  /** Copies of the journal that were asked for so far. */
  private copied: Promise<unknown> = Promise.resolve();

  constructor(scene: Scene, process: Crashing, disk: Disk) {
    this.scene = scene;
    this.memory = new SimulatedMemory(scene);
    this.process = process;
    this.disk = disk;
  }

  readonly openSignals: Beside['openSignals'] = async (options) => {
    const data = signalsData(options);
    if (!data) return null;
    const take = signalIntake(options);
    const refused: Record<string, number> = {};
    const reception = new SignalReception({
      ...data,
      timers: options.timers,
      send: (batch) => this.scene.world.atEndOfTurn(() => take(batch, (written) => reception.settled(written))),
      sync: (journalPath) => this.synced(journalPath),
      onRefused: (cause) => {
        refused[cause] = (refused[cause] ?? 0) + 1;
      },
    });
    await reception.app.ready();
    this.signal = (delivery) => this.exchange(reception.app.server, requestOf('/signals/model', delivery));
    return {
      url: 'simulated:/signals',
      refused,
      close: async () => {
        this.signal = null;
        reception.close();
      },
    };
  };

  private synced(journalPath: string): void {
    syncWritten(journalPath);
    this.disk.synced();
  }

  readonly openWebhooks: Beside['openWebhooks'] = async (options) => {
    const data = threadData(options.settings);
    if (!data) return null;
    const { timers, serviceClock } = options;
    const intake = webhookIntake(options);
    const reception = new WebhookReception({
      ...data,
      timers,
      send: (batch) => this.scene.world.atEndOfTurn(() => reception.settled(intake.accept(batch))),
      sync: (journalPath) => this.synced(journalPath),
    });
    const stop = timers.every(5_000, () => {
      reception.offsetMs = (serviceClock.now()?.ms ?? timers.wallMs()) - timers.wallMs();
    });
    const app = webhookApp({ path: data.path, receiver: reception.receiver, onRefused() {} });
    await app.ready();
    this.deliver = (delivery) => this.exchange(app.server, requestOf(data.path, delivery));
    return {
      url: `simulated:${data.path}`,
      close: async () => {
        stop();
        this.deliver = null;
        reception.close();
        reception.closeJournal();
      },
    };
  };

  /** Delivers one request to a server on its own connection; resolves with the status of the answer, 0 for none. */
  private exchange(server: Server, request: string): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    const socket = new MachineSocket();
    socket.connected({
      written: (bytes) => {
        this.scene.world.stir();
        const [, status = '0'] = /^HTTP\/1\.1 (\d{3})/.exec(bytes.toString('latin1')) ?? [];
        resolve(this.process.isOver ? 0 : Number(status));
      },
      over: () => resolve(0),
    });
    server.emit('connection', socket);
    socket.deliver(Buffer.from(request));
    return promise;
  }

  readonly copyJournal: Beside['copyJournal'] = async (work) => {
    const { journal, to } = work;
    const strike = this.scene.troubles.strikes('F52', 'a copy of the journal comes to nothing');
    if (strike?.draws.chance(0.5)) {
      mkdirSync(path.dirname(to), { recursive: true, mode: 0o700 });
      writeFileSync(`${to}.partial`, readFileSync(journal).subarray(0, strike.draws.whole(1, 60_000)));
      throw this.process.crash('kill', 'in the middle of a backup');
    }
    // Simulates a full disk: the folder's path is a file.
    const place = strike ? path.join(journal, path.basename(to)) : to;
    // One after the other: which of two ends first is the real machine's.
    const made = this.copied.then(() => backUp({ ...work, to: place }));
    this.copied = made.catch(() => {});
    return this.scene.world.hold(made);
  };

  readonly findNewest: Beside['findNewest'] = async (dir, stem) => newestIn(dir, stem);

  readonly feesTaken: Beside['feesTaken'] = async (data) => feesTaken(data);

  readonly openControl: Beside['openControl'] = async (options) => {
    const { config, timers, opened, engine, handleNow, halt } = options;
    const drill = new Drill({ mode: config.mode, files: opened.files, timers, engine, handleNow, halt });
    const start = () => ({ onMessage() {}, onError() {}, stop: async () => {} });
    const backtests = new Backtests({ ...options, start });
    const control = new Control(options, { drill, backtests });
    this.control = control;
    this.engine = engine;
    this.strangers = this.doorTo(control, timers);
    return {
      url: 'http://simulated',
      drill,
      close: async () => {
        await backtests.close();
        this.control = null;
        this.engine = null;
        this.strangers = null;
      },
    };
  };

  /** The server is made when somebody asks it: most histories have no stranger. */
  private doorTo(control: Control, timers: Timers): Stranger {
    const token = 'd7c1f0a9'.repeat(6);
    const port = 8080;
    let app: ReturnType<typeof opsApp> | null = null;
    return {
      host: `127.0.0.1:${port}`,
      token,
      ask: async (request) => {
        app ??= opsApp(control, new RequestGuard({ host: '127.0.0.1', port, token, timers }));
        await app.ready();
        return this.exchange(app.server, request);
      },
    };
  }

  readonly startWatchdog: Beside['startWatchdog'] = ({ files, latch, onHalt, heartbeat }) => {
    this.heartbeat = heartbeat;
    const file = new HaltFile(files, latch);
    this.lookForHalt = () => file.inspect(onHalt);
    this.scene.world.after(10, () => this.lookForHalt());
    return {
      hasLooked: Promise.resolve(),
      close: async () => {
        this.lookForHalt = () => {};
      },
    };
  };
}

function requestOf(path: string, { headers, body }: NotificationPost): string {
  const lines = {
    host: 'partner.example',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    ...headers,
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${head.join('')}\r\n${body}`;
}
