import { expect, test } from 'vitest';
import { type Decimal, decimalOf } from '#domain/decimal.ts';
import type { Quote } from '#domain/quote.ts';
import { MatchingBroker, type MatchingBrokerOptions } from '#paper-venue/core/matching-broker.ts';
import { order, Reports, TestGate } from '../adapters/service-client/support/orders.ts';
import { quoteWith } from '../support/quotes.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

function bench(changes: Partial<MatchingBrokerOptions> = {}) {
  const timers = new VirtualTimers();
  const reports = new Reports();
  const broker = new MatchingBroker({
    timers,
    gate: new TestGate(timers),
    latency: () => ({ thereMs: 100, backMs: 50 }),
    feeIn: 'quote',
    balances: new Map(),
    ...changes,
  });
  broker.connect(reports.sink);
  const quote = (liveMs: number): Quote => {
    const fresh = quoteWith({ validUntil: timers.wallMs() + liveMs });
    broker.quoted(fresh);
    return fresh;
  };
  return { timers, reports, broker, quote };
}

const on = ({ id, validUntil }: Quote, side: 'buy' | 'sell' = 'buy') => order({ side, validUntil, ...(id && { quoteId: id }) });

test('F15 a quote must live when the order arrives, to its last millisecond, and not only when it leaves', () => {
  for (const [liveMs, outcome] of [
    [100, 'accepted'],
    [99, 'rejected'],
  ] as const) {
    const { timers, reports, broker, quote } = bench();
    const asked = on(quote(liveMs));
    broker.submit(asked);
    timers.advance(149);
    expect(reports.types(asked)).toEqual(['written']);
    timers.advance(1);
    expect(reports.types(asked)).toEqual(['written', outcome]);
    expect(reports.of(asked)[1]).toMatchObject({ roundTripMs: 150 });
  }
});

test('quotes expire by the clock of the service', () => {
  const timers = new VirtualTimers();
  const behind = { now: () => ({ ms: timers.wallMs() - 1000, halfWidthMs: 0 }) };
  const reports = new Reports();
  const latency = () => ({ thereMs: 100, backMs: 50 });
  const broker = new MatchingBroker({
    timers,
    gate: new TestGate(timers),
    serviceClock: behind,
    latency,
    feeIn: 'quote',
    balances: new Map(),
  });
  broker.connect(reports.sink);
  const fresh = quoteWith({ validUntil: timers.wallMs() + 50 });
  broker.quoted(fresh);
  const asked = on(fresh);
  broker.submit(asked);
  timers.advance(150);
  expect(reports.types(asked)).toEqual(['written', 'accepted']);
});

test('an account that does not cover an order has it rejected and keeps what it holds', () => {
  const balances = new Map<string, Decimal>([['usd', decimalOf('5004.99')]]);
  const { timers, reports, broker, quote } = bench({ balances });
  const asked = on(quote(3000));
  broker.submit(asked);
  timers.advance(150);
  expect(reports.of(asked)[1]).toMatchObject({ outcome: 'rejected', httpStatus: 422, body: '{"errorCode":"INSUFFICIENT_FUNDS"}' });
  expect([...broker.balances].map(String)).toEqual(['usd,5004.99']);
});

test.each([
  ['quote', 'buy', { fee: '5', feeCcy: 'usd' }, '1.1', '94995'],
  ['base', 'buy', { fee: '0.0001', feeCcy: 'btc' }, '1.0999', '95000'],
  ['base', 'sell', { fee: '0.0001', feeCcy: 'btc' }, '0.8999', '105000'],
  ['received', 'buy', { fee: '0.0001', feeCcy: 'btc' }, '1.0999', '95000'],
  ['received', 'sell', { fee: '5', feeCcy: 'usd' }, '0.9', '104995'],
] as const)('a fee in %s currency on a %s is taken from there, once', (feeIn, side, figures, btc, usd) => {
  const balances = new Map([
    ['btc', decimalOf(1)],
    ['usd', decimalOf(100_000)],
  ]);
  const { timers, reports, broker, quote } = bench({ feeIn, balances });
  const asked = on(quote(3000), side);
  broker.submit(asked);
  timers.advance(150);
  expect(reports.of(asked)[1]).toMatchObject({ figures });
  expect([String(broker.balances.get('btc')), String(broker.balances.get('usd'))]).toEqual([btc, usd]);
});

test('quotes are forgotten a minute after they died, so that a long run stays small', () => {
  const { timers, reports, broker, quote } = bench();
  const old = quote(1000);
  timers.advance(61_001);
  quote(1000);
  const asked = { ...on(old), validUntil: timers.wallMs() + 1000 };
  broker.submit(asked);
  timers.advance(150);
  expect(reports.of(asked)[1]).toMatchObject({ outcome: 'rejected', body: '{"errorCode":"QUOTE_UNKNOWN"}' });
});

test('orders that a stop cuts short are unknown, and leave no timer behind', async () => {
  const { timers, reports, broker, quote } = bench();
  const asked = on(quote(3000));
  broker.submit(asked);
  const closed = broker.close(20);
  timers.advance(20);
  await closed;
  expect(reports.types(asked)).toEqual(['written', 'unknown']);
  expect(timers.pending).toBe(0);
});
