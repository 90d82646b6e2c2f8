import { describe, expect, test } from 'vitest';
import { MemoryJournal } from '#adapters/journal/memory-journal.ts';
import { MANUAL_BOOK, REHEARSAL_TAG } from '#core/execution/plan.ts';
import type { Decision } from '#domain/decision.ts';
import { KairosError } from '#domain/errors.ts';
import { laneFor } from '#domain/lane.ts';
import { laneIdOf, orderId, productCode, type StrategyId, strategyId } from '#domain/names.ts';
import { usd } from '../../support/limits.ts';
import { BTC, btcLane, quote } from '../../support/market-data.ts';
import { OWNER } from '../../support/orders.ts';
import { base, disarm, legOf, OWN, planOf, T, type WorkingOptions, wants, working } from './working.ts';

const second = laneFor(BTC, base('0.02'));
const buys = planOf([wants('buy')]);

/** A quote at 60,000, and an intent on it. */
function wanted(intent = wants('buy'), options: WorkingOptions = {}) {
  const w = working(options);
  w.quote(60_000);
  w.parentOrders.begin(planOf([intent], { signals: { mid: 60_000 } }));
  return w;
}

describe('an order', () => {
  test('is committed before it leaves, with all that it rests on, and carries the figures of its quote', () => {
    const w = wanted(wants('buy', { tag: 'in', limit: 60_000 }));
    const { id, quoteId, validUntil, intentAt } = w.last();
    expect({ id, validUntil, intentAt }).toEqual({ id: '2-1', validUntil: T + 3500, intentAt: T + 500 });
    const about = { strategy: 's', product: 'btcusd', orderId: id, quoteId, at: T + 500 };
    expect(w.row('intent')).toMatchObject(about);
    expect(w.row('intent')?.detail).toEqual({
      ...{ side: 'buy', why: 'go', tag: 'in', wants: '0.01 base', signals: { mid: 60_000 } },
      quote: {
        ...{ lane: btcLane.id, buy: 60_000, sell: 60_000, size: 0.01, spreadPercentage: 0 },
        ...{ validUntil: new Date(T + 3500).toISOString(), timeLeftMs: 3000 },
      },
    });
    expect(w.row('approved')).toMatchObject({
      ...about,
      detail: { timeLeftMs: 3000, order: { id, side: 'buy', size: '0.01', price: '60000' } },
    });
    expect(w.context.books.order(id)?.state).toBe('intent');
  });

  test('is named by its event, and counted within it', () => {
    const w = working({ lanes: [second] });
    w.quote(60_000);
    w.quote(60_000, { lane: second.id, size: 0.02 });
    w.parentOrders.begin(buys);
    w.parentOrders.begin(
      planOf([legOf(wants('buy', { size: { kind: 'amount', amount: second.amount } }), second)], { strategy: strategyId('other') }),
    );
    w.report({ type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs: 1 }, orderId('3-1'));
    w.quote(60_001);
    w.parentOrders.begin(buys);
    expect(w.broker.submitted.map(({ id }) => id)).toEqual(['3-1', '3-2', '5-1']);
  });

  test('uses its quote, which no other order may', () => {
    const w = wanted();
    w.expired();
    w.parentOrders.begin(buys);
    expect([w.told, w.orders()]).toEqual([['sent', 'refused QUOTE_TAKEN'], ['buy 0.01']]);
  });

  test('counts for the rate of orders', () => {
    const w = wanted(wants('buy'), { limits: { maxOrdersPerMinute: 1 } });
    w.answer();
    w.quote(60_001);
    w.parentOrders.begin(buys);
    expect(w.told).toEqual(['sent', 'refused MAX_ORDERS_PER_MINUTE']);
  });
});

