import { describe, expect, test } from 'vitest';
import { recoverOrders } from '#core/execution/recover-orders.ts';
import { quoteId } from '#domain/names.ts';
import { type FillText, orderText } from '#domain/order.ts';
import { NO_BOOKS } from '#domain/past-books.ts';
import { NO_PAST_RISK } from '#domain/past-risk.ts';
import type { Side } from '#domain/quote.ts';
import type { PastTry, PastWork } from '#domain/work-text.ts';
import { BTC, btcLane, quote } from '../../support/market-data.ts';
import { OWNER, orderOf } from '../../support/orders.ts';
import { booksOf } from '../../support/past-books.ts';
import { planOf, T, wants, working } from './working.ts';

const LEG: PastWork['legs'][number] = {
  ...{ lane: btcLane.id, product: 'btcusd', side: 'buy' as Side, size: { kind: 'amount', amount: { base: '0.01' } } },
  ...{ reason: 'go', tag: null, limit: null, within: 5000, on: null },
};

/** It closes all that is held. */
const CLOSING: typeof LEG = { ...LEG, side: 'sell', size: { kind: 'position' }, within: null };

/** A plan that began four seconds before the start. */
const past = (more: Partial<PastWork> = {}, tries: readonly PastTry[] = []): PastWork => ({
  ...{ work: '7-1', strategy: 's', legs: [LEG], lasting: false, onLegFailure: 'keep', signals: {}, begun: T - 4000, tries },
  ...more,
});

const restored = (...works: readonly PastWork[]) => {
  const w = working();
  w.products([]);
  w.parentOrders.restore(works);
  w.products();
  return w;
};

describe('what an earlier run had at work goes on', () => {
  test('for the time that it had left, on the next quote, under the name that it has in the journal', () => {
    const w = restored(past());
    expect(w.parentOrders.atWork()).toMatchObject([{ strategy: 's', wants: 'buy 0.01 base', until: T + 1000 }]);
    w.quote(60_000);
    expect(w.orders()).toEqual(['buy 0.01']);
    expect(w.row('intent')?.detail).toMatchObject({ work: '7-1/0' });
    w.answer();
    expect(w.row('worked')?.detail).toEqual({ work: '7-1' });
    w.after(5000);
    expect(w.story(), 'what was executed does not lapse').not.toContain('lapsed LAPSED');
  });

  test('until that is over', () => {
    const w = restored(past());
    w.after(999);
    expect(w.parentOrders.atWork()).toHaveLength(1);
    w.after(1);
    expect([w.story(), w.parentOrders.atWork()]).toEqual([['lapsed LAPSED'], []]);
  });

  test.each([
    [T - 5000, true],
    [T - 4999, false],
  ])('begun at %d it lapses at once: %s', (begun, isOver) => {
    const w = restored(past({ begun }));
    expect(w.story()).toEqual(isOver ? ['lapsed LAPSED'] : []);
    expect(w.heard.map(({ outcome }) => outcome.state)).toEqual(isOver ? ['lapsed'] : []);
  });

  test.each(['sell 0.01', 'buy 0.01'])('for as long as it takes, where it closes a position: %s', (order) => {
    const side: Side = order.startsWith('sell') ? 'sell' : 'buy';
    const w = working();
    w.holding(side === 'sell' ? '0.01' : '-0.01');
    w.parentOrders.restore([past({ legs: [{ ...CLOSING, side }], lasting: true, begun: 0 })]);
    w.after(60_000);
    w.quote(60_000);
    expect(w.orders()).toEqual([order]);
    w.expired();
    w.quote(60_001);
    expect(w.orders()).toHaveLength(2);
  });

  test.each<[string, Partial<PastWork>, PastTry['state'] | null, story: readonly string[]]>([
    ['on a lane that nobody has any more is withdrawn', { legs: [{ ...LEG, lane: 'btcusd@base:7' }] }, null, ['withdrawn NOT_CONFIGURED']],
    ['and that closes what is gone is over', { legs: [CLOSING], lasting: true }, null, []],
    ['and whose outcome is unknown is over', {}, 'unknown', []],
    ['and that was executed is over', {}, 'accepted', []],
    ['on such a lane that was executed is over, too', { legs: [{ ...LEG, lane: 'btcusd@base:7' }] }, 'accepted', []],
    ['on such a lane whose outcome is unknown is over, too', { legs: [{ ...LEG, lane: 'btcusd@base:7' }] }, 'unknown', []],
  ])('but not one that %s', (_, more, state, story) => {
    const tries = state === null ? [] : [{ order: '1-1', leg: 0, state, at: T - 2000, change: state === 'accepted' ? '0.01' : null }];
    const w = restored(past(more, tries));
    expect([w.story(), w.parentOrders.atWork()]).toEqual([story, []]);
    expect(w.row('worked')?.detail).toEqual({ work: '7-1' });
    w.quote(60_000);
    w.after(5000);
    expect([w.orders(), w.story()]).toEqual([[], story]);
  });
});

