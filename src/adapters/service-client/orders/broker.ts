import type { Socket } from 'node:net';
import type { Client } from 'undici';
import type { Dial } from '#adapters/service-client/dial.ts';
import { serviceAddress } from '#adapters/service-client/rest/service-address.ts';
import type { ServiceSettings } from '#adapters/service-client/rest/settings.ts';
import { invariant, messageOf } from '#domain/errors.ts';
import type { ExecutionReport } from '#domain/execution-report.ts';
import type { OrderCore } from '#domain/order.ts';
import type { Broker, IsStopped, LastGate, ReportSink } from '#ports/broker.ts';
import type { ServiceClock } from '#ports/service-clock.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import { OrderClients } from './order-clients.ts';
import { OrderExchange } from './order-exchange.ts';
import { OrderRequests } from './order-requests.ts';
import { WarmSockets } from './warm-sockets.ts';

/** So many of the last answers are told apart from others. */
const KEPT_ANSWERS = 1000;

export interface WireBrokerOptions {
  /** The service's base address, or that of the embedded venue. */
  readonly baseUrl: string;
  readonly service: ServiceSettings;
  readonly gate: LastGate;
  readonly timers: Timers;
  /** Begins connections; the machine's network unless given. */
  readonly dial?: Dial | undefined;
  /** Stamps signatures; this machine's wall clock unless given. */
  readonly serviceClock?: ServiceClock;
  /** Connections kept open ahead; 4 unless given. */
  readonly warmSockets?: number;
  /** An idle connection is replaced after so long; 20 s unless given. */
  readonly idleMs?: number;
  /** Time to open a connection; 3 s unless given. */
  readonly connectMs?: number;
  /** Time for which a late answer is waited for; 30 s unless given. */
  readonly lateMs?: number;
  /** Told when no connection can be opened ahead; `certificate` when the service could not prove who it is. */
  readonly onConnectTrouble?: (why: string, certificate: boolean) => void;
}

/**
 * Sends orders to the service (spec 4.4, 5.1), each once, each on a connection of its own that was opened ahead. From
 * `submit` to the socket there is no promise: signed last, then the dispatcher, whose start asks the last gate.
 */
export class WireBroker implements Broker {
  private readonly options: WireBrokerOptions;
  private readonly requests: OrderRequests;
  private readonly warm: WarmSockets;
  private readonly clients: OrderClients;
  private readonly lateMs: number;
  private readonly exchanges = new Map<OrderExchange, Client>();
  /** Answers by which orders were executed: a gateway may give one to two of them. */
  private readonly executed = new Set<string>();
  /** Orders that wait for a connection. */
  private readonly dialling = new Map<OrderCore, Cancel>();
  private sink: ReportSink | null = null;
  private closing: Promise<void> | null = null;
  private idle: (() => void) | null = null;

  /** Throws CONFIG_INVALID for credentials, an address or a path that cannot be used. */
  constructor(options: WireBrokerOptions) {
    const { service } = options;
    this.options = options;
    const address = serviceAddress(options.baseUrl);
    this.requests = new OrderRequests(address, service);
    this.lateMs = options.lateMs ?? 30_000;
    this.clients = new OrderClients({ origin: address.origin, exchangeMs: service.answerMs + this.lateMs });
    this.warm = new WarmSockets({
      address,
      timers: options.timers,
      dial: options.dial,
      size: options.warmSockets ?? 4,
      idleMs: options.idleMs ?? 20_000,
      connectMs: options.connectMs ?? 3000,
      ...(options.onConnectTrouble === undefined ? {} : { onTrouble: options.onConnectTrouble }),
    });
  }

  /** Number of connections that an order could use now. */
  get ready(): number {
    return this.warm.ready;
  }

  /** Sets the sink for reports and opens connections ahead. */
  connect(sink: ReportSink): void {
    this.sink = sink;
    if (this.closing !== null) return;
    this.clients.refill();
    this.warm.refill();
  }

  /** Opens the connections that wait for orders anew; orders on their way keep theirs. */
  renew(): void {
    if (this.closing === null) this.warm.renew();
  }

  submit(order: OrderCore, isStopped?: IsStopped): void {
    invariant(this.sink !== null, 'a broker is connected before orders are submitted');
    if (this.closing !== null) {
      this.notSent(order, 'the daemon is stopping');
      return;
    }
    const socket = this.warm.acquire();
    if (socket !== undefined) {
      this.send(order, socket, isStopped);
      return;
    }
    const cancel = this.warm.open((opened) => {
      this.dialling.delete(order);
      if ('socket' in opened) this.send(order, opened.socket, isStopped);
      else this.notSent(order, opened.why);
      this.checkIdle();
    });
    this.dialling.set(order, cancel);
  }

  close(drainMs: number): Promise<void> {
    this.closing ??= this.drain(drainMs);
    return this.closing;
  }

  private async drain(drainMs: number): Promise<void> {
    for (const [order, cancel] of [...this.dialling]) {
      cancel();
      this.dialling.delete(order);
      this.notSent(order, 'the daemon is stopping');
    }
    this.warm.close();
    if (this.exchanges.size > 0) {
      await new Promise<void>((resolve) => {
        const cancel = this.options.timers.after(drainMs, resolve);
        this.idle = () => {
          cancel();
          resolve();
        };
      });
    }
    for (const exchange of [...this.exchanges.keys()]) exchange.cut('the daemon stopped before an answer came');
  }

  /** Signs and hands over. The client is new, has this connection and no other, and ends with this order. */
  private send(order: OrderCore, socket: Socket, isStopped: IsStopped | undefined): void {
    const { gate, service, timers } = this.options;
    const client = this.clients.clientOn(socket);
    const signedAtMs = timers.monotonicMs();
    const stampMs = Math.floor(this.options.serviceClock?.now()?.ms ?? timers.wallMs());
    const exchange: OrderExchange = new OrderExchange({
      order,
      isStopped,
      socket,
      gate,
      signedAtMs,
      timers,
      rules: service,
      executed: this.executed,
      answerMs: service.answerMs,
      lateMs: this.lateMs,
      report: (report) => this.report(order, report),
      over: () => this.over(exchange),
    });
    this.exchanges.set(exchange, client);
    try {
      this.requests.dispatch(client, exchange, { order, stampMs });
    } catch (error) {
      exchange.cut(`the request could not be built: ${messageOf(error)}`);
    }
  }

  private over(exchange: OrderExchange): void {
    for (const oldest of this.executed) if (this.executed.size > KEPT_ANSWERS) this.executed.delete(oldest);
    const client = this.exchanges.get(exchange);
    this.exchanges.delete(exchange);
    // In the next turn, since undici is in the middle of this request; its end is of no interest.
    queueMicrotask(() => client?.destroy(null, () => {}));
    if (this.closing === null) this.clients.refill();
    this.checkIdle();
  }

  private checkIdle(): void {
    if (this.exchanges.size === 0) this.idle?.();
  }

  private notSent(order: OrderCore, why: string): void {
    this.report(order, { type: 'not_sent', reason: 'NOT_CONNECTED', why });
  }

  private report(order: OrderCore, report: ExecutionReport): void {
    this.sink?.(order.id, report);
  }
}
