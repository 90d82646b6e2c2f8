import { describe, expect, test } from 'vitest';
import type { MarkedStrategy, View } from '#core/strategy/contract.ts';
import type { HostResult } from '#core/strategy/host.ts';
import buyAndHold from '../../strategies/buy-and-hold.ts';
import coinFlip from '../../strategies/coin-flip.ts';
import emaCross from '../../strategies/ema-cross.ts';
import smaCross from '../../strategies/sma-cross.ts';
import { fc, test as propertyTest } from '../support/property.ts';
import { quoteAt } from '../support/quotes.ts';
import { HostRig, instanceOf, positionOf } from '../support/strategies.ts';

interface Played {
  /** What was traded, as `quote number side`. */
  readonly trades: readonly string[];
  readonly sizes: readonly number[];
  readonly results: readonly HostResult[];
}

interface Play {
  readonly params?: Record<string, unknown>;
  readonly canShort?: boolean;
  readonly everyMs?: number;
  /** Numbers of the quotes whose intents are refused. */
  readonly refused?: (n: number) => boolean;
}

/** Plays prices to a strategy that is filled at once, one lane amount at a time, as the order placer would. */
function play(
  definition: MarkedStrategy,
  prices: readonly number[],
  { params = {}, canShort = false, everyMs = 500, refused }: Play = {},
): Played {
  const rig = new HostRig([instanceOf(definition, { params })]);
  const trades: string[] = [];
  const sizes: number[] = [];
  const results: HostResult[] = [];
  let size = 0;
  let n = 0;
  rig.onResult = (result) => {
    results.push(result);
    if (result.kind !== 'intents' || refused?.(n)) return;
    const [intent] = result.intents;
    const before = size;
    if (intent?.size.kind === 'amount') size += intent.side === 'buy' ? 1 : -1;
    else size = 0;
    trades.push(`${n} ${size > before ? 'buy' : 'sell'}`);
  };
  rig.host.start();
  for (const price of prices) {
    n += 1;
    const view: Partial<View> = { canShort, position: positionOf(size) };
    rig.views.set(definition.name, view);
    rig.quoteAt(n * everyMs, quoteAt(price));
    sizes.push(size);
  }
  return { trades, sizes, results };
}

const rising = Array.from({ length: 40 }, (_, i) => 100 + i);
const falling = Array.from({ length: 40 }, (_, i) => 140 - i);
const wave = [...falling, ...rising, ...falling, ...rising];
const crossers: readonly [string, MarkedStrategy][] = [
  ['sma-cross', smaCross],
  ['ema-cross', emaCross],
];

describe.each(crossers)('%s', (name, definition) => {
  const params = { fast: 3, slow: 8 };

  test('does nothing until both averages are warm, then is long while the fast one is above', () => {
    expect(play(definition, rising, { params }).trades).toEqual(['8 buy']);
    expect(play(definition, rising.slice(0, 7), { params }).results).toEqual([]);
  });

  test('fed with recorded quotes after a restart, it decides on the first quote of now', () => {
    const rig = new HostRig([instanceOf(definition, { params })]);
    rig.host.start();
    rig.host.warm(rising.slice(0, 8).map((price, n) => ({ at: n - 8, quote: quoteAt(price) })));
    expect(rig.said()).toEqual([]);
    rig.quoteAt(500, quoteAt(110));
    expect(rig.said()).toEqual([`${name} buy fast above slow`]);
  });

  test('sells what it holds below, and stays flat where it may not be short', () => {
    const { trades, sizes } = play(definition, wave, { params });
    expect(trades.map((trade) => trade.split(' ')[1])).toEqual(['buy', 'sell', 'buy']);
    expect(new Set(sizes)).toEqual(new Set([0, 1]));
  });

  test('goes short where it may, one step a quote', () => {
    const { trades, sizes } = play(definition, wave, { params, canShort: true });
    expect(trades.map((trade) => trade.split(' ')[1])).toEqual(['sell', 'buy', 'buy', 'sell', 'sell', 'buy', 'buy']);
    expect(new Set(sizes)).toEqual(new Set([-1, 0, 1]));
    for (const [i, size] of sizes.entries()) expect(Math.abs(size - (sizes[i - 1] ?? 0))).toBeLessThanOrEqual(1);
  });

  test('a refused order is asked for again at the next quote', () => {
    expect(play(definition, rising, { params, refused: (n) => n < 11 }).trades).toEqual(['11 buy']);
  });

  test('intents carry both averages and why', () => {
    const { results } = play(definition, rising, { params });
    expect(results[0]).toMatchObject({ kind: 'intents', intents: [{ reason: 'fast above slow' }], signals: { signal: 'above' } });
    const signals = results[0]?.kind === 'intents' ? results[0].signals : {};
    expect(Number(signals.fast)).toBeGreaterThan(Number(signals.slow));
  });

  test('B39: a fast average that is not faster is refused', () => {
    expect(definition.where?.({ fast: 20, slow: 20 })).toBe(false);
    expect(definition.where?.({ fast: 19, slow: 20 })).toBe(true);
    expect(definition.name).toBe(name);
  });

  propertyTest.prop([fc.array(fc.double({ min: 1, max: 1e6, noNaN: true }), { maxLength: 150, size: 'max' }), fc.boolean()], {
    numRuns: 50,
  })(
    'whatever the prices: at most one intent a quote, never more than one amount long, never short unless it may be',
    (prices, canShort) => {
      const { sizes, trades, results } = play(definition, prices, { params, canShort });
      expect(new Set(trades.map((trade) => trade.split(' ')[0])).size).toBe(trades.length);
      for (const size of sizes) expect(size <= 1 && size >= (canShort ? -1 : 0)).toBe(true);
      expect(results.every((result) => result.kind === 'intents')).toBe(true);
    },
  );
});

test('buy-and-hold buys at the first quote that can be had, once', () => {
  expect(play(buyAndHold, rising).trades).toEqual(['1 buy']);
  expect(play(buyAndHold, rising, { refused: (n) => n < 3 }).trades).toEqual(['3 buy']);
});

describe('coin-flip', () => {
  const still = new Array<number>(2_000).fill(100);

  test('trades at the first quote of a period only, about every second flip', () => {
    const { trades } = play(coinFlip, still, { params: { seed: 7, everySeconds: 5 } });
    const periods = (2_000 * 0.5) / 5;
    expect(trades.length).toBeGreaterThan(periods * 0.35);
    expect(trades.length).toBeLessThan(periods * 0.65);
    for (const trade of trades) {
      const n = Number(trade.split(' ')[0]);
      expect(n === 1 || Math.floor((n * 500) / 5_000) !== Math.floor(((n - 1) * 500) / 5_000)).toBe(true);
    }
    expect(trades.map((trade) => trade.split(' ')[1])).toEqual(trades.map((_, i) => (i % 2 === 0 ? 'buy' : 'sell')));
  });

  test('I25: a seed decides the flips, and another one decides otherwise', () => {
    const trades = (seed: number) => play(coinFlip, still, { params: { seed, everySeconds: 5 } }).trades;
    expect(trades(1)).toEqual(trades(1));
    expect(trades(1)).not.toEqual(trades(2));
  });

  test('a restart within a period does not flip again', () => {
    const flips = (prices: number) => play(coinFlip, still.slice(0, prices), { params: { seed: 3, everySeconds: 1_000 } }).results;
    expect(flips(10)[0]).toEqual(flips(1)[0]);
  });
});
