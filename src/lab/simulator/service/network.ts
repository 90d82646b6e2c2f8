import type { Dial } from '#adapters/service-client/dial.ts';
import type { Power } from '#lab/simulator/world/machine.ts';
import { MachineSocket, networkError } from '#lab/simulator/world/machine-socket.ts';
import { type Answerer, HttpConnection, type HttpWatch } from './http-connection.ts';
import type { Scene } from './scene.ts';

/** The network between the machine and the service, for requests. */
export class Network {
  private readonly scene: Scene;
  private readonly parts: { readonly answer: Answerer; readonly watch: HttpWatch };
  private readonly sockets = new Set<MachineSocket>();

  constructor(scene: Scene, parts: { readonly answer: Answerer; readonly watch: HttpWatch }) {
    this.scene = scene;
    this.parts = parts;
  }

  get open(): number {
    return this.sockets.size;
  }

  /** The dialer of a process. */
  dialOf(process: Power): Dial {
    return () => {
      const socket = new MachineSocket();
      // An ended process reaches nobody.
      if (process.isOver) return socket;
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
      const { world, machine, draws, plan } = this.scene;
      world.after(2 * draws.between(...plan.latencyMs), () => {
        machine.receive(() => {
          // What was on its way when the process ended finds nobody.
          if (process.isOver) socket.destroy();
          else if (!socket.destroyed) this.connect(socket);
        });
      });
      return socket;
    };
  }

  /** Drops all connections of an ended process. */
  dropAll(): void {
    for (const socket of [...this.sockets]) socket.destroy();
    this.sockets.clear();
  }

  private connect(socket: MachineSocket): void {
    const { troubles } = this.scene;
    const certificate = troubles.all('F02').find(({ trouble }) => this.isDuring(trouble.from, trouble.from + trouble.figure));
    if (certificate) {
      troubles.struck('F02', 'the certificate of the service is refused');
      socket.destroy(networkError('CERT_HAS_EXPIRED', 'certificate has expired'));
    } else if (troubles.on('F63')) {
      troubles.struck('F63');
      socket.destroy(networkError('EMFILE', 'connect'));
    } else if (troubles.on('F01')) {
      troubles.struck('F01');
      socket.destroy(networkError('ECONNREFUSED', 'connect'));
    } else new HttpConnection(this.scene, socket, this.parts);
  }

  private isDuring(from: number, to: number): boolean {
    const { now } = this.scene.world;
    return now >= from && now < to;
  }
}
