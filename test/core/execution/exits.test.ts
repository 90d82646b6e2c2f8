import { describe, expect, test } from 'vitest';
import type { ExitRules } from '#core/execution/exits.ts';
import { decimalOf } from '#domain/decimal.ts';
import { strategyId } from '#domain/names.ts';
import { seeded } from '#domain/seeded.ts';
import { btcProduct, quote } from '../../support/market-data.ts';
import { OWNER } from '../../support/orders.ts';
import { type Holding, NO_EXITS, OPENED, watched } from './watched.ts';

const STEPS = 120;

/** Which exit the rules say is due first, and at which price, in exact decimals throughout. */
function exactly(
  rules: ExitRules,
  { average, short, prices, feePct }: { average: string; short: boolean; prices: readonly number[]; feePct: number },
) {
  const entry = decimalOf(average);
  let best = entry;
  for (const [index, figure] of prices.entries()) {
    const price = decimalOf(figure);
    if (short ? price.lt(best) : price.gt(best)) best = price;
    const gain = (at: typeof price) =>
      (short ? entry.minus(at) : at.minus(entry)).div(entry).times(100).minus(at.div(entry).plus(1).times(feePct));
    const back = best
      .minus(price)
      .div(best)
      .times(short ? -100 : 100);
    const { stopLossPct, takeProfitPct, trailingPct, activateAtPct } = rules;
    const closes = `${index} ${short ? 'buy' : 'sell'}`;
    if (stopLossPct !== null && gain(price).lte(-stopLossPct)) return `${closes} STOP_LOSS`;
    const isActive = activateAtPct === null || gain(best).gte(activateAtPct);
    if (trailingPct !== null && isActive && back.gte(trailingPct)) return `${closes} TRAILING_STOP`;
    if (takeProfitPct !== null && gain(price).gte(takeProfitPct)) return `${closes} TAKE_PROFIT`;
  }
  return undefined;
}

test('I11: exits come at the very quote at which the exact figures reach their limit, long and short, net of fees too', () => {
  const { next } = seeded('exits');
  const kinds: readonly ExitRules[] = [
    { ...NO_EXITS, stopLossPct: 1, takeProfitPct: 1 },
    { ...NO_EXITS, trailingPct: 0.5 },
    { ...NO_EXITS, trailingPct: 0.5, activateAtPct: 0.25, stopLossPct: 2 },
    { ...NO_EXITS, takeProfitPct: 0.5, stopLossPct: 1, net: true },
  ];
  const seen = new Set<string>();
  for (let walk = 0; walk < 40; walk++) {
    for (const rules of kinds) {
      const short = walk % 2 === 1;
      const feePct = rules.net ? 0.1 : 0;
      let price = 100;
      // Steps of a quarter percent, so that limits are met exactly as often as they are passed.
      const prices = Array.from({ length: STEPS }, () => {
        price = Math.round((price + (Math.floor(next() * 3) - 1) * 0.25) * 100) / 100;
        return price;
      });
      const closed = watched(rules, { isShort: short }).closedAt(prices.map((one) => ({ price: one, fee: feePct })));
      const expected = exactly(rules, { average: '100', short, prices, feePct });
      expect(closed).toBe(expected);
      const reason = expected?.split(' ')[2];
      if (reason !== undefined) seen.add(reason);
    }
  }
  expect([...seen].sort()).toEqual(['STOP_LOSS', 'TAKE_PROFIT', 'TRAILING_STOP']);
});

