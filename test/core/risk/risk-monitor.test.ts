import { describe, expect, test } from 'vitest';
import type { RiskMonitor } from '#core/risk/risk-monitor.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { AnswerReport } from '#domain/execution-report.ts';
import { currency, isoTime, laneIdOf, productCode, strategyId } from '#domain/names.ts';
import { NO_BOOKS } from '#domain/past-books.ts';
import { NO_PAST_RISK } from '#domain/past-risk.ts';
import type { Reason } from '#domain/reasons.ts';
import { usd } from '../../support/limits.ts';
import { BTC, quote } from '../../support/market-data.ts';
import { inState, OWNER, orderOf } from '../../support/orders.ts';
import { figuresOf } from './figures.ts';
import { monitored, T } from './monitored.ts';

const [USD, BITCOIN] = [currency('usd'), currency('btc')];

describe('what was lost makes trading REDUCING', () => {
  test('at the quote at which the day’s loss reaches its limit, not before', () => {
    const m = monitored({ maxDayLoss: usd(100) });
    m.ordered({ size: '0.1' });
    m.quoted(59_000.01, T + 500);
    expect(m.state.reducing).toBeNull();
    m.quoted(59_000, T + 1000);
    expect(m.state.reducing).toMatch(/^lost 100 usd since the day began; /);
  });

  test('at the fill that realises it, and not again while it stands', () => {
    const m = monitored({ maxDayLoss: usd(100) });
    m.ordered({ size: '0.1' });
    m.ordered({ side: 'sell', size: '0.1', price: '59000' });
    expect(m.state.stops.reducing?.reason).toBe('MAX_DAY_LOSS');
    m.quoted(58_000, T + 500);
    expect(m.rows.story().filter(([kind]) => kind === 'reducing')).toHaveLength(1);
  });

  test('by the share of the capital that it is below its peak', () => {
    const m = monitored({ maxDrawdownPct: 5 });
    m.ordered({ size: '0.1' });
    m.quoted(70_000, T + 500);
    m.quoted(64_500.01, T + 1000);
    expect(m.state.reducing).toBeNull();
    m.quoted(64_500, T + 1500);
    expect(m.state.reducing).toMatch(/^550 usd below the peak, 5 %/);
  });

  test('in a currency whose rate has no quotes any more at the last one, as on a weekend', () => {
    const eur = currency('eur');
    const m = monitored({ maxDayLoss: new Map([[eur, decimalOf(50)]]) });
    const rate = quote({ product: 'eurusd', lane: laneIdOf('eurusd@base:1'), buy: 2 });
    m.monitor.quoted({ ...rate, baseCcy: eur, quoteCcy: USD }, T, {});
    m.ordered({ size: '0.1' });
    m.quoted(59_000.01, T + 60_000);
    expect(m.state.reducing).toBeNull();
    m.quoted(59_000, T + 60_500);
    expect(m.state.reducing).toMatch(/^lost 50 eur since the day began; /);
  });

  test('counts for the limits from a resume on, which they name; the account’s drawdown stays what it is, over a restart too', () => {
    const m = monitored({ maxDayLoss: usd(1000), maxDrawdownPct: 50 });
    m.ordered({ size: '0.1' });
    m.quoted(70_000, T + 500);
    m.quoted(65_000, T + 1000);
    const told = (of: typeof m) => {
      const { limits, drawdown } = of.monitor.measures(T + 2000);
      const lossLimits = limits.filter(({ name }) => name === 'risk.maxDayLoss' || name === 'risk.maxDrawdownPct');
      return { below: drawdown?.amount, limits: lossLimits.map(({ used, since }) => [Math.round(used * 100) / 100, since]) };
    };
    expect(told(m)).toEqual({
      below: 500,
      limits: [
        [0, undefined],
        [4.55, undefined],
      ],
    });
    m.monitor.resetBaselines();
    m.quoted(64_000, T + 2000);
    const resumed = {
      below: 600,
      limits: [
        [100, T + 1000],
        [0.95, T + 1000],
      ],
    };
    expect(told(m)).toEqual(resumed);
    m.monitor.stop();
    const { detail } = m.measured().at(-1) ?? {};
    expect(detail).toMatchObject({ resumedAt: isoTime(T + 1000), byCurrency: { usd: { highest: 1000, peak: 500 } } });
  });

  test('and is measured anew from where trading goes on by itself', () => {
    const m = monitored({ maxDayLoss: usd(100) }, 10_000);
    m.ordered({ size: '0.1' });
    m.quoted(59_000, T + 1000);
    m.quoted(58_900, T + 10_999);
    expect(m.state.reducing).not.toBeNull();
    m.quoted(58_900, T + 11_000);
    m.quoted(58_000, T + 12_000);
    expect(m.state.reducing).toBeNull();
    m.quoted(57_900, T + 13_000);
    expect(m.state.reducing).toMatch(/^lost 100 usd since trading went on within this day; /);
  });
});

