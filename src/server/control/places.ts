import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** `silent`: without a complete request yet. `trusted`: it has shown the token. */
type PlaceState = 'silent' | 'idle' | 'looking' | 'trusted';

/** Number of silent connections beyond which one of them is closed before an idle one. New connections are silent at first. */
const NEWCOMERS = 32;

/**
 * The control server's connections. When all places are taken, a new connection replaces a silent one, else an idle one,
 * else one that only reads, each time the oldest. A connection that has shown the token keeps its place: silent and slow
 * ones cannot lock an operator out (B37, F74).
 */
export class ConnectionPlaces {
  private readonly max: number;
  private readonly held = new Map<Socket, PlaceState>();

  constructor(server: Server, max: number) {
    this.max = max;
    server.on('connection', (socket) => this.admit(socket));
    server.on('request', (request, response) => this.serve(request, response));
  }

  /** Marks a connection that has shown the token. */
  trust({ socket }: IncomingMessage): void {
    this.set(socket, 'trusted');
  }

  private admit(socket: Socket): void {
    if (this.held.size >= this.max) {
      const given = this.least() ?? socket;
      // Frees its place at once: its close event comes a turn later, and many may connect in one turn.
      this.held.delete(given);
      given.destroy();
      if (given === socket) return;
    }
    this.held.set(socket, 'silent');
    socket.once('close', () => this.held.delete(socket));
  }

  private serve({ socket }: IncomingMessage, response: ServerResponse): void {
    this.set(socket, 'looking');
    response.once('close', () => this.set(socket, 'idle'));
  }

  private set(socket: Socket, standing: PlaceState): void {
    const before = this.held.get(socket);
    if (before !== undefined && before !== 'trusted') this.held.set(socket, standing);
  }

  /** The connection to replace; undefined if all have shown the token. */
  private least(): Socket | undefined {
    const oldest: Partial<Record<PlaceState, Socket>> = {};
    let silent = 0;
    for (const [socket, standing] of this.held) {
      oldest[standing] ??= socket;
      if (standing === 'silent') silent += 1;
    }
    const newcomer = oldest.silent;
    return silent > NEWCOMERS ? newcomer : (oldest.idle ?? oldest.looking ?? newcomer);
  }
}
