import { describe, expect, test } from 'vitest';
import { decimalOf } from '#domain/decimal.ts';
import { laneFor } from '#domain/lane.ts';
import { productCode, quoteId, strategyId } from '#domain/names.ts';
import { BTC, btcProduct } from '../../support/market-data.ts';
import { base, legOf, planOf, T, wants, working } from './working.ts';

const ETH = productCode('ethusd');
const ethLane = laneFor(ETH, base('0.1'));
const second = laneFor(BTC, base('0.02'));

/** Waits for a price of 59,000 or less. */
const limited = wants('buy', { limit: 59_000, within: 1500 });
const patient = wants('buy', { within: 60_000 });

describe('what a strategy had at work in the same product makes way for what it wants now', () => {
  const eth = { ...btcProduct, code: ETH };
  const many = () => {
    const w = working({ lanes: [ethLane, second] });
    w.products([btcProduct, eth]);
    return w;
  };
  const waiting = { ...patient, limit: 1 };

  test('with a row, on whichever lane', () => {
    const w = many();
    w.parentOrders.begin(planOf([waiting]));
    w.parentOrders.begin(planOf([legOf(waiting, second)]));
    expect(w.row('withdrawn')).toMatchObject({ strategy: 's', product: 'btcusd', reason: 'REPLACED', detail: { withinMs: 60_000 } });
    expect(w.parentOrders.atWork()).toHaveLength(1);
    w.after(30_000);
    w.parentOrders.begin(planOf([legOf({ ...waiting, limit: 2 }, second)]));
    w.after(40_000);
    expect(w.story(), 'what was withdrawn does not lapse').not.toContain('lapsed LAPSED');
  });

  test('where a refusal makes the strategy want something else, that stays and the refused plan is over', () => {
    const w = many();
    w.quote(60_000);
    w.hear(() => w.parentOrders.begin(planOf([legOf(waiting, second)])));
    w.parentOrders.begin(planOf([{ ...limited, within: null }, patient]));
    expect(w.parentOrders.atWork()).toMatchObject([{ of: 1, wants: 'buy 0.01 base' }]);
    expect(w.story()).toEqual(['refused LIMIT_PRICE']);
    const later = many();
    later.hear(() => later.parentOrders.begin(planOf([legOf(waiting, second)])));
    later.parentOrders.begin(planOf([wants('sell', { size: { kind: 'position' }, within: 9000 }), patient]));
    later.quote(60_000);
    expect(later.story(), 'it did not fail as well').toEqual(['refused NO_POSITION', 'withdrawn REPLACED']);
  });

  test('as a plan of several products as soon as one of them is asked for', () => {
    const w = many();
    w.parentOrders.begin(planOf([legOf(waiting, ethLane), waiting]));
    w.parentOrders.begin(planOf([waiting]));
    expect(w.parentOrders.atWork()).toMatchObject([{ product: 'btcusd', of: 1 }]);
    w.parentOrders.begin(planOf([waiting, legOf(waiting, ethLane)]));
    expect(w.parentOrders.atWork()).toMatchObject([{ product: 'btcusd', of: 2 }]);
  });

  test('but not in another product, of another strategy, or while a position is closed', () => {
    const w = many();
    w.holding('0.01');
    w.parentOrders.begin(planOf([legOf(waiting, ethLane)]));
    w.parentOrders.begin(planOf([waiting], { strategy: strategyId('other') }));
    const closing = planOf([wants('sell', { size: { kind: 'position' } })]);
    w.parentOrders.close(closing);
    w.parentOrders.begin(planOf([waiting]));
    const all = ['s ethusd buy 0.01 base', 'other btcusd buy 0.01 base', 's btcusd sell position', 's btcusd buy 0.01 base'];
    const atWork = () => w.parentOrders.atWork().map(({ strategy, product, wants: what }) => `${strategy} ${product} ${what}`);
    expect(atWork()).toEqual(all);
    expect(w.story()).toEqual([]);
    for (let n = 0; n < 2; n++) w.parentOrders.withdraw(closing);
    expect(atWork(), 'a person takes back one of them').toEqual(all.toSpliced(2, 1));
  });

  test('a closing takes the place of what waits', () => {
    const w = many();
    w.holding('0.01');
    w.parentOrders.begin(planOf([waiting]));
    w.parentOrders.close(planOf([wants('sell', { size: { kind: 'position' } })]));
    expect(w.story()).toEqual(['withdrawn REPLACED']);
    expect(w.parentOrders.isClosing(planOf([]).strategy)).toBe(true);
    expect(w.parentOrders.isClosing(strategyId('other'))).toBe(false);
  });
});

