import type { Socket } from 'node:net';
import { Client } from 'undici';
import { MAX_BODY_BYTES } from './order-exchange.ts';

/** Clients built ahead. An order of a strategy with several legs takes more than one in a turn. */
const SPARES = 4;

interface OrderClientsOptions {
  readonly origin: string;
  /** Longest time in ms that the exchange itself may take, with its answer and the wait for a late one. */
  readonly exchangeMs: number;
}

/** A client that gets its connection when an order comes. */
interface Spare {
  readonly client: Client;
  socket: Socket | null;
}

/**
 * Clients for one order each, with one connection and no other. They are built ahead of the orders, beside the quotes' way: building one
 * takes longer than signing an order.
 */
export class OrderClients {
  private readonly options: OrderClientsOptions;
  private readonly spares: Spare[] = [];

  constructor(options: OrderClientsOptions) {
    this.options = options;
  }

  /** Builds until there are enough. To be called while no order waits. Idempotent. */
  refill(): void {
    while (this.spares.length < SPARES) this.spares.push(this.build());
  }

  /** A client whose connection is `socket`. It belongs to the caller, who destroys it. */
  clientOn(socket: Socket): Client {
    const spare = this.spares.pop() ?? this.build();
    spare.socket = socket;
    return spare.client;
  }

  private build(): Spare {
    const { origin, exchangeMs } = this.options;
    const client = new Client(origin, {
      connect: (_target, connected) =>
        spare.socket === null ? connected(new Error('no connection'), null) : connected(null, spare.socket),
      allowH2: false,
      pipelining: 1,
      maxRequestsPerClient: 0,
      // The exchange's own timers are shorter; these only stand in for them.
      headersTimeout: exchangeMs + 5000,
      bodyTimeout: exchangeMs + 5000,
      keepAliveTimeout: 1000,
      keepAliveMaxTimeout: 1000,
      maxHeaderSize: 16_384,
      maxResponseSize: 4 * MAX_BODY_BYTES,
      strictContentLength: true,
    });
    const spare: Spare = { client, socket: null };
    return spare;
  }
}
