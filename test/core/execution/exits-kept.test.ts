import { describe, expect, test } from 'vitest';
import type { PastExit } from '#domain/event.ts';
import { strategyId } from '#domain/names.ts';
import { btcProduct, quote } from '../../support/market-data.ts';
import { OWNER } from '../../support/orders.ts';
import { OPENED, watched } from './watched.ts';

const since = (ms: number): number => OPENED + ms;

describe('I32: an exit that was due before a restart is due after it', () => {
  const past: PastExit = { strategy: 's', product: 'btcusd', at: OPENED, reason: 'STOP_LOSS' };
  test.each<[string, Partial<PastExit>, boolean]>([
    ['at once', {}, true],
    ['of a position before this one', { at: OPENED - 1 }, false],
    ['of another product', { product: 'ethusd' }, false],
    ['of a strategy that has no exits any more', { strategy: 'gone' }, false],
  ])('%s', (_, more, isDue) => {
    const w = watched({ stopLossPct: 1 });
    w.exits.restore([{ ...past, ...more }]);
    expect(w.quoted({ price: 105 })?.reason).toBe(isDue ? 'due since before the restart' : undefined);
  });

  test('but not where nothing is held any more', () => {
    const w = watched({ stopLossPct: 1 });
    w.traded(100, '-1');
    w.exits.restore([past]);
    w.traded(100, '1', since(5000));
    expect(w.quoted({ price: 105 })).toBeUndefined();
  });
});

describe('I32: a trailing stop goes on from the best price of the run before', () => {
  test.each<[string, object, string | undefined]>([
    ['of the position that is open', {}, '1 sell TRAILING_STOP'],
    ['not of one before it', { openedAt: OPENED - 1 }, undefined],
    ['not of another product', { product: 'ethusd' }, undefined],
    ['not of a strategy that has no exits any more', { strategy: 'gone' }, undefined],
  ])('%s', (_, more, closed) => {
    const w = watched({ trailingPct: 2 });
    w.rows.at(OPENED);
    w.exits.restorePeaks([{ strategy: 's', product: 'btcusd', openedAt: OPENED, price: '110', ...more }]);
    expect(w.closedAt([107.81, 107.8])).toBe(closed);
  });

  test('which has its row already', () => {
    const w = watched({ trailingPct: 5 });
    w.rows.at(OPENED);
    w.exits.restorePeaks([{ strategy: 's', product: 'btcusd', openedAt: OPENED, price: '110' }]);
    for (const at of [500, 60_000]) w.quoted({ price: 109, at: since(at) });
    w.exits.stop();
    expect(w.peaks()).toEqual([]);
    w.quoted({ price: 110.1, at: since(61_000) });
    w.quoted({ price: 110, at: since(61_500) });
    expect(w.peaks(), 'but a better one not').toEqual([[61_000, '110.1']]);
  });
});

describe('the best price of a trailing stop has a row', () => {
  test.each([false, true])('at once, as soon as the stop moves by a tenth of its distance, or after ten seconds: short %s', (isShort) => {
    const w = watched({ trailingPct: 1 }, { isShort });
    const of = (gain: number): number => (isShort ? 200 - gain : gain);
    const prices: readonly (readonly [at: number, price: number])[] = [
      [500, 100],
      [1000, 100.09],
      [1500, 100.1],
      [2000, 100.15],
      [11_499, 100],
      [11_500, 100],
      [30_000, 100.15],
      [50_000, 100],
    ];
    for (const [at, price] of prices) expect(w.quoted({ price: of(price), at: since(at) })).toBeUndefined();
    expect(w.peaks()).toEqual([
      [500, '100'],
      [1500, String(of(100.1))],
      [11_500, String(of(100.15))],
    ]);
  });

  test('of each position anew', () => {
    const w = watched({ trailingPct: 1 });
    w.quoted({ price: 100, at: since(500) });
    w.traded(100, '-1', since(600));
    w.traded(100, '1', since(700));
    w.quoted({ price: 99.9, at: since(1000) });
    const row = { kind: 'peak', strategy: OWNER, product: 'btcusd' };
    expect(w.rows.deferred).toMatchObject([
      { ...row, detail: { price: '100', openedAt: OPENED } },
      { ...row, detail: { price: '100', openedAt: since(700) } },
    ]);
  });

  test('the last one when the run ends, once, and none where nothing trails it or nothing is held', () => {
    const w = watched({ trailingPct: 10 });
    for (const price of [100, 100.5]) w.quoted({ price });
    w.exits.stop();
    w.exits.stop();
    expect(w.peaks()).toEqual([
      [500, '100'],
      [1000, '100.5'],
    ]);
    const flat = watched({ trailingPct: 10 });
    for (const price of [100, 100.5]) flat.quoted({ price });
    flat.traded(100, '-1');
    flat.quoted({ price: 100.4 });
    flat.exits.stop();
    expect(flat.peaks()).toEqual([[500, '100']]);
    const still = watched({ stopLossPct: 1 });
    for (const price of [100, 102, 101]) still.quoted({ price, at: since(price * 1000) });
    still.exits.stop();
    expect(still.rows.deferred).toEqual([]);
    const unseen = watched({ trailingPct: 1 });
    unseen.exits.stop();
    expect(unseen.peaks()).toEqual([]);
  });
});

describe('the levels that people see', () => {
  const rules = { trailingPct: 1, stopLossPct: 2 };
  const levels = (w: ReturnType<typeof watched>, fee = 0, strategy = OWNER) =>
    w.exits
      .levels(strategy, btcProduct, { ...quote({ buy: 100 }), feePercentage: fee })
      .map(({ reason, price }) => `${reason} ${price.toFixed(3)}`);

  test.each([
    [false, 102, ['STOP_LOSS 98.000', 'TRAILING_STOP 99.000'], ['STOP_LOSS 98.000', 'TRAILING_STOP 100.980']],
    [true, 98, ['STOP_LOSS 102.000', 'TRAILING_STOP 101.000'], ['STOP_LOSS 102.000', 'TRAILING_STOP 98.980']],
  ])('are those of the entry until a better price was seen: short %s', (isShort, price, before, after) => {
    const w = watched(rules, { isShort });
    expect(levels(w)).toEqual(before);
    w.quoted({ price });
    expect(levels(w)).toEqual(after);
    w.traded(100, '-1');
    expect(levels(w), 'nothing is held').toEqual([]);
    w.traded(100, '1', since(5000));
    expect(levels(w), 'a new position').toEqual(before);
  });

  test('rest on the fee of the quotes where gains count after fees, and there alone', () => {
    expect(levels(watched({ takeProfitPct: 1 }), 0.1)).toEqual(['TAKE_PROFIT 101.000']);
    expect(levels(watched({ takeProfitPct: 1, net: true }), 0.1)).toEqual(['TAKE_PROFIT 101.201']);
  });

  test('are none while the price makes the position dust', () => {
    const w = watched(rules, { size: '0.0505' });
    const at = (buy: number) => w.exits.levels(OWNER, btcProduct, quote({ buy })).length;
    expect([100, 98, 100].map(at)).toEqual([2, 0, 2]);
  });

  test('a strategy without exits has none', () => {
    expect(levels(watched(rules), 0, strategyId('other'))).toEqual([]);
  });
});