describe('several legs', () => {
  const two = (next: Parameters<typeof wants>[1], onLegFailure: 'keep' | 'unwind' = 'keep') =>
    planOf([wants('buy', { reason: 'one' }), wants('buy', { reason: 'two', ...next })], { onLegFailure });

  test('are done one after the other, each on a quote of its own, with their own back-off', () => {
    const w = working();
    w.quote(60_000);
    w.parentOrders.begin(
      planOf([
        { ...patient, reason: 'one' },
        { ...patient, reason: 'two' },
      ]),
    );
    w.rejected();
    w.quote(60_001, { afterMs: 1000 });
    w.answer();
    expect(w.parentOrders.atWork()).toMatchObject([{ leg: 2, of: 2, attempts: 0, last: null, why: 'two' }]);
    w.quote(60_002, { afterMs: 10 });
    w.answer();
    expect(w.parentOrders.atWork()).toEqual([]);
    expect(w.orders()).toHaveLength(3);
    const names = w.rows().flatMap(({ kind, detail }) => (kind === 'intent' && 'work' in detail ? [String(detail.work).slice(-2)] : []));
    expect(names).toEqual(['/0', '/0', '/1']);
  });

  test('a later one waits for the next quotes as long as its lane may be silent two and a half times', () => {
    const w = working();
    w.quote(60_000);
    w.parentOrders.begin(two({}));
    expect(w.parentOrders.atWork()).toMatchObject([{ leg: 1, until: null }]);
    w.answer();
    w.after(4999);
    expect(w.parentOrders.atWork()).toMatchObject([{ leg: 2, until: T + 520 + 5000 }]);
    w.after(1);
    expect(w.story().slice(-2)).toEqual(['lapsed LAPSED', 'leg_failed LEG_FAILED']);
    expect(w.row('leg_failed')).toMatchObject({
      strategy: 's',
      product: 'btcusd',
      detail: { leg: 2, of: 2, policy: 'keep', wants: '0.01 base' },
    });
    expect(w.orders()).toHaveLength(1);
  });

  const TAKEN = '00000000-0000-4000-8000-0000000000aa';

  test.each<[string, id: string | null | undefined, then?: 'rejected' | 'expired']>([
    ['another order has used the quote', TAKEN],
    ['the service rejects it', undefined, 'rejected'],
    ['the last gate finds it too late', undefined, 'expired'],
    ['the quote is anonymous', null],
  ])('a later one is tried on the next quotes while its time lasts, also where %s', (_, id, then) => {
    const w = working();
    w.context.monitor.counts.use(quoteId(TAKEN));
    w.quote(60_000);
    w.parentOrders.begin(two({}, 'unwind'));
    w.answer();
    w.quote(60_001, id === undefined ? {} : { id });
    if (then) w[then]();
    expect(w.parentOrders.atWork()).toMatchObject([{ leg: 2, attempts: 1 }]);
    w.quote(60_002, { afterMs: 1000 });
    w.answer();
    expect([w.held(), w.parentOrders.atWork()]).toEqual(['0.02', []]);
    expect(w.story()).not.toContain('leg_failed LEG_FAILED');
  });

  test('a later one ends at once at a refusal that waiting cannot mend, and otherwise when its time is over', () => {
    const w = working({ lanes: [second] });
    w.quote(60_000, { lane: second.id, size: 0.02 });
    w.quote(60_000);
    w.parentOrders.begin(planOf([wants('buy'), legOf(wants('buy', { size: { kind: 'amount', amount: base('0.00001') } }), second)]));
    w.answer();
    expect(w.story().slice(-2)).toEqual(['refused SIZE_LIMITS', 'leg_failed LEG_FAILED']);
    const patiently = working();
    patiently.context.monitor.counts.use(quoteId(TAKEN));
    patiently.quote(60_000);
    patiently.parentOrders.begin(two({}));
    patiently.answer();
    patiently.quote(60_001, { id: TAKEN });
    patiently.after(4499);
    expect(patiently.story()).not.toContain('leg_failed LEG_FAILED');
    patiently.after(1);
    expect(patiently.row('leg_failed')).toMatchObject({ detail: { attempts: 1, last: 'QUOTE_TAKEN', withinMs: 5000 } });
  });

  test.each<['keep' | 'unwind', held: string, orders: readonly string[]]>([
    ['keep', '0.04', ['buy 0.01']],
    ['unwind', '0.03', ['buy 0.01', 'sell 0.01']],
  ])('one that comes to nothing: %s leaves %s of what was held before and what was bought', (policy, held, orders) => {
    const w = working();
    w.holding('0.03');
    w.quote(60_000);
    w.parentOrders.begin(two({ limit: 1, within: 1000 }, policy));
    w.answer();
    w.quote(60_001);
    w.after(1000);
    w.quote(60_002);
    if (policy === 'unwind') w.answer();
    expect([w.held(), w.orders()]).toEqual([held, orders]);
    expect(w.parentOrders.atWork()).toEqual([]);
  });

  test('undoing does not give up, and is nothing that a later intent takes the place of', () => {
    const w = working();
    w.quote(60_000);
    w.parentOrders.begin(two({ limit: 1, within: 1000 }, 'unwind'));
    w.answer();
    w.after(1000);
    w.quote(60_001);
    w.rejected();
    w.parentOrders.begin(planOf([{ ...patient, limit: 1 }]));
    w.quote(60_002, { afterMs: 1000 });
    w.answer();
    expect([w.held(), w.orders()]).toEqual(['0', ['buy 0.01', 'sell 0.01', 'sell 0.01']]);
    expect(w.notices.filter((text) => text.includes('could not be closed'))).toHaveLength(1);
  });

  test.each([
    ['a fee was taken from it since', '-0.00001', 60_001, ['buy 0.01', 'sell 0.0099']],
    ['it is gone', '-0.01', 60_001, ['buy 0.01']],
    ['the rest is dust', '-0.0099', 30_000, ['buy 0.01']],
  ])('undoing sells no more than is held, and then it is over: %s', (_, gone, price, orders) => {
    const w = working({ reserve: 1 });
    w.quote(60_000);
    w.parentOrders.begin(two({ limit: 1, within: 1000 }, 'unwind'));
    w.answer();
    w.after(1000);
    w.holding(gone);
    w.quote(price);
    if (orders.length > 1) {
      w.lentQuote();
      w.answer();
    }
    expect([w.orders(), w.parentOrders.atWork()]).toEqual([orders, []]);
  });

  test('several that were executed are undone, each however long it takes', () => {
    const w = working();
    w.quote(60_000);
    w.parentOrders.begin(planOf([patient, patient, { ...limited, limit: 1 }], { onLegFailure: 'unwind' }));
    for (const price of [60_001, 60_002, 60_003]) {
      w.answer();
      w.quote(price);
    }
    w.after(1500);
    w.quote(60_004);
    w.answer();
    w.after(60_000);
    for (let n = 5; n < 10; n++) w.quote(60_000 + n);
    w.answer();
    expect([w.held(), w.orders()]).toEqual(['0', ['buy 0.01', 'buy 0.01', 'sell 0.01', 'sell 0.01']]);
  });

  test('undoing that begins on the quote of an executed leg waits for the next one: a person hears of a second failure alone', () => {
    const undone = () => {
      const w = working();
      w.quote(60_000, { id: TAKEN });
      w.parentOrders.begin(two({ limit: 1, within: 100 }, 'unwind'));
      w.answer();
      w.after(100);
      expect(w.told.at(-1)).toBe('refused QUOTE_TAKEN');
      return w;
    };
    const soon = undone();
    soon.quote(60_001);
    soon.answer();
    expect([soon.held(), soon.notices]).toEqual([
      '0',
      [
        expect.stringMatching(
          /^warn: s: leg 2 of 2, buy 0\.01 base of btcusd, came to nothing: .*; what was executed before it is undone$/,
        ),
      ],
    ]);
    const late = undone();
    late.quote(60_001, { id: TAKEN.replace('aa', 'bb') });
    late.rejected();
    expect(late.notices.slice(1)).toEqual([expect.stringMatching(/^error: s: the position could not be closed: .*rejected/)]);
  });

  test('what a leg has closed is not opened again where it is settled too late: its row says that it stays, and a person hears of it', () => {
    const w = working();
    w.holding('0.01');
    w.quote(60_000);
    w.parentOrders.begin(planOf([wants('sell', { size: { kind: 'position' } }), patient], { onLegFailure: 'unwind' }));
    w.unanswered();
    w.after(30_001);
    w.quote(60_001);
    w.answer();
    expect([w.held(), w.story().slice(-2)]).toEqual(['0', ['lapsed LAPSED', 'leg_failed LEG_FAILED']]);
    expect(w.row('leg_failed')?.detail).toMatchObject({ leg: 2, of: 2, policy: 'keep' });
    expect(w.notices).toEqual([expect.stringMatching(/^error: s: leg 2 of 2, .*; what was executed before it stays$/)]);
  });

  test('the next one is tried on its own lane, and the lane that the one before was lent is given back', () => {
    const w = working({ reserve: 1 });
    w.quote(60_000);
    w.parentOrders.begin(planOf([wants(null, { size: { kind: 'target', size: decimalOf('0.02') }, within: 9000 }), patient]));
    w.holding('0.02');
    w.lentQuote();
    expect([w.told, w.givenBack.length]).toEqual([['needs_lane', 'nothing', 'sent'], 1]);
    expect(w.orders()).toEqual(['buy 0.01']);
  });

  test('nothing is undone where nothing was executed, and no row speaks of legs where there is one', () => {
    const w = working();
    w.quote(60_000);
    w.parentOrders.begin(planOf([{ ...limited, within: null }, patient], { onLegFailure: 'unwind' }));
    expect(w.story()).toEqual(['refused LIMIT_PRICE']);
    w.parentOrders.begin(planOf([{ ...limited, within: null }], { onLegFailure: 'unwind' }));
    expect(w.story().filter((row) => row.startsWith('leg'))).toEqual([]);
    expect(w.rows().filter(({ kind }) => kind === 'working' || kind === 'worked')).toEqual([]);
  });
});
