import type { ExecutionReport } from '#domain/execution-report.ts';
import type { OrderId } from '#domain/names.ts';
import type { OrderCore } from '#domain/order.ts';
import type { Broker, IsStopped, ReportSink } from '#ports/broker.ts';

/** A broker that keeps what it was given; the test says what becomes of it. An order must be durable by then (I01). */
export class HeldBroker implements Broker {
  readonly submitted: OrderCore[] = [];
  private readonly stops = new Map<OrderId, IsStopped>();
  /** Invariants that what it was given broke. */
  readonly broken: string[] = [];
  private readonly isDurable: (order: OrderId) => boolean;
  private sink: ReportSink = () => {};
  private beyond: Broker | null = null;

  constructor(isDurable: (order: OrderId) => boolean) {
    this.isDurable = isDurable;
  }

  connect(sink: ReportSink): void {
    this.sink = sink;
  }

  /** Orders go on to another broker, whose reports are handed back. */
  passOnTo(broker: Broker): void {
    this.beyond = broker;
    broker.connect((id, report) => this.sink(id, report));
  }

  /** True where the last gate would not let the order out any more. */
  isStopped(order: OrderId): boolean {
    return this.stops.get(order)?.() === true;
  }

  submit(order: OrderCore, isStopped: IsStopped): void {
    if (!this.isDurable(order.id)) this.broken.push(`I01: order ${order.id} was handed over before it was committed`);
    if (this.submitted.some(({ quoteId }) => quoteId === order.quoteId)) this.broken.push(`I02: quote ${order.quoteId} was used twice`);
    this.submitted.push(order);
    this.stops.set(order.id, isStopped);
    this.beyond?.submit(order, isStopped);
  }

  report(id: OrderId, report: ExecutionReport): void {
    this.sink(id, report);
  }

  async close(): Promise<void> {}
}
