import type { Scene } from '#lab/simulator/service/scene.ts';
import { type MachineSocket, networkError } from '#lab/simulator/world/machine-socket.ts';
import { isOrderPath, RequestReader, type WireRequest } from './http-text.ts';

/** Receives what passes over a request connection. */
export interface HttpWatch {
  /** The machine has handed these bytes of a whole request to its kernel. */
  wrote(request: WireRequest, connection: HttpConnection): void;
  /** Bytes of the service have reached the machine; `isClear`: they state an execution beyond doubt. */
  came(connection: HttpConnection, answer: { readonly bytes: Buffer; readonly isClear: boolean }): void;
}

/** What answers requests. */
export type Answerer = (request: WireRequest, connection: HttpConnection) => void;

/** One connection for requests, from both sides. */
export class HttpConnection {
  private readonly scene: Scene;
  private readonly socket: MachineSocket;
  private readonly watch: HttpWatch;
  private readonly reader = new RequestReader();
  private lastDue = 0;
  private isOver = false;

  constructor(scene: Scene, socket: MachineSocket, { answer, watch }: { readonly answer: Answerer; readonly watch: HttpWatch }) {
    this.scene = scene;
    this.socket = socket;
    this.watch = watch;
    socket.connected({
      written: (bytes) => {
        for (const request of this.reader.add(bytes)) {
          scene.world.stir();
          scene.history.note(`http < ${request.bytes}`);
          watch.wrote(request, this);
          if (isOrderPath(request.path) && scene.troubles.strikes('F04', 'the connection dies while an order is written')) {
            this.reset();
            return;
          }
          // A late write reaches the service late.
          const still = scene.troubles.on('F22')?.trouble.to ?? 0;
          scene.world.at(Math.max(still, scene.machine.felt) + this.latency(), () => answer(request, this));
        }
      },
      over: () => {
        this.isOver = true;
      },
    });
  }

  /** Sends bytes to the machine, in order. */
  send(bytes: Buffer, isClear = false): void {
    this.toMachine(() => {
      this.scene.history.note(`http > ${bytes.toString('latin1')}`);
      this.watch.came(this, { bytes, isClear });
      this.socket.deliver(bytes);
    });
  }

  end(): void {
    this.toMachine(() => this.socket.ended());
  }

  reset(): void {
    this.toMachine(() => this.socket.destroy(networkError('ECONNRESET', 'read')));
  }

  private toMachine(run: () => void): void {
    const { world, machine } = this.scene;
    this.lastDue = Math.max(this.lastDue, world.now + this.latency());
    world.at(this.lastDue, () => {
      machine.receive(() => {
        world.stir();
        if (!this.isOver) run();
      });
    });
  }

  private latency(): number {
    return this.scene.draws.between(...this.scene.plan.latencyMs);
  }
}