describe('an intent that becomes no order', () => {
  test('is a row with the checks, and the strategy hears of it with the price', () => {
    const w = wanted(wants('buy', { limit: 59_999 }));
    const checks = expect.arrayContaining([{ check: 'LIMIT_PRICE', passed: false, figure: '60000', limit: 59_999 }]);
    expect(w.row('refused')).toMatchObject({ strategy: 's', product: 'btcusd', reason: 'LIMIT_PRICE', quoteId: expect.any(String) });
    expect(w.row('refused')?.detail).toMatchObject({ intent: { side: 'buy', why: 'go', quote: { timeLeftMs: 3000 } }, checks });
    const outcome = { at: T + 500, state: 'refused', reason: 'LIMIT_PRICE', side: 'buy', orderId: undefined, price: 60_000, size: 0.01 };
    expect(w.heard).toEqual([{ outcome, why: undefined, checks }]);
  });

  test('for want of a position names what is held and what was wanted', () => {
    const w = wanted(wants('sell', { size: { kind: 'position' } }));
    const checks = [{ check: 'NO_POSITION', passed: false, figure: '0', limit: 'position' }];
    expect(w.row('refused')?.detail).toMatchObject({ intent: { side: 'sell' }, checks });
  });

  test('because its quote has no name rests on no check, and because trading is halted on that alone: no lane is lent', () => {
    const nameless = working();
    nameless.quote(60_000, { id: null });
    nameless.parentOrders.begin(buys);
    const halted = working({ reserve: 1 });
    halted.quote(60_000);
    halted.context.state.halt('HALTED', 'me', 'test');
    halted.parentOrders.begin(planOf([wants('buy', { size: { kind: 'amount', amount: base('0.03') } })]));
    expect([nameless.row('refused')?.detail, halted.row('refused')?.detail]).toMatchObject([
      { intent: { side: 'buy' }, checks: [] },
      { intent: { side: 'buy' }, checks: [{ check: 'HALTED', passed: false }] },
    ]);
    expect([nameless.told, halted.told, halted.lent]).toEqual([['refused QUOTE_WITHOUT_ID'], ['refused HALTED'], []]);
  });

  test('because an input of its strategy is silent: it decides on what stands still', () => {
    const inputs = { other: { kind: 'lane', source: second.id, product: BTC } } as const;
    const w = working({ lanes: [second], options: { strategies: [{ ...OWN, inputs }] } });
    w.quote(60_000, { lane: second.id, size: 0.02 });
    w.quote(60_000, { afterMs: 9999 });
    w.parentOrders.begin(buys);
    w.expired();
    w.quote(60_001);
    w.parentOrders.begin(buys);
    expect(w.told).toEqual(['sent', 'refused INPUT_STALE']);
  });

  test.each<[string, StrategyId, tag: string | null, told: readonly string[]]>([
    ['an order of a person', MANUAL_BOOK, 'by-hand', ['refused DISARMED', 'refused PAUSED']],
    ['an order of a strategy, whatever it calls it', OWNER, REHEARSAL_TAG, ['refused DISARMED', 'refused PAUSED']],
    ['but no rehearsal, by which a person arms', MANUAL_BOOK, REHEARSAL_TAG, ['sent', 'sent']],
  ])('because nothing is armed, or trading is paused: %s', (_, strategy, tag, told) => {
    const tried = [true, false].flatMap((isDisarmed) => {
      const w = working({ options: { arming: { arm: 'manual', rearmAfterMs: null, crashHalt: null } } });
      if (isDisarmed) disarm(w);
      else w.context.state.pause(null, { reason: 'BY_PERSON', who: 'ann', why: 'lunch' });
      w.quote(60_000);
      w.parentOrders.begin(planOf([wants('buy', { tag })], { strategy }));
      return w.told;
    });
    expect(tried).toEqual(told);
  });

  test('because its strategy is paused or nothing is armed: no lane is lent, but for an exit of a paused one', () => {
    const odd = (side: 'buy' | 'sell') => planOf([wants(side, { size: { kind: 'amount', amount: base('0.03') } })]);
    const paused = working({ reserve: 1 });
    paused.holding('0.05');
    paused.quote(60_000);
    paused.context.state.pause(OWNER, { reason: 'BY_PERSON', who: 'ann', why: 'lunch' });
    paused.parentOrders.begin(odd('buy'));
    expect([paused.told, paused.lent]).toEqual([['refused PAUSED'], []]);
    paused.quote(60_001);
    paused.parentOrders.begin(odd('sell'));
    expect(paused.lent).toHaveLength(1);
    const halted = working({ reserve: 1 });
    halted.holding('0.05');
    halted.quote(60_000);
    halted.context.state.halt('BY_PERSON', 'ann', 'enough');
    halted.parentOrders.begin(odd('sell'));
    expect([halted.told, halted.lent]).toEqual([['refused HALTED'], []]);
  });

  test('in a product or on a lane that nobody knows is nothing', () => {
    const w = working();
    const place = (one = quote()) => w.placer.place(buys, legOf(wants('buy')), one);
    expect(place(quote({ lane: laneIdOf('btcusd@base:9') }))).toEqual({ kind: 'nothing' });
    w.products([]);
    expect(place()).toEqual({ kind: 'nothing' });
    expect(w.story()).toEqual([]);
    const leg = { ...legOf(wants('buy')), product: productCode('ethusd') };
    expect(w.placer.place(buys, leg, quote({ lane: laneIdOf('btcusd@base:9') }))).toEqual({ kind: 'nothing' });
  });

  test('F71 again and again, as too much, disables its strategy', () => {
    const w = wanted(wants('buy'), { limits: { maxOrdersPerMinute: 1, maxThrottledPerMinute: 2 } });
    w.answer();
    for (let n = 0; n < 3; n++) {
      w.quote(60_001);
      w.parentOrders.begin(buys);
    }
    const refused = 'refused MAX_ORDERS_PER_MINUTE';
    expect(w.told).toEqual(['sent', refused, refused, expect.stringContaining('runaway s: 3 intents within a minute'), refused]);
  });

  test('an exit that is worth more than a person has allowed waits for that person, who is told once', () => {
    const w = working({ limits: { maxExitValue: usd(500) } });
    w.holding('0.01');
    w.quote(60_000);
    w.parentOrders.close(planOf([wants('sell', { size: { kind: 'position' } })]));
    w.quote(60_001);
    expect(w.told).toEqual(['exit 2-1 waits', 'refused MAX_EXIT_VALUE', 'refused MAX_EXIT_VALUE']);
    w.context.exits.allow(OWNER, BTC, '1000');
    w.quote(60_002);
    expect(w.orders()).toEqual(['sell 0.01']);
  });
});

