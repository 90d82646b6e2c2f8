import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import { MAX_BODY_BYTES } from './order-exchange.ts';

interface OrderClientsOptions {
  readonly origin: string;
  /** Longest time in ms that the exchange itself may take, with its answer and the wait for a late one. */
  readonly exchangeMs: number;
}

/**
 * Clients for one order each, with one connection and no other. They are built and connected when their connection opens, beside the
 * quotes' way: that takes longer than signing an order.
 */
export class OrderClients {
  private readonly options: OrderClientsOptions;
  private readonly connected = new WeakMap<Socket, Client>();

  constructor(options: OrderClientsOptions) {
    this.options = options;
  }

  /** A connection was opened. Writes nothing to it; bytes that come before an order end it. */
  opened(socket: Socket): void {
    this.connected.set(socket, this.connect(socket));
  }

  /** The client whose connection is `socket`. It belongs to the caller, who destroys it. */
  take(socket: Socket): Client {
    const client = this.connected.get(socket) ?? this.connect(socket);
    this.connected.delete(socket);
    return client;
  }

  private connect(socket: Socket): Client {
    const { origin, exchangeMs } = this.options;
    let given: Socket | null = socket;
    const client = new Client(origin, {
      connect: (_target, connected) => {
        if (given === null) connected(new Error('no connection'), null);
        else connected(null, given);
        given = null;
      },
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
    client.dispatch({ method: 'GET', path: '/' }, NEVER_WRITTEN);
    // undici does not look at its queue again after a connection that is there at once; this setter makes it look.
    client.pipelining = 1;
    return client;
  }
}

/** undici connects for a request alone: this one refuses itself at the last moment before bytes would leave. */
const NEVER_WRITTEN: Dispatcher.DispatchHandler = {
  onRequestStart() {
    throw new Error('connected');
  },
  onResponseStart() {},
  onResponseData() {},
  onResponseEnd() {},
  onResponseError() {},
};
