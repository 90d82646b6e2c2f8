import { describe, expect, test } from 'vitest';
import { productText } from '#assembly/assemble.ts';
import type { ExitRules } from '#core/execution/exits.ts';
import { buy, lane, mid, sell, strategy } from '#core/strategy/index.ts';
import { decimalOf } from '#domain/decimal.ts';
import { laneFor } from '#domain/lane.ts';
import { productCode } from '#domain/names.ts';
import { btcLane, btcProduct, quote } from '../support/market-data.ts';
import type { Rig, RigOptions } from '../support/rig.ts';
import { rigsOfTests } from '../support/rigs.ts';

/** Buys once, at 60,000, and never says another word. */
const holder = strategy({
  name: 'holder',
  signals: ({ quotes$ }) => quotes$.pipe(mid()),
  decide: (price, { position, amount }) => (price === 60_000 && position.isFlat ? buy(amount, 'go') : undefined),
});

const newRig = rigsOfTests();
function rig(exits: Partial<ExitRules>, options: Omit<RigOptions, 'strategies'> = {}): Rig {
  return newRig({ strategies: { h: holder }, exits, ...options });
}

function holding(exits: Partial<ExitRules>, options: Omit<RigOptions, 'strategies'> = {}): Rig {
  const r = rig(exits, options);
  r.price();
  r.answer(r.last);
  return r;
}

const orders = (r: Rig): number => r.broker.submitted.length;
const sizes = (r: Rig) => r.broker.submitted.map(({ side, figures }) => `${side} ${figures.size}`);

const eth = productCode('ethusd');
const ethLane = laneFor(eth, { base: decimalOf('0.2') });

function ethPrice(r: Rig, at: number): void {
  r.quote(quote({ product: eth, buy: at, lane: ethLane.id, size: 0.2, validUntil: r.clock.now() + 3000 }));
}

/** A strategy that trades two products. */
function ofBoth(exits: Partial<ExitRules>, options: Partial<RigOptions> = {}): Rig {
  const both = strategy({
    name: 'both',
    inputs: { hedge: lane() },
    signals: ({ quotes$ }) => quotes$.pipe(mid()),
    decide: (at, { amount, lanes: { hedge } }) =>
      at === 60_000 && hedge ? [buy(amount, 'one'), buy(hedge.amount, 'other', { on: 'hedge' })] : undefined,
  });
  const inputs = { hedge: { kind: 'lane', product: eth, source: ethLane.id } } as const;
  const r = newRig({ strategies: { h: both }, exits, lanes: [btcLane, ethLane], inputs, ...options });
  r.give({ kind: 'products', products: [productText(btcProduct), { ...productText(btcProduct), code: eth }] });
  return r;
}

/** It bought bitcoin at 60,000 and ether at 2,500. */
function holdingBoth(exits: Partial<ExitRules>): Rig {
  const r = ofBoth(exits);
  ethPrice(r, 2500);
  r.price();
  r.answer(r.last);
  ethPrice(r, 2500);
  r.answer(r.last);
  return r;
}

/** Rules, prices after an entry at 60,000 that change nothing, and the one at which the position is closed, with its reason. */
const rules: readonly [string, Partial<ExitRules>, readonly number[], number, string][] = [
  ['stop loss', { stopLossPct: 1 }, [60_600, 59_400.01], 59_400, 'STOP_LOSS'],
  ['take profit', { takeProfitPct: 1 }, [59_000, 60_599.99], 60_600, 'TAKE_PROFIT'],
  ['trailing, from the best price', { trailingPct: 1 }, [61_000, 62_000, 61_380.01], 61_380, 'TRAILING_STOP'],
  ['trailing, from the entry', { trailingPct: 1 }, [59_400.01], 59_400, 'TRAILING_STOP'],
  ['trailing once activated', { trailingPct: 1, activateAtPct: 2 }, [59_000, 61_199, 60_000, 61_200], 60_588, 'TRAILING_STOP'],
  // A fee of 0.1 % on both sides.
  ['take profit after fees', { takeProfitPct: 1, net: true }, [60_600, 60_720.72], 60_721, 'TAKE_PROFIT'],
  ['stop loss after fees', { stopLossPct: 1, net: true }, [59_520], 59_519, 'STOP_LOSS'],
  ['the tighter of two', { stopLossPct: 2, takeProfitPct: 1 }, [58_801], 58_800, 'STOP_LOSS'],
];

