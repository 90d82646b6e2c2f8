import { describe, expect, test } from 'vitest';
import { decimalOf, ZERO } from '../../src/domain/decimal.ts';
import { currency, orderId, strategyId } from '../../src/domain/names.ts';
import type { OrderCore } from '../../src/domain/order.ts';
import type { Reason } from '../../src/domain/reasons.ts';
import type { Interval } from '../../src/trading/books.ts';
import type { Limits } from '../../src/trading/limits.ts';
import { OrderRate } from '../../src/trading/limits.ts';
import { Approved, type RiskInput } from '../../src/trading/risk.ts';
import { BTC, btcProduct, quote } from '../support/market-data.ts';

const usd = currency('usd');
const limits: Limits = {
  maxOrderValue: new Map([[usd, decimalOf(1000)]]),
  maxPositionValue: new Map([[usd, decimalOf(2000)]]),
  maxOrdersPerMinute: 3,
  maxSpreadPct: 0.5,
  minTimeLeftMs: 250,
  maxUnknown: 1,
};
const flat: Interval = { low: ZERO, high: ZERO };
const long = (size: string): Interval => ({ low: decimalOf(size), high: decimalOf(size) });

interface Case extends Partial<Omit<RiskInput, 'order' | 'quote'>> {
  readonly side?: 'buy' | 'sell';
  readonly size?: string;
  readonly price?: string;
  readonly quoteCcy?: string;
  readonly spread?: number;
}

function assess({ side = 'buy', size = '0.01', price = '60000', quoteCcy = 'usd', spread = 0, ...rest }: Case = {}) {
  const base = quote();
  const value = decimalOf(size).times(price);
  const ccy = currency(quoteCcy);
  const order: OrderCore = {
    id: orderId('1-1'),
    strategy: strategyId('s'),
    product: BTC,
    baseCcy: currency('btc'),
    quoteCcy: ccy,
    side,
    quoteId: base.id ?? expect.fail('the quote has an id'),
    lane: base.lane,
    validUntil: base.validUntil,
    intentAt: 0,
    figures: { price: decimalOf(price), size: decimalOf(size), value, fee: value.times('0.001'), feeCcy: ccy },
  };
  return Approved.assess({
    order,
    quote: { ...base, spreadPercentage: spread },
    product: btcProduct,
    limits,
    limitPrice: null,
    halted: false,
    disabled: false,
    paused: false,
    untradable: null,
    quoteTaken: false,
    timeLeftMs: 2000,
    frozen: false,
    inFlight: false,
    interval: flat,
    grossExposure: ZERO,
    ordersLastMinute: 0,
    budgetLeft: decimalOf(10_000),
    canShort: false,
    ...rest,
  });
}

