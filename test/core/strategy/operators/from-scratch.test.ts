import { RSI } from 'trading-signals';
import { describe, expect, test } from 'vitest';
import type { Indicator } from '#core/strategy/indicators.ts';
import { ema, sma, wilder, wma } from '#core/strategy/operators/averages.ts';
import { adx, atr, type Bar, stochastic } from '#core/strategy/operators/bars.ts';
import { bollinger, stdev, zscore } from '#core/strategy/operators/deviation.ts';
import { highest, lag, lowest } from '#core/strategy/operators/extremes.ts';
import { macd, rsi } from '#core/strategy/operators/momentum.ts';
import { outputsOf } from '../../../support/indicators.ts';
import { fc, test as property } from '../../../support/property.ts';

type Series = readonly number[];

/** Prices that walk, jump to another level, spike for one quote, and stand still: what incremental sums lose digits on. */
const prices = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.record({ walk: fc.double({ min: -0.01, max: 0.01, noNaN: true }) }) },
      { weight: 3, arbitrary: fc.constant({ walk: 0 }) },
      { weight: 1, arbitrary: fc.record({ level: fc.double({ min: 1, max: 1e6, noNaN: true }) }) },
      { weight: 1, arbitrary: fc.record({ spike: fc.constantFrom(0.001, 1_000) }) },
    ),
    { minLength: 1, maxLength: 80, size: 'max' },
  )
  .map((changes) => {
    let price = 60_000;
    return changes.map((change) => {
      if ('spike' in change) return price * change.spike;
      price = 'walk' in change ? price * (1 + change.walk) : change.level;
      return price;
    });
  });

/** On a grid of eighths, as prices are, so that what is equal is equal. */
const bars = fc
  .array(fc.tuple(fc.nat(80), fc.nat(24), fc.nat(8)), { minLength: 1, maxLength: 60, size: 'max' })
  .map((parts) =>
    parts.map(([low, height, eighth]): Bar => ({ low: low / 8, high: (low + height) / 8, close: (low + (height * eighth) / 8) / 8 })),
  );

const n = fc.integer({ min: 2, max: 20 });
const sum = (values: Series): number => values.reduce((a, b) => a + b, 0);
const mean = (values: Series): number => sum(values) / values.length;
const deviation = (values: Series): number => Math.sqrt(mean(values.map((x) => (x - mean(values)) ** 2)));

/** The same of each window of n values, from nothing. */
const ofWindows = (values: Series, n: number, of: (window: Series) => number) =>
  values.map((_, i) => (i + 1 < n ? undefined : of(values.slice(i + 1 - n, i + 1))));

/** An average that steps by `weight`, as the sum of all that ever came, each by its weight. */
const ofAll = (values: Series, seed: number, weight: number) =>
  values.map((_, i) => {
    if (i + 1 < seed) return undefined;
    const later = values.slice(seed, i + 1);
    const weighed = later.map((x, j) => weight * (1 - weight) ** (later.length - 1 - j) * x);
    return (1 - weight) ** later.length * mean(values.slice(0, seed)) + sum(weighed);
  });

/** Values once they have begun, with the leading gap put back. */
const after = (values: readonly (number | undefined)[], of: (known: Series) => readonly (number | undefined)[]) => {
  const known = values.filter((value) => value !== undefined);
  return [...new Array<undefined>(values.length - known.length).fill(undefined), ...of(known)];
};

/** Equal to nine digits of the largest figure that went in; the same where there is none. */
function alike(ours: readonly (number | undefined)[], exact: readonly (number | undefined)[], scale: number): void {
  expect(ours).toHaveLength(exact.length);
  for (const [i, value] of exact.entries()) {
    if (value === undefined) expect(ours[i], `value ${i}`).toBeUndefined();
    else expect(Math.abs((ours[i] ?? Number.NaN) - value), `value ${i}: ${ours[i]}, not ${value}`).toBeLessThanOrEqual(1e-9 * scale);
  }
}

const averages: readonly [name: string, make: (n: number) => Indicator, exact: (values: Series, n: number) => (number | undefined)[]][] = [
  ['sma', sma, (values, n) => ofWindows(values, n, mean)],
  ['wma', wma, (values, n) => ofWindows(values, n, (window) => sum(window.map((x, i) => (i + 1) * x)) / ((n * (n + 1)) / 2))],
  ['highest', highest, (values, n) => ofWindows(values, n, (window) => Math.max(...window))],
  ['lowest', lowest, (values, n) => ofWindows(values, n, (window) => Math.min(...window))],
  ['lag', lag, (values, n) => values.map((_, i) => values[i - n])],
  [
    'the highest before',
    (n) => lag(1, highest(n)),
    (values, n) => [undefined, ...ofWindows(values, n, (window) => Math.max(...window))].slice(0, -1),
  ],
  ['ema', ema, (values, n) => ofAll(values, n, 2 / (n + 1))],
  ['ema seeded with the first', (n) => ema(n, { seed: 'first' }), (values, n) => ofAll(values, 1, 2 / (n + 1))],
  ['wilder', wilder, (values, n) => ofAll(values, n, 1 / n)],
];