describe('exits without code, each on both sides of its boundary', () => {
  test.each(rules)('%s', (_, exits, still, closes, reason) => {
    const r = holding(exits);
    for (const at of still) r.price(at);
    expect(orders(r)).toBe(1);
    r.price(closes);
    expect(r.last).toMatchObject({ side: 'sell', strategy: 'h' });
    expect(r.story().slice(-3)).toEqual([`exit ${reason}`, 'intent', 'approved']);
    r.answer(r.last);
    r.price(closes - 1000);
    expect(orders(r)).toBe(2);
    expect(r.query("SELECT sum(amount) AS held FROM ledger WHERE kind = 'fill' AND currency = 'btc'")).toEqual([{ held: 0 }]);
  });

  test('after a time, counted from the first fill', () => {
    const r = holding({ maxHoldSeconds: 2 });
    for (const ms of [1000, 999]) r.price(60_001, { afterMs: ms });
    expect(orders(r)).toBe(1);
    r.price(60_001, { afterMs: 1 });
    expect(r.story().slice(-3)).toEqual(['exit MAX_HOLD', 'intent', 'approved']);
  });

  test('a short position is closed at the buy side', () => {
    const short = strategy({
      name: 'short',
      signals: ({ quotes$ }) => quotes$.pipe(mid()),
      decide: (at, { position, amount }) =>
        at === 60_000 && position.isFlat ? { ...buy(amount, 'go'), side: 'sell' as const } : undefined,
    });
    const r = rig({ stopLossPct: 1 }, {});
    r.close();
    const s = newRig({ strategies: { h: short }, exits: { stopLossPct: 1 }, canShort: true, folder: r.folder, run: 'short' });
    s.price();
    s.answer(s.last);
    s.price(60_599);
    expect(orders(s)).toBe(1);
    s.price(60_600);
    expect(s.last.side).toBe('buy');
  });
});

