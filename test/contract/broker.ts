import { beforeEach, describe, expect, test } from 'vitest';
import { decimalOf } from '#domain/decimal.ts';
import type { AnswerReport } from '#domain/execution-report.ts';
import { quoteId } from '#domain/names.ts';
import type { OrderCore } from '#domain/order.ts';
import type { Quote, Side } from '#domain/quote.ts';
import type { Broker } from '#ports/broker.ts';
import { order, type Reports, type TestGate } from '../adapters/service-client/support/orders.ts';
import { until } from '../adapters/service-client/support/until.ts';
import type { VirtualTimers } from '../support/virtual-timers.ts';

/** A broker with all that a test of its port needs; its time stands still until the test moves it. */
export interface BrokerBench {
  readonly broker: Broker;
  readonly reports: Reports;
  readonly gate: TestGate;
  readonly timers: VirtualTimers;
  /** A fresh quote that orders may name, of 0.01 btcusd. */
  quote(): Promise<Quote>;
  /** What the account holds. */
  balance(currency: string): string;
}

const orderOn = (quote: Quote, side: Side): OrderCore => {
  const { price, size, value, feeInQuoteCcy } = quote[side];
  const figures = { price, size, value, fee: feeInQuoteCcy };
  const [p, s, v, f] = [figures.price, figures.size, figures.value, figures.fee].map(decimalOf);
  if (!p || !s || !v || !f || quote.id === null) throw new Error('a quote with figures');
  return order({
    side,
    quoteId: quote.id,
    validUntil: quote.validUntil,
    figures: { price: p, size: s, value: v, fee: f, feeCcy: quote.quoteCcy },
  });
};

/** What every broker promises, whatever executes its orders. */
export function brokerContract(name: string, make: () => Promise<BrokerBench>): void {
  describe(`broker contract: ${name}`, () => {
    let bench: BrokerBench;
    beforeEach(async () => {
      bench = await make();
    });

    const settled = (asked: OrderCore): Promise<void> =>
      until(() => {
        bench.timers.advance(1);
        return bench.reports.of(asked).length >= 2;
      }, 'an order is answered');
    const answerTo = (asked: OrderCore): AnswerReport => {
      const last = bench.reports.of(asked).at(-1);
      if (last?.type !== 'answered') throw new Error('no answer');
      return last;
    };
    const sent = async (side: Side, quote: Quote): Promise<OrderCore> => {
      const asked = orderOn(quote, side);
      bench.broker.submit(asked);
      await settled(asked);
      return asked;
    };

    test.each(['buy', 'sell'] as const)(
      'a %s is written before submit returns, and filled once at the figures of its quote',
      async (side) => {
        const quote = await bench.quote();
        const before = { btc: bench.balance('btc'), usd: bench.balance('usd') };
        const asked = orderOn(quote, side);
        bench.broker.submit(asked);
        expect(bench.reports.types(asked)).toEqual(['written']);
        await settled(asked);
        expect(bench.reports.types(asked)).toEqual(['written', 'accepted']);
        const { price, size, value, fee } = asked.figures;
        const { figures, httpStatus, late } = answerTo(asked);
        expect({ figures, httpStatus, late }).toEqual({
          figures: { price: `${price}`, size: `${size}`, value: `${value}`, fee: `${fee}`, feeCcy: 'usd' },
          httpStatus: 201,
          late: false,
        });
        const sign = side === 'buy' ? 1 : -1;
        expect(bench.balance('btc')).toBe(decimalOf(before.btc).plus(size.times(sign)).toString());
        expect(bench.balance('usd')).toBe(decimalOf(before.usd).minus(value.times(sign)).minus(fee).toString());
      },
    );

    test('I02 a quote is executed once: a second order on it is not accepted and moves nothing', async () => {
      const quote = await bench.quote();
      await sent('buy', quote);
      const held = bench.balance('btc');
      const again = await sent('sell', quote);
      expect(answerTo(again).outcome).not.toBe('accepted');
      expect(answerTo(again).httpStatus).toBe(422);
      expect(bench.balance('btc')).toBe(held);
    });

    test('an order on a quote that was never given is rejected', async () => {
      const quote = await bench.quote();
      const unheardOf = await sent('buy', { ...quote, id: quoteId('5f1d7a52-0c4e-4b7e-9a57-2f0e6d3b8c11') });
      expect(answerTo(unheardOf)).toMatchObject({ outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 422 });
    });

    test('F14 an order whose quote has died before the write is expired and executes nothing', async () => {
      const asked = orderOn(await bench.quote(), 'buy');
      const held = bench.balance('btc');
      bench.timers.advance(10_000);
      bench.broker.submit(asked);
      expect(bench.reports.of(asked)).toEqual([{ type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs: expect.any(Number) }]);
      bench.timers.advance(1000);
      expect(bench.balance('btc')).toBe(held);
    });

    test('F20 I07 after the halt nothing is sent and nothing executed', async () => {
      const asked = orderOn(await bench.quote(), 'buy');
      const held = bench.balance('btc');
      bench.gate.halted = true;
      bench.broker.submit(asked);
      expect(bench.reports.of(asked)).toMatchObject([{ type: 'not_sent', reason: 'GATE_HALTED' }]);
      bench.timers.advance(1000);
      expect(bench.balance('btc')).toBe(held);
    });

    test('I07 an order that was stopped between commit and write leaves no byte', async () => {
      const asked = orderOn(await bench.quote(), 'buy');
      const held = bench.balance('btc');
      bench.broker.submit(asked, () => true);
      expect(bench.reports.of(asked)).toMatchObject([{ type: 'not_sent', reason: 'GATE_HALTED' }]);
      bench.timers.advance(1000);
      expect(bench.balance('btc')).toBe(held);
    });

    test('closing twice is closing once, and an order after it is not sent', async () => {
      const asked = orderOn(await bench.quote(), 'buy');
      await Promise.all([bench.broker.close(1000), bench.broker.close(1000)]);
      bench.broker.submit(asked);
      expect(bench.reports.of(asked)).toMatchObject([{ type: 'not_sent', reason: 'NOT_CONNECTED' }]);
    });

    test('closing waits for an order on its way, and each has its last report by then', async () => {
      const asked = orderOn(await bench.quote(), 'buy');
      bench.broker.submit(asked);
      let closed = false;
      const closing = bench.broker.close(2000).then(() => {
        closed = true;
      });
      await until(() => {
        bench.timers.advance(1);
        return closed;
      }, 'the broker is closed');
      await closing;
      expect(bench.reports.types(asked)).toEqual(['written', 'accepted']);
    });
  });
}