describe('orders that go wrong in a row make trading REDUCING', () => {
  test('rejections, at their limit; a person takes note of them', () => {
    const m = monitored({ maxRejectionStreak: 2 });
    m.ordered({}, 'rejected');
    m.ordered({}, 'expired');
    expect(m.state.reducing).toBeNull();
    m.ordered({}, 'rejected');
    expect(m.state.stops.reducing).toMatchObject({
      reason: 'REJECTION_STREAK',
      why: '2 orders in a row were rejected; risk.maxRejectionStreak',
    });
    m.state.resume(null, 'ann', 'mended');
    m.ordered({}, 'expired');
    expect(m.state.reducing).toBeNull();
    m.monitor.resetBaselines();
    m.ordered({}, 'rejected');
    expect(m.state.reducing).toBeNull();
  });

  test('no number of them where the limit is off', () => {
    const m = monitored();
    for (let n = 0; n < 9; n++) m.ordered({}, 'rejected');
    expect(m.state.reducing).toBeNull();
  });

  test('closes that lost, of all strategies together', () => {
    const m = monitored({ maxLossStreakOfAll: 2 });
    m.ordered({ size: '0.02' });
    for (let n = 0; n < 2; n++) m.ordered({ side: 'sell', price: '59999' });
    m.ordered({});
    expect(m.state.reducing).toBeNull();
    m.ordered({ side: 'sell', price: '59999' });
    expect(m.state.stops.reducing).toMatchObject({ reason: 'LOSS_STREAK', why: '2 closes in a row lost; risk.maxLossStreakOfAll' });
  });
});

describe('F71 a strategy that keeps asking for what is throttled', () => {
  const refused = (m: ReturnType<typeof monitored>, reason: Reason, count: number, from = T) =>
    Array.from({ length: count }, (_, n) => m.monitor.refused(OWNER, reason, from + n));

  test.each<Reason>(['DUPLICATE', 'MAX_ORDERS_PER_MINUTE', 'MAX_ORDERS_PER_MINUTE_OF_STRATEGY', 'MAX_ORDERS_PER_MINUTE_OF_PRODUCT'])(
    'is told of beyond its limit a minute, for %s',
    (reason) => {
      const m = monitored({ maxThrottledPerMinute: 3 });
      const told = refused(m, reason, 5);
      expect(told.map((one) => one !== undefined)).toEqual([false, false, false, true, false]);
      expect(told[3]).toBe(`4 intents within a minute were refused as too many or repeated, the last as ${reason}`);
    },
  );

  test('is not told of for other reasons, nor over a longer time, nor for another strategy, nor where the limit is off', () => {
    const m = monitored({ maxThrottledPerMinute: 3 });
    expect(refused(m, 'MAX_SPREAD', 9).filter(Boolean)).toEqual([]);
    expect([...refused(m, 'DUPLICATE', 3), ...refused(m, 'DUPLICATE', 1, T + 60_000)].filter(Boolean)).toEqual([]);
    expect(m.monitor.refused(strategyId('other'), 'DUPLICATE', T)).toBeUndefined();
    expect(refused(monitored(), 'DUPLICATE', 99).filter(Boolean)).toEqual([]);
  });
});