describe('an exit does not give up while the position is open', () => {
  const stop = { stopLossPct: 1 };

  test('it stays due when the price comes back, and a person hears of the first failure only', () => {
    const r = holding(stop);
    r.price(59_000);
    r.report(r.last, { type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs: 1 });
    r.price(60_001);
    r.report(r.last, { type: 'not_sent', reason: 'NOT_CONNECTED', why: 'refused' });
    r.price(60_002);
    r.answer(r.last);
    expect(r.broker.submitted.map(({ side }) => side)).toEqual(['buy', 'sell', 'sell', 'sell']);
    expect(r.notices.filter((text) => text.includes('could not be closed'))).toEqual([
      expect.stringContaining('the loss reached exits.stopLossPct: -1.666667 %, set to -1 %: expired; it is tried again'),
    ]);
  });

  test('after a rejection it waits 1 s, then 2 s', () => {
    const r = holding(stop);
    const rejected = () => r.answer(r.last, { outcome: 'rejected', reason: 'HTTP_REFUSED', httpStatus: 422 });
    r.price(59_000);
    rejected();
    r.price(59_000, { afterMs: 999 });
    expect(orders(r)).toBe(2);
    r.price(59_000, { afterMs: 1 });
    expect(orders(r)).toBe(3);
    rejected();
    r.price(59_000, { afterMs: 1999 });
    expect(orders(r)).toBe(3);
    r.price(59_000, { afterMs: 1 });
    expect(orders(r)).toBe(4);
  });

  test('F65: it runs for a paused and for a disabled strategy', () => {
    const paused = holding(stop);
    paused.give({ kind: 'command', command: { act: 'pause', strategy: null, who: 'me', why: 'test' } });
    paused.price(59_000);
    expect(orders(paused)).toBe(2);
    const thrower = strategy({
      name: 'thrower',
      signals: ({ quotes$ }) => quotes$.pipe(mid()),
      decide: (at, { amount }) => {
        if (at === 60_000) return buy(amount, 'go');
        throw new Error('no');
      },
    });
    const disabled = newRig({ strategies: { h: thrower }, exits: stop });
    disabled.price();
    disabled.answer(disabled.last);
    for (const at of [60_001, 60_002, 60_003]) disabled.price(at);
    disabled.price(59_000);
    expect(disabled.story().slice(-4)).toEqual(['disabled STRATEGY_DISABLED', 'exit STOP_LOSS', 'intent', 'approved']);
  });

  test('I32: it is due again after a kill, although the price has come back', () => {
    const first = holding(stop);
    first.price(59_000);
    first.report(first.last, { type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs: 1 });
    first.crash();
    const second = rig(stop, { folder: first.folder });
    second.price(60_001);
    expect(second.last).toMatchObject({ side: 'sell' });
    second.answer(second.last);
    second.crash();
    const third = rig(stop, { folder: first.folder });
    third.price();
    expect(third.last, 'a new position is not the old one').toMatchObject({ side: 'buy' });
    third.answer(third.last);
    third.price(60_001);
    expect(orders(third)).toBe(1);
  });

  test('F10: an exit of unknown outcome is not sent again: nothing more is certain', () => {
    const r = holding(stop);
    r.price(59_000);
    r.answer(r.last, { outcome: 'unknown', reason: 'HTTP_AMBIGUOUS', httpStatus: 500 });
    r.price(58_000);
    r.price(57_000);
    expect(orders(r)).toBe(2);
    expect(r.rows().at(-1)).toMatchObject({ kind: 'refused', reason: 'POSITION_UNSURE' });
  });

  const unknown = { outcome: 'unknown', reason: 'HTTP_AMBIGUOUS', httpStatus: 500 } as const;

  test('nor while another product of its strategy is being closed', () => {
    const r = holdingBoth(stop);
    r.give({ kind: 'command', command: { act: 'close', strategy: 'h', product: eth, pct: 100, who: 'ann', why: 'a test' } });
    ethPrice(r, 2500);
    r.answer(r.last, unknown);
    r.price(58_000);
    expect(sizes(r)).toEqual(['buy 0.01', 'buy 0.2', 'sell 0.2', 'sell 0.01']);
  });

  test('nor while what a failed plan bought is being undone: it sells the rest', () => {
    const adder = strategy({
      name: 'adder',
      onLegFailure: 'unwind',
      signals: ({ quotes$ }) => quotes$.pipe(mid()),
      decide: (at, { amount }) => {
        if (at === 60_000) return buy(amount, 'go');
        return at === 60_001 ? [buy(amount, 'one'), buy(amount, 'two', { limit: 1, within: '100ms' })] : undefined;
      },
    });
    const r = newRig({ strategies: { h: adder }, exits: stop });
    for (const at of [60_000, 60_001]) {
      r.price(at);
      r.answer(r.last);
    }
    r.price(60_002);
    expect(r.last.side).toBe('sell');
    r.answer(r.last, unknown);
    for (const at of [58_000, 57_999]) r.price(at);
    expect(sizes(r)).toEqual(['buy 0.01', 'buy 0.01', 'sell 0.01', 'sell 0.01']);
  });
});

describe('exits of a strategy that trades several products', () => {
  test('close each position by its own quotes and entry price, and leave the other one alone', () => {
    const r = holdingBoth({ stopLossPct: 1 });
    for (const at of [2476, 2475.01]) ethPrice(r, at);
    r.price(59_401);
    expect(orders(r)).toBe(2);
    ethPrice(r, 2475);
    expect(r.last).toMatchObject({ side: 'sell', product: eth });
    r.answer(r.last);
    ethPrice(r, 2400);
    r.price(59_401);
    expect(orders(r)).toBe(3);
    r.price(59_400);
    expect(sizes(r)).toEqual(['buy 0.01', 'buy 0.2', 'sell 0.2', 'sell 0.01']);
  });

  test('I32: each is due again after a kill, and each trailing stop goes on from its own best price', () => {
    const rules = { stopLossPct: 5, trailingPct: 1, activateAtPct: 2 };
    const first = holdingBoth(rules);
    ethPrice(first, 2600);
    first.price(57_000);
    first.report(first.last, { type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs: 1 });
    first.crash();
    const second = ofBoth(rules, { folder: first.folder });
    second.price(60_001);
    expect(second.last).toMatchObject({ side: 'sell', product: btcProduct.code });
    ethPrice(second, 2574.01);
    expect(orders(second)).toBe(1);
    ethPrice(second, 2574);
    expect(second.last).toMatchObject({ side: 'sell', product: eth });
  });
});