describe('while another process holds the journal', () => {
  /** The next commits of orders find the journal so. */
  function held(errors: (Error | null)[]) {
    class Held extends MemoryJournal {
      override commit(rows: readonly Decision[]): void {
        const error = rows.some(({ kind }) => kind === 'approved') ? errors.shift() : undefined;
        if (error) throw error;
        super.commit(rows);
      }
    }
    const w = working({ journal: new Held() });
    const again = (): void => {
      w.quote(60_000);
      w.parentOrders.begin(buys);
    };
    return { ...w, again };
  }
  const busy = () => new KairosError('JOURNAL_BUSY', 'another process writes');

  test('no order leaves: nothing of it was committed', () => {
    const w = held([busy()]);
    w.again();
    expect([w.orders(), w.told, w.context.books.hasOpen]).toEqual([[], ['refused JOURNAL_BUSY'], false]);
    expect(w.row('refused')).toMatchObject({ reason: 'JOURNAL_BUSY', detail: { intent: { side: 'buy' }, checks: expect.anything() } });
    w.again();
    expect(w.orders()).toEqual(['buy 0.01']);
  });

  test('however often it does, trading goes on by itself', () => {
    const w = held(Array.from({ length: 100 }, busy));
    for (let n = 0; n < 100; n++) w.again();
    expect([w.context.state.isHalted, w.orders()]).toEqual([false, []]);
    w.again();
    expect(w.orders()).toEqual(['buy 0.01']);
  });

  test('any other failure is nothing to go on after', () => {
    for (const error of [new KairosError('JOURNAL_FAULT', 'no space'), new Error('disk')]) {
      const w = held([error]);
      expect(() => w.again()).toThrow(error);
      expect(w.broker.submitted).toEqual([]);
    }
  });
});