test.each<[Partial<ExitRules>, Holding, readonly number[], object]>([
  [{ stopLossPct: 1 }, {}, [99], { reason: 'STOP_LOSS', figure: '-1 %', limit: '-1 %', price: '99' }],
  [{ takeProfitPct: 1 }, { isShort: true }, [98.5], { reason: 'TAKE_PROFIT', figure: '1.5 %', limit: '1 %', price: '98.5', size: '-1' }],
  [{ trailingPct: 1 }, {}, [102, 100], { reason: 'TRAILING_STOP', figure: '1.960784 % back', limit: '1 %', price: '100' }],
])('the row of an exit says what it rests on: %j', (rules, holding, prices, { reason, ...detail }: { reason?: string }) => {
  const w = watched(rules, holding);
  const intent = prices.map((price) => w.quoted({ price })).at(-1);
  const row = w.rows.deferred.at(-1);
  expect(row).toMatchObject({ kind: 'exit', strategy: OWNER, product: 'btcusd', reason, quoteId: expect.any(String) });
  expect(row?.detail).toEqual({ average: '100', size: '1', ...detail });
  const closing = { kind: 'intent', size: { kind: 'position' }, tag: 'exit', limit: null, within: null, on: null };
  expect(intent).toEqual({ ...closing, side: holding.isShort ? 'buy' : 'sell', reason: expect.stringContaining('set to') });
});

describe('a position is closed', () => {
  test('once it was held for as long as it may be, counted from its opening', () => {
    const w = watched({ maxHoldSeconds: 2 });
    expect(
      w.closedAt([
        { price: 100.5, at: OPENED + 500 },
        { price: 100.2, at: OPENED + 1999 },
      ]),
    ).toBeUndefined();
    expect(w.closedAt([{ price: 100.2, at: OPENED + 2000 }])).toBe('0 sell MAX_HOLD');
    expect(w.rows.deferred.at(-1)?.detail).toMatchObject({ figure: 'held 2 s', limit: '2 s' });
  });

  test('whatever the price becomes, but no later one for it', () => {
    const w = watched({ stopLossPct: 1 });
    expect(w.closedAt([100, 99])).toBe('1 sell STOP_LOSS');
    expect(w.quoted({ price: 105 })?.side).toBe('sell');
    w.traded(105, '-1');
    expect(w.quoted({ price: 105 })).toBeUndefined();
    w.traded(105, '1', OPENED + 9000);
    expect(w.quoted({ price: 105 })).toBeUndefined();
    expect(w.rows.deferred.filter(({ kind }) => kind === 'exit')).toHaveLength(1);
  });

  test('by a trailing stop that starts anew with each position', () => {
    const w = watched({ trailingPct: 1 });
    expect(w.closedAt([110])).toBeUndefined();
    w.traded(110, '-1');
    w.traded(105, '1', OPENED + 9000);
    expect(w.closedAt([105, 104, 103.95])).toBe('2 sell TRAILING_STOP');
  });

  test('after fees: a target is reached when a lower fee is charged, although the price came back', () => {
    const w = watched({ takeProfitPct: 1, net: true });
    const at = (price: number, fee: number) => ({ price, fee });
    expect(w.closedAt([at(101.15, 0.1), at(101.1, 0.1), at(101, 0.0001), at(101.1, 0.01)])).toBe('3 sell TAKE_PROFIT');
    const exact = watched({ takeProfitPct: 1, net: true });
    expect(exact.closedAt([at(101.15, 0.1), at(101, 0)])).toBe('1 sell TAKE_PROFIT');
  });

  test.each([
    [false, '0.051', 101, 98, undefined],
    [false, '0.051', 101, 98.5, 'sell'],
    [true, '0.0505', 102, 97, 'buy'],
    [true, '0.0495', 101.005, 97, undefined],
  ])(
    'where an order of its size exists at the closing side: short %s, %s held, %d to buy and %d to sell',
    (isShort, size, buy, sell, side) => {
      const w = watched({ stopLossPct: 1 }, { isShort, size });
      expect(w.exits.check(OWNER, quote({ buy, sell }), btcProduct)?.side).toBe(side);
    },
  );

  test('not of a strategy without exits', () => {
    expect(watched({ stopLossPct: 1 }).exits.check(strategyId('other'), quote({ buy: 50 }), btcProduct)).toBeUndefined();
  });
});
