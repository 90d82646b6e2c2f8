import { expect, test } from 'vitest';
import { VirtualClock } from '#adapters/time/virtual-clock.ts';
import { VirtualTimers } from '#adapters/time/virtual-timers.ts';
import { RealTimeGate } from '#core/risk/last-gate.ts';
import { HaltLatch } from '#core/risk/latch.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { ExecutionReport } from '#domain/execution-report.ts';
import { currency, orderId, strategyId } from '#domain/names.ts';
import type { OrderCore } from '#domain/order.ts';
import { BacktestBroker, type OwnOutcomes, orderOnQuote, type PastOutcome } from '#research/replay/backtest-broker.ts';
import { drawnLatency, fixedLatency, type LatencyModel, measuredLatency } from '#research/replay/latency.ts';
import { BTC, btcLane, quote } from '../../support/market-data.ts';

const START = Date.UTC(2026, 0, 1);
const ID = '00000000-0000-4000-8000-00000000cccc';

function orderOn(given: ReturnType<typeof quote>): OrderCore {
  const { price, size, value, feeInQuoteCcy } = given.buy;
  if (given.id === null) throw new Error('no id');
  const usd = currency('usd');
  return {
    id: orderId('1-1'),
    strategy: strategyId('s'),
    product: BTC,
    baseCcy: currency('btc'),
    quoteCcy: usd,
    side: 'buy',
    quoteId: given.id,
    lane: btcLane.id,
    validUntil: given.validUntil,
    figures: { price: decimalOf(price), size: decimalOf(size), value: decimalOf(value), fee: decimalOf(feeInQuoteCcy), feeCcy: usd },
    intentAt: START,
  };
}

/** What the broker says of one order, as `time after the order, what`. */
function story(options: {
  readonly latency: LatencyModel;
  readonly outcomes?: readonly PastOutcome[];
  readonly own?: OwnOutcomes;
  readonly validMs?: number;
}) {
  const clock = new VirtualClock(START);
  const timers = new VirtualTimers(clock);
  const gate = new RealTimeGate({
    timers,
    latch: new HaltLatch(),
    marginMs: 100,
    serviceClock: { now: () => ({ ms: clock.now(), halfWidthMs: 0 }) },
  });
  const given = quote({ id: ID, validUntil: START + (options.validMs ?? 3000) });
  const broker = new BacktestBroker({
    timers,
    gate,
    latency: options.latency,
    outcomes: options.outcomes ?? [],
    ...(options.own && { own: options.own }),
    seed: 'seed',
    feeIn: 'quote',
    answerMs: 500,
    latest: () => ({ quote: given, provenance: 'exact' }),
  });
  const heard: string[] = [];
  broker.connect((_id, report: ExecutionReport) => {
    const what =
      report.type === 'answered' ? `${report.outcome} ${report.reason}${report.late ? ' late' : ''} ${report.body}`.trim() : report.type;
    heard.push(`${clock.now() - START} ${what}`);
  });
  broker.submit(orderOn(given));
  while (timers.nextDue !== undefined) {
    clock.moveTo(timers.nextDue);
    timers.runDue();
  }
  return { heard, open: broker.open };
}

const FILLED = '{"status":"FILLED","fill":"exact","price":"60000","size":"0.01","value":"600","fee":"0.6","feeCcy":"usd"}';
const refused: PastOutcome = { outcome: 'rejected', httpStatus: 422, body: '{"errorCode":"SUSPENDED"}' };
const lost: PastOutcome = { outcome: 'unknown', httpStatus: null, body: '' };

