import type { Decision } from '#domain/decision.ts';
import type { Millis } from '#domain/names.ts';
import type { OrderState } from '#domain/order.ts';
import type { Side } from '#domain/quote.ts';
import type { Reason } from '#domain/reasons.ts';

/** An order in its present state. */
export interface ScenarioOrder {
  /** Milliseconds since the beginning. */
  readonly at: Millis;
  readonly side: Side;
  /** In base currency. */
  readonly size: number;
  /** In quote currency. */
  readonly price: number;
  readonly state: OrderState;
  /** Why its state is what it is. */
  readonly reason: Reason | null;
  /** The strategy's reason. */
  readonly why: string;
}

/** An intent that did not become an order. */
export interface ScenarioRefusal {
  readonly at: Millis;
  readonly side: Side;
  readonly reason: Reason | null;
  readonly why: string;
}

/** The orders in a list of decisions. */
export function ordersIn(decisions: readonly Decision[], startAt: Millis): readonly ScenarioOrder[] {
  const why = new Map<string, string>();
  const orders = new Map<string, ScenarioOrder>();
  for (const decision of decisions) {
    const { kind, orderId, at, reason, detail } = decision;
    if (orderId === null) continue;
    const before = orders.get(orderId);
    if (kind === 'intent') why.set(orderId, detail.why);
    else if (kind === 'approved') {
      const { side, size, price } = detail.order;
      const order = { at: at - startAt, side, size: Number(size), price: Number(price), reason: null };
      orders.set(orderId, { ...order, state: 'intent', why: why.get(orderId) ?? '' });
    } else if (before && isState(kind)) orders.set(orderId, { ...before, state: kind, reason });
  }
  return [...orders.values()];
}

/** The refusals in a list of decisions; a repeated one is there once, at its beginning. */
export function refusalsIn(decisions: readonly Decision[], startAt: Millis): readonly ScenarioRefusal[] {
  return decisions.flatMap((decision): ScenarioRefusal[] => {
    if (decision.kind !== 'refused' || decision.detail.repeated !== undefined) return [];
    const { at, reason, detail } = decision;
    return [{ at: at - startAt, side: detail.intent.side, reason, why: detail.intent.why }];
  });
}

const STATES: ReadonlySet<string> = new Set<OrderState>(['sent', 'accepted', 'rejected', 'unknown', 'expired', 'not_sent']);

const isState = (kind: string): kind is OrderState => STATES.has(kind);