describe('orders of earlier runs', () => {
  const fill: FillText = {
    ...{ side: 'buy', baseCcy: 'btc', quoteCcy: 'usd', price: '60000', size: '0.02', value: '1200', fee: '1' },
    feeCcy: 'usd',
  } as const;
  const facts = { books: NO_BOOKS, unknowns: [], usedQuotes: [], risk: NO_PAST_RISK };
  const order = orderText(orderOf({ id: '3-1' }));

  test('are in the books by what their fills came to, and their quotes are used', () => {
    const used = String(quote().id);
    const w = working();
    const fills = [{ strategy: 's', product: 'btcusd', at: T - 9000, orderId: '1-1', fill }];
    recoverOrders({ ...facts, books: booksOf(fills), usedQuotes: [used] }, w.context);
    expect([w.held(), w.context.monitor.counts.isUsed(quoteId(used)), w.rows().filter(({ kind }) => kind === 'unknown')]).toEqual([
      '0.02',
      true,
      [],
    ]);
    const none = working();
    recoverOrders(facts, none.context);
    expect(none.held()).toBe('0');
  });

  test('I04: one that was on its way when the process ended is unknown, with one row; one that was unknown before has its row', () => {
    const w = working();
    const second = orderText(orderOf({ id: '3-2' }));
    recoverOrders(
      {
        ...facts,
        unknowns: [
          { order, journaled: false },
          { order: second, journaled: true },
        ],
      },
      w.context,
    );
    expect([...w.context.books.openOrders()].map(({ id, state }) => `${id} ${state}`)).toEqual(['3-1 unknown', '3-2 unknown']);
    const rows = w.rows().filter(({ kind }) => kind === 'unknown');
    expect(rows).toMatchObject([{ strategy: OWNER, product: BTC, reason: 'CRASH_RECOVERY', orderId: '3-1', quoteId: order.quoteId }]);
    expect(rows[0]?.detail).toMatchObject({
      why: expect.stringContaining('on its way'),
      position: '0 is held, from 0 to 0.02 is possible',
    });
  });

  test('count for the rate of orders', () => {
    const w = working({ limits: { maxOrdersPerMinute: 1 } });
    const recentOrders = [{ at: T - 1000, strategy: 's', product: 'btcusd' }];
    recoverOrders({ ...facts, risk: { ...NO_PAST_RISK, recentOrders } }, w.context);
    w.quote(60_000);
    w.parentOrders.begin(planOf([wants('buy')]));
    expect(w.told).toEqual(['refused MAX_ORDERS_PER_MINUTE']);
  });

  test('of unknown outcome are looked into once the run begins, and counted', () => {
    const w = working({ limits: { maxUnknown: 0 } });
    recoverOrders({ ...facts, unknowns: [{ order, journaled: true }] }, w.context);
    w.reports.start();
    expect([w.unknown, w.context.state.isHalted]).toEqual([['3-1'], true]);
    const allowed = working({ limits: { maxUnknown: 1 } });
    recoverOrders({ ...facts, unknowns: [{ order, journaled: true }] }, allowed.context);
    allowed.reports.start();
    expect(allowed.context.state.isHalted).toBe(false);
  });
});