/** What is wrong, the case, and the code it must be refused with (null: approved). */
const table: readonly [string, Case, Reason | null][] = [
  ['a plain order', {}, null],
  ['halted', { halted: true }, 'HALTED'],
  ['the strategy is disabled', { disabled: true }, 'DISABLED'],
  ['paused', { paused: true }, 'PAUSED'],
  ['the product is frozen', { frozen: true }, 'PRODUCT_FROZEN'],
  ['an order is in flight', { inFlight: true }, 'IN_FLIGHT'],
  ['the lane is stale', { untradable: 'LANE_STALE' }, 'LANE_STALE'],
  ['the quote was used', { quoteTaken: true }, 'QUOTE_TAKEN'],
  ['time left at the limit', { timeLeftMs: 250 }, null],
  ['time left one under', { timeLeftMs: 249 }, 'TIME_LEFT'],
  ['B06 the smallest size', { size: '0.0001', price: '60000' }, null],
  ['B06 a step under the smallest size', { size: '0.00009', price: '60000' }, 'SIZE_LIMITS'],
  ['B06 off the step', { size: '0.01005' }, 'SIZE_LIMITS'],
  ['B06 under the smallest value', { size: '0.0001', price: '49999' }, 'SIZE_LIMITS'],
  ['B07 value at the cap', { size: '0.02', price: '50000' }, null],
  ['B07 value just over the cap', { size: '0.02', price: '50000.05' }, 'MAX_ORDER_VALUE'],
  ['no limit in the currency', { quoteCcy: 'sek' }, 'NO_RATE'],
  ['position value at the cap', { interval: long('0.02'), grossExposure: decimalOf('0.02'), size: '0.01', price: '66666' }, null],
  [
    'position value over the cap',
    { interval: long('0.03'), grossExposure: decimalOf('0.03'), size: '0.01', price: '60000' },
    'MAX_POSITION_VALUE',
  ],
  ["another strategy's exposure counts", { grossExposure: decimalOf('0.03'), size: '0.01', price: '60000' }, 'MAX_POSITION_VALUE'],
  ['spread at the cap', { spread: 0.5 }, null],
  ['spread over the cap', { spread: 0.5001 }, 'MAX_SPREAD'],
  ['the last order of the minute', { ordersLastMinute: 2 }, null],
  ['one order too many a minute', { ordersLastMinute: 3 }, 'MAX_ORDERS_PER_MINUTE'],
  ['the budget just covers value and fee', { budgetLeft: decimalOf('600.6') }, null],
  ['the budget falls short of the fee', { budgetLeft: decimalOf('600.5') }, 'BUDGET'],
  ['a limit price that holds', { limitPrice: 60_000 }, null],
  ['a limit price that is passed', { limitPrice: 59_999.99 }, 'LIMIT_PRICE'],
  ['a sell limit that is passed', { side: 'sell', canShort: true, limitPrice: 60_000.01 }, 'LIMIT_PRICE'],
  ['a short that is not allowed', { side: 'sell' }, 'SHORT_NOT_ALLOWED'],
  ['a short that is allowed', { side: 'sell', canShort: true }, null],
  [
    'a sell that would flip the position',
    { side: 'sell', interval: long('0.005'), grossExposure: decimalOf('0.005') },
    'SHORT_NOT_ALLOWED',
  ],
];

describe('every limit, on both sides of its boundary', () => {
  test.each(table)('%s', (_, input, reason) => {
    const assessed = assess(input);
    expect(assessed.approved ? null : assessed.reason).toBe(reason);
    if (!assessed.approved) expect(assessed.checks.at(-1)).toMatchObject({ check: reason, passed: false });
  });

  test('a limit that is off stops nothing', () => {
    const off: Limits = {
      maxOrderValue: null,
      maxPositionValue: null,
      maxOrdersPerMinute: null,
      maxSpreadPct: null,
      minTimeLeftMs: null,
      maxUnknown: null,
    };
    expect(
      assess({ limits: off, price: '90000000', spread: 90, timeLeftMs: 1, ordersLastMinute: 1e6, budgetLeft: decimalOf(1e12) }).approved,
    ).toBe(true);
  });

  test('I07b: gates meant for opening never stop an exit', () => {
    const everything: Case = {
      side: 'sell',
      interval: long('0.01'),
      grossExposure: decimalOf('0.01'),
      disabled: true,
      paused: true,
      frozen: true,
      inFlight: true,
      spread: 40,
      ordersLastMinute: 1000,
      budgetLeft: decimalOf(-5),
      price: '900000',
      quoteCcy: 'sek',
    };
    expect(assess(everything).approved).toBe(true);
  });

  test('an exit still passes state, quote and size', () => {
    const exit: Case = { side: 'sell', interval: long('1') };
    const reasons = [
      assess({ ...exit, halted: true }),
      assess({ ...exit, untradable: 'QUOTE_WITHOUT_ID' }),
      assess({ ...exit, quoteTaken: true }),
      assess({ ...exit, timeLeftMs: 0 }),
      assess({ ...exit, size: '0.00001' }),
    ].map((assessed) => (assessed.approved ? null : assessed.reason));
    expect(reasons).toEqual(['HALTED', 'QUOTE_WITHOUT_ID', 'QUOTE_TAKEN', 'TIME_LEFT', 'SIZE_LIMITS']);
  });
});

test('the order rate forgets an order after exactly a minute', () => {
  const rate = new OrderRate([0, 10]);
  expect([rate.inLastMinute(59_999), rate.inLastMinute(60_000), rate.inLastMinute(60_010)]).toEqual([2, 1, 0]);
});
