import { WebSocket } from 'ws';
import { WireBroker } from '#adapters/service-client/orders/broker.ts';
import { OrderExchange } from '#adapters/service-client/orders/order-exchange.ts';
import { Engine } from '#core/engine/engine.ts';
import { Inbox } from '#core/engine/inbox.ts';
import { RealTimeGate } from '#core/risk/last-gate.ts';
import type { NumberedEvent } from '#domain/event.ts';
import type { LaneId } from '#domain/names.ts';
import type { OrderCore } from '#domain/order.ts';
import type { Quote } from '#domain/quote.ts';
import type { Journal } from '#ports/journal.ts';
import { machineMs } from '../statistics.ts';
import type { Marks } from './protocol.ts';
import type { SliceMeter } from './slice-meter.ts';

/**
 * Notes when a quote passes each stage of the real daemon, from outside: the methods at the borders of the stages are
 * wrapped, and nothing in them is changed. Only quotes of `lanes` are noted; the rest costs one look-up.
 */
export function installProbe(meter: SliceMeter, lanes: ReadonlySet<LaneId>): (journal: Journal) => Journal {
  let receivedMs = 0;
  let sending: Marks | undefined;

  const emit = WebSocket.prototype.emit;
  WebSocket.prototype.emit = function noted(this: WebSocket, name: string | symbol, ...args: unknown[]): boolean {
    if (name === 'message') {
      receivedMs = machineMs();
      meter.frames += 1;
    }
    return emit.call(this, name, ...args);
  };

  const quote = Inbox.prototype.quote;
  Inbox.prototype.quote = function noted(this: Inbox, given: Quote): void {
    if (given.id !== null && lanes.has(given.lane)) meter.open(given.id, receivedMs).queued = machineMs();
    quote.call(this, given);
  };

  const handle = Engine.prototype.handle;
  Engine.prototype.handle = function noted(this: Engine, numbered: NumberedEvent): void {
    const { event } = numbered;
    const marks = event.kind === 'quote' && lanes.has(event.quote.lane) ? meter.of(event.quote.id) : undefined;
    if (marks) marks.drained = machineMs();
    handle.call(this, numbered);
  };

  const submit = WireBroker.prototype.submit;
  WireBroker.prototype.submit = function noted(this: WireBroker, order: OrderCore): void {
    sending = meter.of(order.quoteId);
    submit.call(this, order);
  };

  const check = RealTimeGate.prototype.check;
  RealTimeGate.prototype.check = function noted(this: RealTimeGate, order: Parameters<typeof check>[0]) {
    if (sending) sending.signed = machineMs();
    return check.call(this, order);
  };

  const onRequestSent = OrderExchange.prototype.onRequestSent;
  OrderExchange.prototype.onRequestSent = function noted(this: OrderExchange): void {
    if (sending) sending.written = machineMs();
    sending = undefined;
    onRequestSent.call(this);
  };

  return (journal) => ({
    commit(decisions) {
      const approved = decisions.find(({ kind }) => kind === 'approved');
      const marks = approved === undefined ? undefined : meter.of(approved.quoteId);
      if (marks) marks.decided = machineMs();
      journal.commit(decisions);
      if (marks) marks.committed = machineMs();
    },
    defer: (decisions) => journal.defer(decisions),
    write: () => journal.write(),
    flush: () => journal.flush(),
    end: (run, endState) => journal.end(run, endState),
  });
}