describe('a position that is opened over the dust of another is a new one', () => {
  /** Bought at 60,000 with a fee in base currency, closed at `closesAt`, which leaves dust, and bought again at 60,000. */
  function again(exits: Partial<ExitRules>, closesAt: number): Rig {
    const r = holding(exits, { feeIn: 'received', reserve: 1 });
    r.price(62_000);
    r.price(closesAt, { afterMs: 2_000 });
    const [lane] = r.lent;
    if (!lane) throw new Error('no lane was lent');
    r.ack(lane);
    r.price(closesAt, { size: 0.0099, lane: lane.id, afterMs: 100 });
    r.answer(r.last);
    r.price();
    r.answer(r.last);
    expect(r.broker.submitted.map(({ side, figures }) => `${side} ${figures.size}`)).toEqual(['buy 0.01', 'sell 0.0099', 'buy 0.01']);
    return r;
  }

  test('its time counts from its own entry', () => {
    const r = again({ maxHoldSeconds: 2 }, 62_000);
    r.price(60_001, { afterMs: 1_999 });
    expect(r.story().at(-1)).toBe('dust DUST');
    r.price(60_001, { afterMs: 1 });
    expect(r.story().filter((row) => row === 'exit MAX_HOLD')).toHaveLength(2);
  });

  test('I32: a restart takes neither its best price nor its exit from the one before', () => {
    const rules = { trailingPct: 1, maxHoldSeconds: 60 };
    const first = again(rules, 61_000);
    first.crash();
    const second = rig(rules, { folder: first.folder, feeIn: 'received', reserve: 1 });
    second.price(60_001);
    expect(orders(second)).toBe(0);
    second.price(59_400);
    expect(second.story().slice(-3)).toEqual(['exit TRAILING_STOP', 'intent', 'approved']);
  });
});

describe('a position that the price makes too small to sell is dust until the price rises', () => {
  const coin = productCode('coinusd');
  const coinLane = laneFor(coin, { base: decimalOf('0.01') });
  const coinPrice = (r: Rig, at: number): void => {
    r.price(at, { product: coin, lane: coinLane.id });
  };

  /** Holds 0.01 coins, bought at 60,000, that cannot be sold below a price. */
  function sellableFrom(leastPrice: number, exits: Partial<ExitRules>, strategies: RigOptions['strategies'] = { h: holder }): Rig {
    const r = newRig({ strategies, exits, lanes: [coinLane] });
    const limits = { code: coin, minNotionalValue: String(leastPrice / 100) };
    r.give({ kind: 'products', products: [productText(btcProduct), { ...productText(btcProduct), ...limits }] });
    coinPrice(r, 60_000);
    r.answer(r.last);
    return r;
  }

  test('it counts as flat meanwhile, so that its strategy asks for nothing that is refused', () => {
    const seen: string[] = [];
    const seller = strategy({
      name: 'seller',
      signals: ({ quotes$ }) => quotes$.pipe(mid()),
      decide: (at, { position: { isFlat, isLong, isShort }, amount }) => {
        seen.push(`${at} ${isFlat ? 'flat' : ''}${isLong ? 'long' : ''}${isShort ? 'short' : ''}`);
        if (at === 60_000) return buy(amount, 'go');
        return isLong && at < 60_000 ? sell('position', 'out') : undefined;
      },
    });
    const r = sellableFrom(59_000, {}, { h: seller });
    for (const at of [60_001, 58_999.99, 59_000]) coinPrice(r, at);
    expect(seen).toEqual(['60000 flat', '60001 long', '58999.99 flat', '59000 long']);
    expect(r.story()).not.toContain('refused DUST');
    expect(sizes(r)).toEqual(['buy 0.01', 'sell 0.01']);
  });

  test('its trailing stop goes on from its best price', () => {
    const r = sellableFrom(59_400, { trailingPct: 3 });
    for (const at of [61_500, 59_399, 59_656]) coinPrice(r, at);
    expect(orders(r)).toBe(1);
    coinPrice(r, 59_655);
    expect(r.story().slice(-3)).toEqual(['exit TRAILING_STOP', 'intent', 'approved']);
  });

  test('what is bought over it is not closed by its best price', () => {
    const over = strategy({
      name: 'over',
      signals: ({ quotes$ }) => quotes$.pipe(mid()),
      decide: (at, { position, amount }) => (position.isFlat && [60_000, 59_400].includes(at) ? buy(amount, 'go') : undefined),
    });
    const r = sellableFrom(59_400, { trailingPct: 3 }, { h: over });
    for (const at of [61_500, 59_398]) coinPrice(r, at);
    r.price(59_401, { product: coin, sell: 59_399, lane: coinLane.id });
    r.answer(r.last);
    for (const at of [59_500, 59_600]) coinPrice(r, at);
    expect(sizes(r)).toEqual(['buy 0.01', 'buy 0.01']);
    expect(r.story()).not.toContain('exit TRAILING_STOP');
    coinPrice(r, 57_800);
    expect(r.story()).toContain('exit TRAILING_STOP');
  });

  test('what was due is due again', () => {
    const r = sellableFrom(59_000, { stopLossPct: 1 });
    coinPrice(r, 59_300);
    r.report(r.last, { type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs: 1 });
    coinPrice(r, 58_999);
    expect(orders(r)).toBe(2);
    coinPrice(r, 59_900);
    expect(sizes(r)).toEqual(['buy 0.01', 'sell 0.01', 'sell 0.01']);
  });
});

