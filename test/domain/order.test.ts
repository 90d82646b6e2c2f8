import { describe, expect, test } from 'vitest';
import { decimalOf } from '#domain/decimal.ts';
import { currency, laneIdOf, orderId, productCode, quoteId, strategyId } from '#domain/names.ts';
import { fillAsQuoted, isOpen, type Order, type OrderCore, type OrderEvent, type OrderState, transition } from '#domain/order.ts';

const core: OrderCore = {
  id: orderId('7-1'),
  strategy: strategyId('s'),
  product: productCode('btcusd'),
  baseCcy: currency('btc'),
  quoteCcy: currency('usd'),
  side: 'buy',
  quoteId: quoteId('q'),
  lane: laneIdOf('btcusd@base:0.01'),
  validUntil: 3000,
  intentAt: 0,
  figures: { price: decimalOf(60000), size: decimalOf('0.01'), value: decimalOf(600), fee: decimalOf('0.6'), feeCcy: currency('usd') },
};

const orders: Record<OrderState, Order> = {
  intent: { ...core, state: 'intent' },
  sent: { ...core, state: 'sent', sentAt: 1 },
  accepted: { ...core, state: 'accepted', settledAt: 2, fill: fillAsQuoted(core) },
  rejected: { ...core, state: 'rejected', settledAt: 2 },
  unknown: { ...core, state: 'unknown', since: 2 },
  expired: { ...core, state: 'expired', settledAt: 2 },
  not_sent: { ...core, state: 'not_sent', settledAt: 2 },
};

const events: Record<OrderEvent['type'], OrderEvent> = {
  written: { type: 'written', at: 5 },
  expired: { type: 'expired', at: 5 },
  not_sent: { type: 'not_sent', at: 5 },
  accepted: { type: 'accepted', at: 5, fill: fillAsQuoted(core) },
  rejected: { type: 'rejected', at: 5 },
  unknown: { type: 'unknown', at: 5 },
};

/** state, event, resulting state; every pair has an answer. */
const table: readonly [OrderState, OrderEvent['type'], OrderState][] = [
  ['intent', 'written', 'sent'],
  ['intent', 'expired', 'expired'],
  ['intent', 'not_sent', 'not_sent'],
  ['intent', 'accepted', 'accepted'],
  ['intent', 'rejected', 'rejected'],
  ['intent', 'unknown', 'unknown'],
  ['sent', 'written', 'sent'],
  ['sent', 'expired', 'sent'],
  ['sent', 'not_sent', 'sent'],
  ['sent', 'accepted', 'accepted'],
  ['sent', 'rejected', 'rejected'],
  ['sent', 'unknown', 'unknown'],
  ['unknown', 'written', 'unknown'],
  ['unknown', 'expired', 'unknown'],
  ['unknown', 'not_sent', 'unknown'],
  ['unknown', 'accepted', 'accepted'],
  ['unknown', 'rejected', 'rejected'],
  ['unknown', 'unknown', 'unknown'],
  ...(['accepted', 'rejected', 'expired', 'not_sent'] as const).flatMap((state) =>
    (Object.keys(events) as OrderEvent['type'][]).map((event): [OrderState, OrderEvent['type'], OrderState] => [state, event, state]),
  ),
];

describe('an order never goes where its outcome would be lost or doubled', () => {
  test.each(table)('%s + %s -> %s', (from, event, to) => {
    const next = transition(orders[from], events[event]);
    expect(next.state).toBe(to);
    if (from === to) expect(next).toBe(orders[from]);
    else
      expect(next, 'with the time of that').toHaveProperty(
        to === 'sent' ? 'sentAt' : to === 'unknown' ? 'since' : 'settledAt',
        events[event].at,
      );
  });

  test('the table has every pair', () => {
    expect(table).toHaveLength(Object.keys(orders).length * Object.keys(events).length);
  });

  test('I04: only intent, sent and unknown count as open', () => {
    expect(
      Object.values(orders)
        .filter(isOpen)
        .map((order) => order.state),
    ).toEqual(['intent', 'sent', 'unknown']);
  });
});