test.each([
  ['executed and answered', { latency: fixedLatency(20) }, ['0 written', `40 accepted HTTP_OK ${FILLED}`]],
  ['too late for the gate', { latency: fixedLatency(20), validMs: 100 }, ['0 expired']],
  [
    'late at the service',
    { latency: fixedLatency(201), validMs: 200 },
    ['0 written', '402 rejected HTTP_REFUSED {"errorCode":"QUOTE_EXPIRED"}'],
  ],
  ['in its last millisecond', { latency: fixedLatency(200), validMs: 200 }, ['0 written', `400 accepted HTTP_OK ${FILLED}`]],
  ['answered too late', { latency: fixedLatency(300) }, ['0 written', '500 unknown NO_ANSWER', `600 accepted HTTP_OK late ${FILLED}`]],
  [
    'refused as one of a past run',
    { latency: fixedLatency(20), outcomes: [refused] },
    ['0 written', '40 rejected HTTP_REFUSED {"errorCode":"SUSPENDED"}'],
  ],
  ['lost as one of a past run', { latency: fixedLatency(20), outcomes: [lost] }, ['0 written', '500 unknown NO_ANSWER']],
] as const)('an order is %s', (_name, options, expected) => {
  expect(story(options)).toEqual({ heard: expected, open: 0 });
});

test.each([
  ['is rejected as it was', 'buy', refused, '40 rejected HTTP_REFUSED {"errorCode":"SUSPENDED"}'],
  ['is lost as it was', 'buy', lost, '500 unknown NO_ANSWER'],
  ['is another on the other side', 'sell', refused, `40 accepted HTTP_OK ${FILLED}`],
] as const)('the same order as one of the run that is compared with %s', (_, side, outcome, heard) => {
  const own = new Map([[orderOnQuote({ ...orderOn(quote({ id: ID })), side }), outcome]]);
  expect(story({ latency: fixedLatency(20), own }).heard).toEqual(['0 written', heard]);
});

test('measured times are those of the very quote, else drawn from all; a range is drawn from its ends on', () => {
  const first = orderOn(quote({ id: '00000000-0000-4000-8000-00000000aaaa' }));
  const other = orderOn(quote({ id: '00000000-0000-4000-8000-00000000bbbb' }));
  const measured = measuredLatency(
    [
      { quoteId: first.quoteId, intentAt: first.intentAt, gateMs: 3, roundTripMs: 81, outcome: 'rejected' },
      { quoteId: other.quoteId, intentAt: other.intentAt + 5, gateMs: 40, roundTripMs: null, outcome: 'expired' },
    ],
    'seed',
  );
  const slow = measuredLatency(
    [{ quoteId: first.quoteId, intentAt: first.intentAt, gateMs: 3, roundTripMs: 90, outcome: 'accepted' }],
    'seed',
  );
  if (!measured || !slow) throw new Error('nothing was measured');
  expect(measured).toMatchObject({ name: 'measured, drawn from 1 round trip', from: 'median 81 ms, longest 81 ms' });
  expect(measuredLatency([], 'seed')).toBeUndefined();
  expect(measured.draw(first)).toEqual({ gateMs: 3, thereMs: 40, backMs: 41 });
  // Its timer had come 5 ms late in the run: the order reaches the gate when it did.
  expect(measured.draw(other)).toEqual({ gateMs: 45, thereMs: 40, backMs: 41 });
  expect(measured.draw({ ...other, intentAt: other.intentAt + 6 })).toEqual({ gateMs: 40, thereMs: 40, backMs: 41 });
  expect(measured.draw({ ...first, quoteId: orderOn(quote()).quoteId })).toEqual({ gateMs: 3, thereMs: 40, backMs: 41 });
  expect(slow.draw({ ...first, validUntil: first.intentAt + 33 })).toEqual({ gateMs: 3, thereMs: 30, backMs: 60 });
  const drawn = drawnLatency([10, 1000], 'seed');
  const draws = Array.from({ length: 200 }, () => drawn.draw(first).thereMs);
  expect(Math.min(...draws)).toBeGreaterThanOrEqual(10);
  expect(Math.max(...draws)).toBeLessThanOrEqual(1000);
  expect(draws.filter((ms) => ms < 100).length).toBeGreaterThan(60);
  const again = drawnLatency([10, 1000], 'seed');
  expect(Array.from({ length: 200 }, () => again.draw(first).thereMs)).toEqual(draws);
});