describe('on another lane of the product', () => {
  const other = laneFor(btcLane.product, { base: decimalOf('0.02') });
  const onLane = (r: Rig, at: number, { id } = other, size = 0.02): void => {
    r.price(at, { lane: id, size });
  };
  const exits = (r: Rig) => r.rows().filter(({ kind }) => kind === 'exit');
  const watched = (): Rig => holding({ stopLossPct: 1 }, { lanes: [btcLane, other], reserve: 1, limits: { reducingCollarPct: 15 } });
  /** Its own lane says what no market does. */
  const bad = (r: Rig): void => {
    for (let n = 0; n < 3; n++) r.price(600_000);
  };
  const refused = (r: Rig): void => r.give({ kind: 'lane', change: { phase: 'disabled', lane: btcLane.id, epoch: 1, why: 'ERR' } });
  /** The lane that was lent last has its first quote. */
  const lentQuote = (r: Rig, at: number): void => {
    const lent = r.lent.at(-1);
    if (lent === undefined) throw new Error('no lane was lent');
    r.ack(lent);
    onLane(r, at, lent, 0.01);
  };

  test.each([
    ['F19 F28 refused', refused],
    ['F33 set aside', bad],
  ])('a stop is watched while its own is %s, and no longer', (_, happens) => {
    const r = watched();
    onLane(r, 59_000);
    expect(r.lent).toEqual([]);
    happens(r);
    onLane(r, 59_900);
    expect(exits(r)).toEqual([]);
    onLane(r, 59_000);
    expect(exits(r)).toMatchObject([{ reason: 'STOP_LOSS' }]);
    for (let n = 0; n < 4 && r.lent.length === 0; n++) onLane(r, 59_000);
    lentQuote(r, 58_900);
    expect(sizes(r)).toEqual(['buy 0.01', 'sell 0.01']);
  });

  test('F33 what is due is closed once its own is set aside', () => {
    const r = watched();
    for (const at of [59_900, 59_800, 59_700, 59_000]) r.price(at);
    r.report(r.last, { type: 'expired', reason: 'GATE_TIME_LEFT', timeLeftMs: 1 });
    bad(r);
    r.moveBy(2_000);
    expect(r.lent).toEqual([]);
    // The first price of a lane that is lent is held against those of another.
    onLane(r, 59_000);
    r.moveBy(1_000);
    lentQuote(r, 58_900);
    expect(sizes(r)).toEqual(['buy 0.01', 'sell 0.01', 'sell 0.01']);
  });

  test('what was of unknown outcome is closed as soon as it is known, although its own lane stays down', () => {
    const r = watched();
    refused(r);
    for (let n = 0; n < 4 && r.lent.length === 0; n++) onLane(r, 59_000);
    lentQuote(r, 58_900);
    r.answer(r.last, { outcome: 'unknown', reason: 'NO_ANSWER', httpStatus: null });
    r.moveBy(10_000);
    expect(r.lent).toHaveLength(1);
    r.give({ kind: 'command', command: { act: 'resolve', who: 'ann', why: 'the broker says so', order: r.last.id, fill: null } });
    r.moveBy(1_000);
    lentQuote(r, 58_800);
    expect(sizes(r)).toEqual(['buy 0.01', 'sell 0.01', 'sell 0.01']);
  });

  test('F36 nothing is sold at its price for a moment without its own', () => {
    const r = watched();
    r.give({ kind: 'lane', change: { phase: 'lost', lane: btcLane.id, epoch: 1, why: 'gone' } });
    r.moveBy(499);
    onLane(r, 59_300);
    expect(exits(r)).toEqual([]);
    onLane(r, 59_300);
    expect(exits(r)).toHaveLength(1);
  });
});
