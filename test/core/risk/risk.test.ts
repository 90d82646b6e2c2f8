import { describe, expect, test } from 'vitest';
import { MinuteCount } from '#core/risk/order-counts.ts';
import type { LastResults } from '#core/risk/risk.ts';
import { decimalOf, ZERO } from '#domain/decimal.ts';
import type { Quote } from '#domain/quote.ts';
import type { Reason } from '#domain/reasons.ts';
import { NO_LIMITS } from '../../support/limits.ts';
import { quote } from '../../support/market-data.ts';
import { amounts, assess, type Case, limits, long } from './assess.ts';
import type { Figures } from './figures.ts';

const eurusd = (from: string, to: string) => (from === 'eur' && to === 'usd' ? decimalOf('1.1') : undefined);

/** What is wrong, the case, and the code it must be refused with (null: approved). */
const table: readonly [string, Case, Reason | null][] = [
  ['a plain order', {}, null],
  ['halted', { halted: true }, 'HALTED'],
  ['the strategy is disabled', { disabled: true }, 'DISABLED'],
  ['paused', { paused: true }, 'PAUSED'],
  ['outside its windows', { closed: 'closed on 2026-12-25' }, 'OUTSIDE_WINDOW'],
  ['the product is frozen', { frozen: true }, 'PRODUCT_FROZEN'],
  ['an order is in flight', { inFlight: true }, 'IN_FLIGHT'],
  ['the lane is stale', { untradable: 'LANE_STALE' }, 'LANE_STALE'],
  ["the service's time is not known", { time: { reason: 'CLOCK_OLD', figure: 300_001, limit: 300_000 } }, 'CLOCK_OLD'],
  ['the quote was used', { quoteTaken: true }, 'QUOTE_TAKEN'],
  ['time left at the limit', { timeLeftMs: 250 }, null],
  ['time left one under', { timeLeftMs: 249 }, 'TIME_LEFT'],
  ['B06 the smallest size', { size: '0.0001', price: '60000' }, null],
  ['B06 a step under the smallest size', { size: '0.00009', price: '60000' }, 'SIZE_LIMITS'],
  ['B06 off the step', { size: '0.01005' }, 'SIZE_LIMITS'],
  ['1.flow.4: a value was asked for, and its size is off the step', { size: '0.01005', lane: 'quote:600' }, null],
  ['a value was asked for, and its size is under the least', { size: '0.00009', lane: 'quote:600' }, 'SIZE_LIMITS'],
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
  ['slippage at the cap', { slippage: -0.2 }, null],
  ['slippage over the cap', { slippage: 0.2001 }, 'MAX_SLIPPAGE'],
  ['fee at the cap', { feePct: 0.3 }, null],
  ['fee over the cap', { feePct: 0.301 }, 'MAX_FEE'],
  ['F33 price at the collar', { figures: { medianPrice: () => 60_000 }, price: '61200', size: '0.01' }, null],
  ['F33 price outside the collar', { figures: { medianPrice: () => 60_000 }, price: '61200.1', size: '0.01' }, 'COLLAR'],
  ['F33 price below the collar', { figures: { medianPrice: () => 60_000 }, price: '58799.9', size: '0.01' }, 'COLLAR'],
  ['the last order of the minute', { figures: { ordersInMinute: () => 4 } }, null],
  ['one order too many a minute', { figures: { ordersInMinute: () => 5 } }, 'MAX_ORDERS_PER_MINUTE'],
  ["the strategy's last order of the minute", { figures: { ordersInMinuteOfStrategy: () => 2 } }, null],
  ['one order of the strategy too many', { figures: { ordersInMinuteOfStrategy: () => 3 } }, 'MAX_ORDERS_PER_MINUTE_OF_STRATEGY'],
  ["the product's last order of the minute", { figures: { ordersInMinuteOfProduct: () => 3 } }, null],
  ['one order in the product too many', { figures: { ordersInMinuteOfProduct: () => 4 } }, 'MAX_ORDERS_PER_MINUTE_OF_PRODUCT'],
  ['the same order after the window', { figures: { sinceTwinMs: () => 400 } }, null],
  ['the same order within the window', { figures: { sinceTwinMs: () => 399 } }, 'DUPLICATE'],
  ['the round trip fits', { timeLeftMs: 300, figures: { roundTripP99Ms: () => 50 } }, null],
  ['the round trip does not fit', { timeLeftMs: 299, figures: { roundTripP99Ms: () => 50 } }, 'TIME_LEFT'],
  ['cool-down over', { figures: { cooldownLeftMs: () => 0 } }, null],
  ['F33 the product is quarantined', { quarantined: true }, 'PRODUCT_QUARANTINED'],
  ['a median of nothing is none', { figures: { medianPrice: () => 0 } }, null],
  [
    'the share of exits is kept from openings',
    { limits: { ...limits, reducingOrderSharePct: 40 }, figures: { ordersInMinute: () => 2 } },
    null,
  ],
  [
    'an opening into the share of exits',
    { limits: { ...limits, reducingOrderSharePct: 40 }, figures: { ordersInMinute: () => 3 } },
    'MAX_ORDERS_PER_MINUTE',
  ],
  ['one opening a minute is left whatever exits have', { limits: { ...limits, maxOrdersPerMinute: 1, reducingOrderSharePct: 90 } }, null],
  ['the service asked openings to wait', { figures: { openingWaitMs: () => 1 } }, 'SERVICE_WAIT'],
  ['cool-down not over', { figures: { cooldownLeftMs: () => 1 } }, 'LOSS_COOLDOWN'],
  ['as many unknowns as allowed', { figures: { unknowns: () => 1 } }, null],
  ['more unknowns than allowed', { figures: { unknowns: () => 2 } }, 'UNKNOWN_BUDGET'],
  ['the account just covers value and fee', { figures: { funds: () => decimalOf('600.6') } }, null],
  ['the account falls short of the fee', { figures: { funds: () => decimalOf('600.5') } }, 'INSUFFICIENT_FUNDS'],
  ['not armed', { disarmed: true }, 'DISARMED'],
  ['reducing', { reducing: 'lost 100 usd' }, 'REDUCING'],
  ["the day's value at the cap", { figures: { dayValue: () => amounts('4400') } }, null],
  ["the day's value over the cap", { figures: { dayValue: () => amounts('4400.01') } }, 'MAX_DAY_VALUE'],
  ["the strategy's value at the cap", { figures: { strategyExposure: () => amounts('2400') } }, null],
  ["the strategy's value over the cap", { figures: { strategyExposure: () => amounts('2400.01') } }, 'MAX_STRATEGY_VALUE'],
  ['the total at the cap', { figures: { totalExposure: () => amounts('3400') } }, null],
  ['the total over the cap', { figures: { totalExposure: () => amounts('3400.01') } }, 'MAX_TOTAL_VALUE'],
  ['the total in another currency, by its rate', { figures: { totalExposure: () => amounts('3090', 'eur'), rate: eurusd } }, null],
  [
    'the total in another currency, over by its rate',
    { figures: { totalExposure: () => amounts('3100', 'eur'), rate: eurusd } },
    'MAX_TOTAL_VALUE',
  ],
  ['the total in a currency without a rate', { figures: { totalExposure: () => amounts('1', 'sek') } }, 'NO_RATE'],
  ['another currency at the cap, by its rate', { quoteCcy: 'eur', size: '0.01', price: '90909', figures: { rate: eurusd } }, null],
  [
    'another currency over the cap, by its rate',
    { quoteCcy: 'eur', size: '0.01', price: '90910', figures: { rate: eurusd } },
    'MAX_ORDER_VALUE',
  ],
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

test('a wait is told by the time at which it ends', () => {
  const waits = { intentAt: Date.UTC(2026, 0, 1), figures: { cooldownLeftMs: () => 1000 }, limits: { ...limits, maxLossStreak: 2 } };
  expect(assess(waits).checks.at(-1)).toMatchObject({ figure: '2 lost, until 2026-01-01T00:00:01.000Z', limit: 2 });
});

describe('every limit, on both sides of its boundary', () => {
  test.each(table)('%s', (_, input, reason) => {
    const assessed = assess(input);
    expect(assessed.approved ? null : assessed.reason).toBe(reason);
    if (!assessed.approved) expect(assessed.checks.at(-1)).toMatchObject({ check: reason, passed: false });
  });

  test('a limit that is off stops nothing', () => {
    const figures: Partial<Figures> = { ordersInMinute: () => 1e6, sinceTwinMs: () => 0, medianPrice: () => 1, unknowns: () => 9 };
    expect(
      assess({
        limits: NO_LIMITS,
        price: '90000000',
        spread: 90,
        timeLeftMs: 1,
        budgetLeft: decimalOf(1e12),
        slippage: 50,
        feePct: 50,
        figures,
      }).approved,
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
      slippage: 40,
      feePct: 9,
      reducing: 'lost everything',
      budgetLeft: decimalOf(-5),
      price: '900000',
      quoteCcy: 'sek',
      limits: { ...limits, maxExitValue: null },
      timeLeftMs: 250,
      figures: {
        ordersInMinute: () => 1000,
        ordersInMinuteOfStrategy: () => 1000,
        ordersInMinuteOfProduct: () => 1000,
        dayValue: () => amounts('1000000'),
        totalExposure: () => amounts('1000000', 'sek'),
        strategyExposure: () => amounts('1000000', 'sek'),
        roundTripP99Ms: () => 3000,
        sinceTwinMs: () => 0,
        cooldownLeftMs: () => 1000,
        unknowns: () => 9,
        funds: () => ZERO,
        medianPrice: () => 900_000,
      },
    };
    expect(assess(everything).approved).toBe(true);
  });

  test('an exit still passes state, quote and size', () => {
    const exit: Case = { side: 'sell', interval: long('1') };
    const reasons = [
      assess({ ...exit, halted: true }),
      assess({ ...exit, disarmed: true }),
      assess({ ...exit, price: '66000.1', figures: { medianPrice: () => 60_000 } }),
      assess({ ...exit, untradable: 'QUOTE_WITHOUT_ID' }),
      assess({ ...exit, quoteTaken: true }),
      assess({ ...exit, timeLeftMs: 0 }),
      assess({ ...exit, size: '0.00001' }),
      assess({ ...exit, size: '0.1', price: '60000.1' }),
      assess({ ...exit, size: '0.1', price: '60000', exitPauseMs: 1 }),
      assess({ ...exit, figures: { exitWaitMs: () => 1 } }),
      assess({ ...exit, feePct: 10.1 }),
    ].map((assessed) => (assessed.approved ? null : assessed.reason));
    expect(reasons).toEqual([
      'HALTED',
      'DISARMED',
      'COLLAR',
      'QUOTE_WITHOUT_ID',
      'QUOTE_TAKEN',
      'TIME_LEFT',
      'SIZE_LIMITS',
      'MAX_EXIT_VALUE',
      'EXIT_PAUSE',
      'SERVICE_WAIT',
      'MAX_FEE',
    ]);
    expect(assess({ ...exit, price: '65999.9', figures: { medianPrice: () => 60_000, openingWaitMs: () => 1 } }).approved).toBe(true);
    expect(assess({ ...exit, size: '0.1', price: '60000' }).approved).toBe(true);
    const tight = { ...limits, reducingCollarPct: 0.05 };
    expect(assess({ ...exit, limits: tight, feePct: 0.3 }).approved, 'what an opening pays').toBe(true);
    expect(assess({ ...exit, limits: tight, feePct: 0.31 }).approved).toBe(false);
    expect(assess({ ...exit, limits: { ...limits, reducingCollarPct: null }, feePct: 90 }).approved).toBe(true);
    expect(assess({ ...exit, size: '0.1', price: '60001', exitAllowed: decimalOf('6000.1') }).approved).toBe(true);
    expect(assess({ ...exit, size: '0.1', price: '60002', exitAllowed: decimalOf('6000.1') }).approved).toBe(false);
  });
});

describe('what a quote says of itself is held against its own prices and figures', () => {
  const base = quote();
  const said = (changes: Partial<Quote>, buy: Partial<Quote['buy']> = {}) => {
    const assessed = assess({ quote: { ...base, ...changes, buy: { ...base.buy, ...buy } } });
    return assessed.approved ? null : assessed.reason;
  };

  test.each([0, 0.02, 0.0002, 500])('a spread of 2 %% does not pass as %d', (spreadPercentage) => {
    expect(said({ spread: 0, spreadPercentage, sell: { ...base.sell, price: base.buy.price * 0.98 } })).toBe('MAX_SPREAD');
    expect(said({ spread: 9, spreadPercentage })).toBeNull();
  });

  test('a fee that is told in one currency alone, or as a percentage alone, counts', () => {
    const { size, value } = base.buy;
    expect(said({ feePercentage: 0 }, { feeInQuoteCcy: 0, feeInBaseCcy: size / 50 })).toBe('MAX_FEE');
    expect(said({ feePercentage: 0 }, { feeInQuoteCcy: value / 50, feeInBaseCcy: 0 })).toBe('MAX_FEE');
    expect(said({ feePercentage: 2 }, { feeInQuoteCcy: 0, feeInBaseCcy: 0 })).toBe('MAX_FEE');
    expect(said({ feePercentage: 2 }, { feeInQuoteCcy: value / 1000, feeInBaseCcy: size / 1000 })).toBeNull();
  });

  test('a fee of nothing in figures of nothing is not held against anything', () => {
    expect(said({ feePercentage: 2 }, { value: 0, feeInQuoteCcy: 0, feeInBaseCcy: 0 })).toBeNull();
    expect(said({ feePercentage: 2 }, { size: 0, feeInQuoteCcy: 0, feeInBaseCcy: 0 })).toBeNull();
  });

  test('a refused order says what was looked at before, and nothing else', () => {
    const assessed = assess({ halted: true });
    expect(assessed.checks).toEqual([{ check: 'HALTED', passed: false, figure: 'yes', limit: 'no' }]);
  });

  test('a check of value names the currency of its figures, and no other does; one that is as before is the same', () => {
    const found: LastResults = [];
    const checkOf = (given: Case, name: string) => assess({ ...given, found }).checks.find(({ check }) => check === name);
    const [figure, limit] = [expect.anything(), expect.anything()];
    const first = checkOf({}, 'MAX_ORDER_VALUE');
    expect(first).toStrictEqual({ check: 'MAX_ORDER_VALUE', passed: true, figure, limit, currency: 'usd' });
    expect(checkOf({}, 'MAX_ORDER_VALUE')).toBe(first);
    expect(checkOf({ size: '0.02' }, 'MAX_ORDER_VALUE')).not.toEqual(first);
    expect(checkOf({}, 'TIME_LEFT')).toStrictEqual({ check: 'TIME_LEFT', passed: true, figure, limit });
    expect(checkOf({ untradable: 'LANE_DOWN' }, 'LANE_DOWN')).toMatchObject({ passed: false });
    expect(checkOf({ untradable: 'LANE_QUARANTINED' }, 'LANE_QUARANTINED'), 'another reason').toMatchObject({ passed: false });
  });

  test('limits that are off are not told as passed', () => {
    const told = assess({ limits: NO_LIMITS, figures: { medianPrice: () => 60_000, sinceTwinMs: () => 1 } }).checks.map(
      ({ check }) => check,
    );
    expect(told).toEqual(['SIZE_LIMITS', 'BUDGET']);
  });

  test('a slippage of nothing is no share of anything', () => {
    expect(said({}, { slippage: 0, slippagePercentage: 0 })).toBeNull();
    // A hundredth beside is still the same figure, told as a share.
    expect(said({}, { slippage: base.buy.price * 0.0101, slippagePercentage: 0.01 })).toBe('MAX_SLIPPAGE');
  });

  test('a slippage that is told as a share of one is read in percent', () => {
    expect(said({}, { slippage: base.buy.price * 0.015, slippagePercentage: 0.015 })).toBe('MAX_SLIPPAGE');
    expect(said({}, { slippage: base.buy.price * 0.0001, slippagePercentage: 0.01 })).toBeNull();
  });
});

test('the order rate forgets an order after exactly a minute', () => {
  const rate = new MinuteCount([0, 10]);
  expect([rate.inLastMinute(59_999), rate.inLastMinute(60_000), rate.inLastMinute(60_010)]).toEqual([2, 1, 0]);
});
