import { decimalOf } from '#domain/decimal.ts';
import type { ExecutionReport } from '#domain/execution-report.ts';
import { currency, laneIdOf, orderId, productCode, quoteId, strategyId } from '#domain/names.ts';
import type { OrderCore } from '#domain/order.ts';
import type { GateVerdict, LastGate } from '#ports/broker.ts';
import type { Timers } from '#ports/timers.ts';

let counter = 0;

/** An approved order as the order placer hands it over. */
export function order(changes: Partial<OrderCore> = {}): OrderCore {
  counter += 1;
  return {
    id: orderId(`o-${counter}`),
    strategy: strategyId('test'),
    product: productCode('btcusd'),
    baseCcy: currency('btc'),
    quoteCcy: currency('usd'),
    side: 'buy',
    quoteId: quoteId(`5f1d7a52-0c4e-4b7e-9a57-${String(counter).padStart(12, '0')}`),
    lane: laneIdOf('btcusd@base:0.1'),
    validUntil: Date.UTC(2099, 0, 1),
    figures: {
      price: decimalOf(50_000),
      size: decimalOf('0.1'),
      value: decimalOf(5000),
      fee: decimalOf(5),
      feeCcy: currency('usd'),
    },
    intentAt: 0,
    ...changes,
  };
}

/** A last gate by the rules of the real one, with its halt at hand and its verdicts counted. */
export class TestGate implements LastGate {
  halted = false;
  checks = 0;
  private readonly timers: Timers;

  constructor(timers: Timers) {
    this.timers = timers;
  }

  check(asked: Parameters<LastGate['check']>[0]): GateVerdict {
    this.checks += 1;
    const at = this.timers.wallMs();
    const timeLeftMs = asked.validUntil - at;
    const signatureAgeMs = Math.round(this.timers.monotonicMs() - asked.signedAtMs);
    if (this.halted || asked.isStopped?.() === true) return { pass: false, reason: 'GATE_HALTED', timeLeftMs };
    if (timeLeftMs <= 0) return { pass: false, reason: 'GATE_TIME_LEFT', timeLeftMs };
    if (signatureAgeMs > 250) return { pass: false, reason: 'GATE_SIGNATURE_AGE', timeLeftMs };
    return { pass: true, timeLeftMs, signatureAgeMs, at };
  }
}

/** Reports by order, in the order they came. */
export class Reports {
  readonly all: { readonly id: string; readonly report: ExecutionReport }[] = [];

  readonly sink = (id: string, report: ExecutionReport): void => {
    this.all.push({ id, report });
  };

  of(asked: OrderCore): ExecutionReport[] {
    return this.all.filter(({ id }) => id === asked.id).map(({ report }) => report);
  }

  types(asked: OrderCore): string[] {
    return this.of(asked).map((report) => (report.type === 'answered' ? `${report.outcome}${report.late ? ' late' : ''}` : report.type));
  }
}
