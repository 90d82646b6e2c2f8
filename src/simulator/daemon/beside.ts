import type { Server } from 'node:http';
import { syncWritten } from '#adapters/journal/write-ahead.ts';
import { webhookApp } from '#adapters/webhooks/server.ts';
import type { Beside } from '#apps/daemon/beside.ts';
import { Control } from '#apps/daemon/control.ts';
import { Drill } from '#apps/daemon/drill.ts';
import { HaltFile } from '#apps/daemon/halt-file.ts';
import { WebhookReception } from '#apps/daemon/threads/webhook-reception.ts';
import { Intake, threadData } from '#apps/daemon/threads/webhooks.ts';
import type { Power } from '#simulator/world/machine.ts';
import { MachineSocket } from '#simulator/world/machine-socket.ts';
import type { World } from '#simulator/world/world.ts';
import type { Disk } from './disk.ts';

/** One request of the service to the daemon's route for notifications. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a daemon has beside its loop, done in the one thread of the simulation; and the doors by which the world comes in. */
export class SimulatedBeside implements Beside {
  /** The acts of a person; null while nobody listens. */
  control: Control | null = null;
  /** The route for notifications: resolves with the status of the answer. */
  deliver: ((delivery: Delivery) => Promise<number>) | null = null;
  /** The watchdog looks for the file of a halt. */
  lookForHalt: () => void = () => {};
  private readonly world: World;
  private readonly process: Power;
  private readonly disk: Disk;

  constructor(world: World, process: Power, disk: Disk) {
    this.world = world;
    this.process = process;
    this.disk = disk;
  }

  readonly openWebhooks: Beside['openWebhooks'] = async (options) => {
    const data = threadData(options.settings);
    if (!data) return null;
    const { timers, serviceClock } = options;
    const intake = new Intake(options);
    const reception = new WebhookReception({
      ...data,
      timers,
      send: (batch) => this.world.atEndOfTurn(() => reception.settled(intake.take(batch))),
      sync: (journalPath) => {
        syncWritten(journalPath);
        this.disk.synced();
      },
    });
    const stop = timers.every(5_000, () => {
      reception.offsetMs = (serviceClock.now()?.ms ?? timers.wallMs()) - timers.wallMs();
    });
    const app = webhookApp({ path: data.path, receiver: reception.receiver, onRefused() {} });
    await app.ready();
    this.deliver = (delivery) => this.post(app.server, data.path, delivery);
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

  /** Brings one request to a server, on a connection of its own; resolves with the status of the answer, 0 for none. */
  private post(server: Server, path: string, { headers, body }: Delivery): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    const socket = new MachineSocket();
    socket.connected({
      written: (bytes) => {
        this.world.stir();
        const [, status = '0'] = /^HTTP\/1\.1 (\d{3})/.exec(bytes.toString('latin1')) ?? [];
        resolve(this.process.isOver ? 0 : Number(status));
      },
      over: () => resolve(0),
    });
    server.emit('connection', socket);
    const length = String(Buffer.byteLength(body));
    const lines = {
      host: 'partner.example',
      'content-type': 'application/json',
      'content-length': length,
      connection: 'close',
      ...headers,
    };
    const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.deliver(Buffer.from(`POST ${path} HTTP/1.1\r\n${head.join('')}\r\n${body}`));
    return promise;
  }

  readonly openControl: Beside['openControl'] = async (options) => {
    const { config, timers, opened, engine, handleNow, halt } = options;
    const drill = new Drill({ mode: config.mode, files: opened.files, timers, engine, handleNow, halt });
    this.control = new Control(options, drill);
    return {
      url: 'http://simulated',
      drill,
      close: async () => {
        this.control = null;
      },
    };
  };

  readonly startWatchdog: Beside['startWatchdog'] = ({ files, latch, onHalt }) => {
    const file = new HaltFile(files, latch);
    this.lookForHalt = () => file.inspect(onHalt);
    this.world.after(10, () => this.lookForHalt());
    return {
      close: async () => {
        this.lookForHalt = () => {};
      },
    };
  };
}