describe('one value at a time is what all values at once give', () => {
  describe.each(averages)('%s', (_, make, exact) => {
    property.prop([n, prices])('whatever the prices', (n, values) => {
      alike(outputsOf(make(n), values), exact(values, n), Math.max(...values));
    });
  });

  property.prop([n, prices])('stdev, zscore and bollinger, however far the price has jumped', (n, values) => {
    const means = ofWindows(values, n, mean);
    const exact = ofWindows(values, n, deviation);
    const deviations = outputsOf(stdev(n), values);
    const scores = outputsOf(zscore(n), values);
    const bands = outputsOf(bollinger(n, 2), values);
    for (const [i, x] of values.entries()) {
      const [middle, apart, ours, score, band] = [means[i], exact[i], deviations[i], scores[i], bands[i]];
      if (middle === undefined || apart === undefined) {
        expect([ours, score, band]).toEqual([undefined, undefined, undefined]);
        continue;
      }
      const close = (figure: number | undefined, to: number, within: number) =>
        expect(Math.abs((figure ?? Number.NaN) - to), `value ${i}: ${figure}, not ${to}`).toBeLessThanOrEqual(within);
      // Nine digits of what moves, and twelve of the price.
      const digits = 1e-9 * apart + 2e-12 * middle;
      close(ours, apart, digits);
      close(band?.lower, middle - 2 * apart, 3 * digits);
      close(band?.middle, middle, digits);
      close(band?.upper, middle + 2 * apart, 3 * digits);
      if (apart > 1e-6 * middle) {
        close(score, (x - middle) / apart, 1e-5);
        close(band?.percentB, (x - middle + 2 * apart) / (4 * apart), 1e-5);
      }
    }
  });

  property.prop([n, prices])('rsi is that of trading-signals, once anything has moved', (n, values) => {
    const published = new RSI(n);
    const exact = values.map((x) => published.add(x) ?? undefined);
    const moved = values.findIndex((x) => x !== values[0]);
    const seen = (figures: readonly (number | undefined)[]) => (moved < 0 ? [] : figures.slice(moved));
    alike(seen(outputsOf(rsi(n), values)), seen(exact), 100);
  });

  property.prop([fc.integer({ min: 1, max: 6 }), fc.integer({ min: 7, max: 15 }), prices])('macd', (fast, slow, values) => {
    const quick = ofAll(values, fast, 2 / (fast + 1));
    const line = ofAll(values, slow, 2 / (slow + 1)).map((calm, i) => (calm === undefined ? undefined : (quick[i] ?? 0) - calm));
    const signal = after(line, (known) => ofAll(known, 4, 2 / 5));
    const ours = outputsOf(macd(fast, slow, 4), values);
    const scale = Math.max(...values);
    alike(
      ours.map((one) => one?.signal),
      signal,
      scale,
    );
    alike(
      ours.map((one) => one?.histogram),
      signal.map((average, i) => (average === undefined ? undefined : (line[i] ?? 0) - average)),
      scale,
    );
  });

  property.prop([n, bars])('atr and adx', (n, series) => {
    const since = series.slice(1).map((bar, i) => ({ bar, last: series[i] ?? bar }));
    const reach = ofAll(
      since.map(({ bar, last }) => Math.max(bar.high - bar.low, Math.abs(bar.high - last.close), Math.abs(bar.low - last.close))),
      n,
      1 / n,
    );
    const moves = since.map(({ bar, last }) => [bar.high - last.high, last.low - bar.low] as const);
    const plus = ofAll(
      moves.map(([up, down]) => (up > down && up > 0 ? up : 0)),
      n,
      1 / n,
    );
    const minus = ofAll(
      moves.map(([up, down]) => (down > up && down > 0 ? down : 0)),
      n,
      1 / n,
    );
    alike(outputsOf(atr(n), series), [undefined, ...reach], 200);
    const strength = after(
      plus.map((up, i) => {
        const down = minus[i];
        if (up === undefined || down === undefined) return undefined;
        return up + down === 0 ? 0 : (100 * Math.abs(up - down)) / (up + down);
      }),
      (known) => ofAll(known, n, 1 / n),
    );
    const ours = outputsOf(adx(n), series);
    const share = (of: readonly (number | undefined)[]) =>
      of.map((part, i) => (strength[i] === undefined ? undefined : (100 * (part ?? 0)) / (reach[i] || 1)));
    alike(
      ours.map((one) => one?.adx),
      [undefined, ...strength],
      100,
    );
    alike(
      ours.map((one) => one?.plus),
      [undefined, ...share(plus)],
      100,
    );
    alike(
      ours.map((one) => one?.minus),
      [undefined, ...share(minus)],
      100,
    );
  });

  property.prop([n, bars])('stochastic', (n, series) => {
    const raw = series.slice(n - 1).map((bar, i) => {
      const window = series.slice(i, i + n);
      const low = Math.min(...window.map((one) => one.low));
      const high = Math.max(...window.map((one) => one.high));
      return high === low ? 0 : (100 * (bar.close - low)) / (high - low);
    });
    const k = after([...new Array<undefined>(series.length - raw.length).fill(undefined), ...raw], (known) => ofWindows(known, 3, mean));
    const d = after(k, (known) => ofWindows(known, 2, mean));
    const ours = outputsOf(stochastic({ n, smooth: 3, signal: 2 }), series);
    alike(
      ours.map((one) => one?.d),
      d,
      100,
    );
    alike(
      ours.map((one) => one?.k),
      k.map((value, i) => (d[i] === undefined ? undefined : value)),
      100,
    );
  });
});

