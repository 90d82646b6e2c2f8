import { expect, test } from 'vitest';
import { dryLine, heldAtStart, MeasuredLatency, UNMEASURED_ROUND_TRIP_MS } from '#daemon/run/dry/dry-line.ts';
import { type Decimal, decimalOf } from '#domain/decimal.ts';
import type { Decision } from '#domain/decision.ts';
import type { LaneChange } from '#domain/lane.ts';
import type { Quote } from '#domain/quote.ts';
import { order, Reports, TestGate } from '../../../adapters/service-client/support/orders.ts';
import { btcLane, quoteWith } from '../../../support/quotes.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';

function bench(held: ReadonlyMap<string, Decimal> = new Map()) {
  const timers = new VirtualTimers();
  const serviceClock = { now: () => ({ ms: timers.wallMs(), halfWidthMs: 0 }) };
  const line = dryLine({ service: { feeIn: 'quote' }, held, timers, gate: new TestGate(timers), serviceClock });
  const reports = new Reports();
  const quotes: Quote[] = [];
  const changes: LaneChange[] = [];
  const sink = line.quotesTo({ quote: (quote) => quotes.push(quote), change: (change) => changes.push(change), shown() {} });
  line.connect(reports.sink);
  const arrived = (id: string | null, liveMs = 3000): Quote => {
    sink.quote(quoteWith({ id, validUntil: timers.wallMs() + liveMs }));
    const last = quotes.at(-1);
    if (!last) throw new Error('a quote is passed on');
    return last;
  };
  const ordered = ({ id, validUntil }: Quote) => {
    const asked = order({ validUntil, ...(id && { quoteId: id }) });
    line.broker.submit(asked);
    return asked;
  };
  return { timers, line, reports, sink, quotes, changes, arrived, ordered };
}

test('F32 an anonymous quote gets an id of our own, by which it can be traded on once; others keep theirs', () => {
  const { timers, reports, arrived, ordered } = bench();
  const [one, two, own] = [arrived(null), arrived(null), arrived('theirs')];
  expect(new Set([one.id, two.id]).size).toBe(2);
  expect([own.id, Object.isFrozen(one)]).toEqual(['theirs', true]);
  for (const [quote, outcome] of [
    [one, 'accepted'],
    [own, 'accepted'],
    [one, 'rejected'],
  ] as const) {
    const asked = ordered(quote);
    timers.advance(UNMEASURED_ROUND_TRIP_MS);
    expect(reports.types(asked)).toEqual(['written', outcome]);
  }
});

test('changes of lanes pass as they are', () => {
  const { sink, changes } = bench();
  sink.change({ phase: 'acked', lane: btcLane.id, epoch: 1 });
  expect(changes).toEqual([{ phase: 'acked', lane: btcLane.id, epoch: 1 }]);
});

test('F15 an order takes as long as the service was measured to take: a quote that dies on the way is lost', () => {
  const { timers, line, reports, arrived, ordered } = bench();
  line.onRoundTrip?.(1000);
  const [dies, lives] = [ordered(arrived(null, 499)), ordered(arrived(null, 500))];
  timers.advance(1000);
  expect([reports.types(dies), reports.types(lives)]).toEqual([
    ['written', 'rejected'],
    ['written', 'accepted'],
  ]);
});

test('the account covers what the service would let it cover, with what is booked meanwhile; an unnamed currency never lacks', () => {
  const booked = (amount: string): Decision => ({
    kind: 'booked',
    at: 0,
    inboxSeq: 1,
    strategy: null,
    product: null,
    reason: null,
    quoteId: null,
    orderId: null,
    detail: { who: 't', why: 't', entries: [{ kind: 'deposit', book: 'treasury', currency: 'usd', amount }] },
  });
  const { timers, line, reports, arrived, ordered } = bench(new Map([['usd', decimalOf(5004)]]));
  const written: string[] = [];
  const journal = line.journalTo({
    commit: (rows) => written.push(...rows.map(({ kind }) => `commit ${kind}`)),
    defer: (rows) => written.push(...rows.map(({ kind }) => `defer ${kind}`)),
    write() {},
    flush() {},
    end() {},
  });
  const outcomes = [() => {}, () => journal.commit([booked('0.5')]), () => journal.defer([booked('0.5')]), () => {}].map((before) => {
    before();
    const asked = ordered(arrived(null));
    timers.advance(UNMEASURED_ROUND_TRIP_MS);
    return reports.types(asked).at(-1);
  });
  expect(outcomes).toEqual(['rejected', 'rejected', 'accepted', 'rejected']);
  expect(written).toEqual(['commit booked', 'defer booked']);
});

test('an order that a crash or a stop cut short was executed nowhere, and is told of so', () => {
  const { line, reports } = bench();
  const cut = order();
  line.onUnknown?.(cut, false);
  expect(reports.of(cut)).toEqual([{ type: 'found', executed: false, figures: {}, body: '' }]);
});

test('a later run begins with what the earlier ones left', () => {
  const held = heldAtStart({
    opening: { usd: '1000', btc: '1' },
    openings: [
      { book: 'treasury', currency: 'usd', amount: '900' },
      { book: 'one', currency: 'usd', amount: '100' },
      { book: 'one', currency: 'sek', amount: '5' },
    ],
    flows: { usd: '-605.5', btc: '0.01', eth: '3' },
  });
  expect([...held].map(String)).toEqual(['usd,394.5', 'btc,0.01']);
});

test('round trips are drawn from the last 200 that were measured', () => {
  const timers = new VirtualTimers();
  const latency = new MeasuredLatency(timers);
  expect(latency.draw()).toEqual({ thereMs: UNMEASURED_ROUND_TRIP_MS / 2, backMs: UNMEASURED_ROUND_TRIP_MS / 2 });
  for (const ms of [9999, ...Array<number>(100).fill(10), ...Array<number>(100).fill(30)]) latency.measured(ms);
  const drawn = new Set(Array.from({ length: 300 }, () => latency.draw().thereMs));
  expect([...drawn].sort()).toEqual([15, 5]);
});