describe('figures that checks ask for', () => {
  const answered = (roundTripMs: number, rest: Partial<AnswerReport> = {}): AnswerReport => ({
    ...{ type: 'answered', outcome: 'accepted', reason: 'HTTP_OK', httpStatus: 201, body: '', figures: {}, late: false, why: '' },
    ...{ roundTripMs, ...rest },
  });

  test('count what was committed, and hold prices against those of the product where a lane has none', () => {
    const m = monitored();
    m.ordered({ size: '0.02' });
    const next = orderOf({ id: '9-1', at: T + 10, size: '0.02' });
    const figures = figuresOf(m.monitor, next);
    expect([figures.ordersInMinute(), figures.ordersInMinuteOfStrategy(), figures.ordersInMinuteOfProduct()]).toEqual([1, 1, 1]);
    expect([figures.sinceTwinMs(), figures.medianPrice(), figures.unknowns(), figures.cooldownLeftMs()]).toEqual([10, 60_000, 0, 0]);
    expect(figures.dayValue().get(USD)?.toString()).toBe('1200');
    expect(figures.totalExposure().size + figures.strategyExposure().size).toBe(0);
    expect(figures.funds(USD)?.toString()).toBe('48800');
    expect(figures.funds(BITCOIN)?.toString()).toBe('1.02');
    const elsewhere = figuresOf(m.monitor, { ...next, product: productCode('ethusd') });
    expect(elsewhere.totalExposure().get(USD)?.toString()).toBe('1200');
    expect(elsewhere.strategyExposure().get(USD)?.toString()).toBe('1200');
    expect(elsewhere.ordersInMinuteOfProduct()).toBe(0);
  });

  test('an unknown order counts where it is no exit, and an exit is nobody’s twin', () => {
    const m = monitored();
    m.ordered({ size: '0.02' });
    m.ordered({ side: 'sell', size: '0.01' }, 'unknown');
    expect(figuresOf(m.monitor, orderOf({ at: T })).unknowns()).toBe(0);
    m.ordered({ id: '2-1', size: '0.05' }, 'unknown');
    expect(figuresOf(m.monitor, orderOf({ at: T })).unknowns()).toBe(1);
    expect(figuresOf(m.monitor, orderOf({ at: T, size: '0.02' })).sinceTwinMs()).toBeUndefined();
  });

  test('answers are timed, but for those that came late or not at all', () => {
    const m = monitored();
    m.monitor.answered(answered(50), T);
    m.monitor.answered(answered(900, { late: true }), T);
    m.monitor.answered(answered(900, { httpStatus: null }), T);
    expect(figuresOf(m.monitor, orderOf({ at: T })).roundTripP99Ms()).toBe(50);
  });

  test('F09 a wait that the service asked for holds openings, and exits after one was tried', () => {
    const m = monitored();
    m.ordered({ size: '0.02' });
    m.monitor.answered(answered(5, { retryAfterMs: 1000 }), T);
    const figures = () => figuresOf(m.monitor, orderOf({ at: T }));
    expect([figures().openingWaitMs(), figures().exitWaitMs(), m.monitor.wait.endsAt(T)]).toEqual([1000, 0, T + 1000]);
    m.ordered({ side: 'buy' });
    expect(figures().exitWaitMs()).toBe(0);
    m.ordered({ side: 'sell' });
    expect(figures().exitWaitMs()).toBe(1000);
  });

  test('I32 go on over a restart', () => {
    const m = monitored({ maxLossStreakOfAll: 2, maxRejectionStreak: 2 });
    const flows = { usd: '-600', btc: '0.01' };
    const past = { ...NO_PAST_RISK, recentOrders: [{ at: T, strategy: OWNER, product: BTC }], dayValue: { usd: '600' }, flows };
    m.monitor.restore({ ...past, rejections: 1, waitUntil: T + 500 }, { ...NO_BOOKS, lossesOfAll: 1 }, T);
    const figures = figuresOf(m.monitor, orderOf({ at: T + 1 }));
    expect([figures.ordersInMinute(), figures.openingWaitMs(), figures.dayValue().get(USD)?.toString()]).toEqual([1, 499, '600']);
    expect([figures.funds(USD)?.toString(), figures.funds(BITCOIN)?.toString()]).toEqual(['49400', '1.01']);
    m.ordered({}, 'rejected');
    expect(m.state.stops.reducing?.reason).toBe('REJECTION_STREAK');
  });
});