const ofNumbers: readonly [string, Indicator<number, unknown>][] = [
  ...averages.map(([name, make]): [string, Indicator] => [name, make(3)]),
  ['stdev', stdev(3)],
  ['zscore', zscore(3)],
  ['bollinger', bollinger(3)],
  ['rsi', rsi(3)],
  ['macd', macd(2, 3, 2)],
];
const ofBars: readonly [string, Indicator<Bar, unknown>][] = [
  ['atr', atr(3)],
  ['adx', adx(3)],
  ['stochastic', stochastic({ n: 3 })],
];
const NOT_FINITE = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] as const;
const series = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.double({ min: -1e6, max: 1e6, noNaN: true }) },
    { weight: 1, arbitrary: fc.constantFrom(...NOT_FINITE) },
    { weight: 3, arbitrary: fc.constant(1.1) },
  ),
  { maxLength: 60, size: 'max' },
);
const figuresIn = (output: unknown): unknown[] => (typeof output === 'object' && output !== null ? Object.values(output) : [output]);

describe('B01: what is no number is passed over, and no indicator ever says what is none', () => {
  describe.each(ofNumbers)('%s', (_, of) => {
    property.prop([series])('whatever comes', (values) => {
      const outputs = outputsOf(of, values).filter((output) => output !== undefined);
      expect(outputs).toEqual(outputsOf(of, values.filter(Number.isFinite)).filter((output) => output !== undefined));
      expect(outputs.flatMap(figuresIn).every(Number.isFinite)).toBe(true);
    });
  });

  describe.each(ofBars)('%s', (_, of) => {
    property.prop([series, series])('whatever comes', (lows, heights) => {
      const given = lows.map((low, i) => ({ low, high: low + Math.abs(heights[i] ?? 0), close: low }));
      const outputs = outputsOf(of, given).filter((output) => output !== undefined);
      const whole = given.filter(({ low, high }) => Number.isFinite(low) && Number.isFinite(high));
      expect(outputs).toEqual(outputsOf(of, whole).filter((output) => output !== undefined));
      expect(outputs.flatMap(figuresIn).every(Number.isFinite)).toBe(true);
    });
  });
});

describe('where nothing moves', () => {
  const still = new Array<number>(40).fill(0.1);
  test.each<[string, Indicator<number, unknown>, unknown]>([
    ['stdev', stdev(5), 0],
    ['zscore', zscore(5), 0],
    ['bollinger', bollinger(5), { lower: 0.1, middle: 0.1, upper: 0.1, percentB: 0.5 }],
    ['rsi', rsi(5), 50],
  ])('%s says so, without the rounding of doubles', (_, of, expected) => {
    expect(outputsOf(of, still).at(-1)).toEqual(expected);
  });

  test('after a jump too', () => {
    expect(outputsOf(stdev(5), [1e6, ...still]).at(-1)).toBe(0);
    expect(outputsOf(zscore(7), [...still, 60_000.1, ...new Array<number>(6).fill(60_000.1)]).at(-1)).toBe(0);
  });

  test('bars without height', () => {
    const flat = still.map((close) => ({ high: close, low: close, close }));
    expect(outputsOf(atr(5), flat).at(-1)).toBe(0);
    expect(outputsOf(adx(5), flat).at(-1)).toEqual({ adx: 0, plus: 0, minus: 0 });
    expect(outputsOf(stochastic({ n: 5 }), flat).at(-1)).toEqual({ k: 0, d: 0 });
  });
});

test('a huge price in the past leaves no trace once it is out of the window', () => {
  for (const one of [sma(4), wma(4)]) expect(outputsOf(one, [1e17, 1, 1, 1, 0.1, 0.1, 0.1, 0.1]).at(-1)).toBe(0.1);
});

test.each([0, -1, 1.5, Number.NaN])('a period of %s is refused', (n) => {
  for (const make of [highest, lowest, lag, sma, ema, wma, wilder, stdev, zscore, bollinger, rsi, macd, atr, adx])
    expect(() => make(n)).toThrow(`not ${n}`);
  expect(() => stochastic({ n })).toThrow(`not ${n}`);
});

test('what makes no sense together is refused', () => {
  expect(() => macd(26, 12)).toThrow('macd: the fast period 26 must be below the slow one, 12');
  expect(() => bollinger(20, 0)).toThrow('bollinger: deviations is a number above zero, not 0');
});
