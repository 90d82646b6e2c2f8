import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** `silent`: it has sent no whole request yet. `trusted`: it has shown the token. */
type PlaceState = 'silent' | 'idle' | 'looking' | 'trusted';

/** So many may be silent before one of them goes rather than an idle one: whoever has just connected is silent as well. */
const NEWCOMERS = 32;

/**
 * The connections that the control server holds. When all places are taken, a new connection gets the place of a silent one,
 * else of an idle one, else of one that only looks, each time the oldest. Who has shown the token keeps its place, so that
 * silent and slow connections cannot keep an operator out (B37, F74).
 */
export class ConnectionPlaces {
  private readonly max: number;
  private readonly held = new Map<Socket, PlaceState>();

  constructor(server: Server, max: number) {
    this.max = max;
    server.on('connection', (socket) => this.take(socket));
    server.on('request', (request, response) => this.serve(request, response));
  }

  /** For a connection that has shown the token. */
  trust({ socket }: IncomingMessage): void {
    this.set(socket, 'trusted');
  }

  private take(socket: Socket): void {
    if (this.held.size >= this.max) {
      const given = this.least() ?? socket;
      // Its place is free at once: the event of its closing comes a turn later, and many may connect in one turn.
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

  /** Whose place is given away; undefined where all have shown the token. */
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