describe('I32 after a restart', () => {
  test('an opening like the last one is a duplicate as before', () => {
    const m = monitored();
    const last = { id: '9-1', strategy: OWNER, product: BTC, side: 'buy', size: '0.01', at: T - 900 } as const;
    m.monitor.restore({ ...NO_PAST_RISK, lastOpenings: [last] }, NO_BOOKS, T);
    const since = (side: 'buy' | 'sell') => m.monitor.counts.sinceTwin(orderOf({ at: T, side, size: '0.01' }));
    expect([since('buy'), since('sell')]).toEqual([900, undefined]);
  });
  const held = { size: '0.1', average: '60000', cash: '-6000', fees: '0', openedAt: 5, entries: 1 };
  const past = { ...NO_BOOKS, books: [{ strategy: OWNER, product: BTC, quoteCcy: USD, ...held }] };
  const measured = { day: '1970-01-01', byCurrency: { usd: { dayStart: 0, peak: 500 } } };

  test('a profit that no run had measured is measured from its first quote on', () => {
    const m = monitored();
    m.books.restore(past);
    m.monitor.restore(NO_PAST_RISK, past, T);
    m.quoted(59_000, T + 100);
    expect(m.monitor.measures(T + 100).profit).toMatchObject([{ present: -100, dayStart: -100, atStart: -100 }]);
  });

  test('where a person took note in the run before, loss and drawdown count from the start', () => {
    const m = monitored({ maxDrawdownPct: 5 });
    m.books.restore(past);
    m.monitor.restore({ ...NO_PAST_RISK, profit: measured, anew: true }, past, T);
    m.quoted(59_000, T + 100);
    expect([m.state.reducing, m.monitor.measures(T + 100).profit]).toMatchObject([null, [{ present: -100, dayStart: 0, peak: 0 }]]);
  });

  test('the highest profit of all stays beside the one that counts since a person resumed', () => {
    const m = monitored({ maxDrawdownPct: 50 });
    m.books.restore(past);
    const byCurrency = { usd: { dayStart: 0, peak: 500, highest: 1000 } };
    m.monitor.restore({ ...NO_PAST_RISK, profit: { ...measured, byCurrency, resumedAt: isoTime(5) } }, past, T);
    m.quoted(60_000, T + 100);
    const { limits, drawdown } = m.monitor.measures(T + 100);
    expect([drawdown?.amount, limits.find(({ name }) => name === 'risk.maxDrawdownPct')?.since]).toEqual([1000, 5]);
  });

  test('what is held and what is open count towards the limits from the start, and profit goes on from where it was', () => {
    const m = monitored({ maxDrawdownPct: 5 });
    m.books.restore(past);
    m.books.track(inState('unknown', { id: '8-1', product: productCode('ethusd') }));
    m.monitor.restore({ ...NO_PAST_RISK, profit: measured }, past, T);
    expect(
      figuresOf(m.monitor, orderOf({ at: T, product: productCode('solusd') }))
        .totalExposure()
        .get(USD)
        ?.toString(),
    ).toBe('6600');
    expect(
      figuresOf(m.monitor, orderOf({ at: T, product: BTC }))
        .totalExposure()
        .get(USD)
        ?.toString(),
    ).toBe('600');
    const before = m.measured().length;
    m.quoted(60_000, T + 100);
    // What was journaled by the run before is not journaled again.
    expect(m.measured()).toHaveLength(before);
    m.quoted(59_750.1, T + 200);
    expect(m.state.reducing).toBeNull();
    m.quoted(59_750, T + 300);
    expect(m.state.reducing).toMatch(/^525 usd below the peak, 5 %/);
  });
});

test('a day that begins is journaled with where profit stands then', () => {
  const m = monitored();
  m.ordered({ size: '0.1' });
  m.quoted(61_000, T + 100);
  const before = m.measured().length;
  m.quoted(62_000, 86_400_001);
  expect(m.measured().slice(before)).toMatchObject([{ detail: { day: '1970-01-02' } }]);
});

test('prices of midnight sharp are the last of the day that ends, and the loss of the next is measured from them', () => {
  const m = monitored({ maxDayLoss: usd(100) });
  m.ordered({ size: '0.1' });
  m.quoted(61_000, 86_340_000);
  m.quoted(60_500, 86_400_000);
  m.quoted(59_501, 86_460_000);
  expect(m.state.reducing).toBeNull();
  m.quoted(59_500, 86_520_000);
  expect(m.state.reducing).toMatch(/^lost 100 usd since the day began/);
});

test('a lane’s own prices count before those of its product', () => {
  const m = monitored();
  m.monitor.quoted(quote({ buy: 70_000, lane: laneIdOf('btcusd@base:1'), validUntil: T + 5000 }), T + 1, {});
  expect(figuresOf(m.monitor, orderOf({ at: T + 2 })).medianPrice()).toBe(60_000);
});

