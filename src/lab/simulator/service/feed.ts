import type { OpenQuoteSocket } from '#adapters/service-client/quotes/quote-socket.ts';
import type { Power } from '#lab/simulator/world/machine.ts';
import { type FeedWatch, SimulatedConnection } from './feed-connection.ts';
import type { QuoteFrames } from './quote-frames.ts';
import type { Scene } from './scene.ts';

/** Number of quotes that come at once after a stall. */
const BURST = 300;

/** The quotes feed of the simulated service. */
export class ServiceFeed {
  private readonly scene: Scene;
  private readonly frames: QuoteFrames;
  private readonly watch: FeedWatch;
  private readonly connections = new Set<SimulatedConnection>();
  private opened = 0;

  constructor(scene: Scene, frames: QuoteFrames, watch: FeedWatch) {
    this.scene = scene;
    this.frames = frames;
    this.watch = watch;
    for (const { trouble } of scene.troubles.all('F23')) {
      scene.world.at(trouble.from, () => this.strike('F23', 'the feed closes its connections', (one) => one.closeAtRandom()));
    }
    // A refusal needs a client that connects.
    for (const { trouble } of scene.troubles.all('F24')) {
      scene.world.at(trouble.from, () => {
        for (const connection of [...this.connections]) connection.closeAtRandom();
      });
    }
    for (const { trouble } of scene.troubles.all('F22')) {
      scene.world.at(trouble.from, () => this.strike('F22', 'the service stands still', (one) => one.clog(trouble.to - trouble.from)));
    }
    for (const { trouble } of scene.troubles.all('F31')) {
      scene.world.at(trouble.from, () =>
        this.strike('F31', 'the feed stalls, and all comes at once', (one) => one.clog(trouble.figure, BURST)),
      );
    }
  }

  get open(): number {
    return this.connections.size;
  }

  /** Opens connections for a process; those of an ended process receive nothing more. */
  socketsOf(process: Power, mayOpen: (url: string) => void): OpenQuoteSocket {
    return (url, events) => {
      mayOpen(url);
      this.opened += 1;
      const connection = new SimulatedConnection(this.scene, {
        number: this.opened,
        events,
        frames: this.frames,
        watch: this.watch,
        onClosed: () => void this.connections.delete(connection),
        isMachineAlive: () => !process.isOver,
      });
      this.connections.add(connection);
      return connection;
    };
  }

  /** Drops all connections of an ended process. */
  dropAll(): void {
    for (const connection of [...this.connections]) connection.destroy();
  }

  private strike(fault: 'F22' | 'F23' | 'F31', what: string, on: (connection: SimulatedConnection) => void): void {
    if (this.scene.troubles.on(fault) === undefined) return;
    this.scene.troubles.struck(fault, what);
    for (const connection of [...this.connections]) on(connection);
  }
}