describe('what a person and the service book', () => {
  test('a correction of the position changes book and account, one of the account alone the account', () => {
    const m = monitored();
    m.ordered({ size: '0.02' });
    m.monitor.booked([
      { kind: 'correction', book: 's', product: 'btcusd', currency: 'btc', amount: '-0.01' },
      { kind: 'correction', book: 's', product: 'btcusd', currency: 'usd', amount: '-5' },
      { kind: 'deposit', book: 'treasury', currency: 'usd', amount: '100' },
      { kind: 'deposit', book: 's', product: 'btcusd', currency: 'usd', amount: '0' },
      { kind: 'correction', book: 's', product: 'ethusd', currency: 'eth', amount: '3' },
    ] as Parameters<RiskMonitor['booked']>[0]);
    const book = m.books.book(OWNER, BTC);
    expect([book.size.toString(), book.cash.toString()]).toEqual(['0.01', '-1205']);
    expect(m.books.book(OWNER, productCode('ethusd')).size.toString()).toBe('0');
    m.quoted(60_000, T + 100);
    expect(m.monitor.measures(T + 100).profit.map((one) => [one.currency, one.present])).toEqual([['usd', -605]]);
    expect(m.monitor.funds.free(USD)?.toString()).toBe('48895');
    expect(m.monitor.funds.free(BITCOIN)?.toString()).toBe('1.01');
  });

  test('financing moves the account and what was won', () => {
    const m = monitored();
    m.ordered({ size: '0.02' });
    m.books.book(OWNER, BTC).move(decimalOf('-7'));
    m.monitor.financed({ strategy: OWNER, product: BTC, currency: USD, amount: decimalOf('-7') } as Parameters<RiskMonitor['financed']>[0]);
    expect(m.monitor.funds.free(USD)?.toString()).toBe('48793');
    expect(m.monitor.measures(T).profit).toMatchObject([{ present: -7 }]);
  });
});

describe('what is measured', () => {
  test('is journaled once a minute while it changes, and when the run ends', () => {
    const m = monitored();
    m.ordered({ size: '0.1' });
    m.quoted(60_000, T + 100);
    const before = m.measured().length;
    m.quoted(61_000, T + 30_000);
    m.quoted(61_000, T + 59_999);
    expect(m.measured()).toHaveLength(before);
    m.quoted(61_000, T + 60_100);
    expect(m.measured()).toHaveLength(before + 1);
    // Nothing has changed since.
    m.quoted(60_500, T + 130_000);
    expect(m.measured()).toHaveLength(before + 1);
    m.quoted(62_000, T + 131_000);
    m.monitor.stop();
    expect(m.measured()).toHaveLength(before + 2);
    m.monitor.stop();
    expect(m.measured()).toHaveLength(before + 2);
  });

  test('says how much of each limit is used', () => {
    const m = monitored({
      ...{
        maxDayLoss: usd(500),
        maxDrawdownPct: 10,
        maxDayValue: usd(9000),
        maxTotalValue: new Map([...usd(8000), ['sek', decimalOf(9)]]),
      },
      ...{
        maxStrategyValue: usd(7000),
        maxPositionValue: usd(6500),
        maxOrdersPerMinute: 30,
        reducingOrderSharePct: 20,
        maxOrdersPerMinuteOfStrategy: 20,
      },
      ...{ maxOrdersPerMinuteOfProduct: 10, maxUnknown: 1, maxRejectionStreak: 5 },
    });
    m.ordered({ size: '0.1' });
    m.ordered({ size: '0.01' }, 'rejected');
    m.ordered({ size: '0.01' }, 'unknown');
    m.quoted(59_000, T + 500);
    const { limits, drawdown, balances } = m.monitor.measures(T + 500);
    expect(limits).toEqual([
      { name: 'risk.maxDayLoss', scope: 'all', used: 100, limit: 500, unit: 'usd' },
      { name: 'risk.maxDrawdownPct', scope: 'all', used: 1, limit: 10, unit: '%' },
      { name: 'risk.maxDayValue', scope: 'all', used: 6600, limit: 9000, unit: 'usd' },
      { name: 'risk.maxTotalValue', scope: 'all', used: 6490, limit: 8000, unit: 'usd' },
      { name: 'risk.maxStrategyValue', scope: 's', used: 6490, limit: 7000, unit: 'usd' },
      { name: 'risk.maxPositionValue', scope: 'btcusd', used: 6490, limit: 6500, unit: 'usd' },
      { name: 'risk.maxOrdersPerMinute', scope: 'all', used: 3, limit: 24, unit: 'orders', forExits: 6 },
      { name: 'risk.maxOrdersPerMinuteOfStrategy', scope: 's', used: 3, limit: 20, unit: 'orders' },
      { name: 'risk.maxOrdersPerMinuteOfProduct', scope: 'btcusd', used: 3, limit: 10, unit: 'orders' },
      { name: 'risk.maxUnknown', scope: 'all', used: 1, limit: 1, unit: 'unknown orders' },
      { name: 'risk.maxRejectionStreak', scope: 'all', used: 1, limit: 5, unit: 'rejections in a row' },
    ]);
    expect(drawdown).toEqual({ amount: 100, pct: 1, currency: 'usd' });
    expect(balances).toEqual(m.monitor.funds.balances());
    expect(m.monitor.priced(BTC, 1)).toEqual({ currency: 'usd', price: 59_000 });
  });

  test('says nothing of limits that are off', () => {
    expect(monitored().monitor.measures(T).limits).toEqual([]);
  });
});
