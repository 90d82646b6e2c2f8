import { describe, expect, test } from 'vitest';
import type { Indicator } from '#core/strategy/indicators.ts';
import { ema, sma, wilder, wma } from '#core/strategy/operators/averages.ts';
import { adx, atr, type Bar, stochastic } from '#core/strategy/operators/bars.ts';
import { bollinger, stdev, zscore } from '#core/strategy/operators/deviation.ts';
import { highest, lag, lowest } from '#core/strategy/operators/extremes.ts';
import { macd, rsi } from '#core/strategy/operators/momentum.ts';
import { outputsOf } from '../../../support/indicators.ts';
import { NO_VECTORS, vector, vectorsAtHand } from '../../../support/vectors.ts';

/** Figures of one row: ours by the published name, or undefined before the first. */
type Figures = Readonly<Record<string, number>>;

const named =
  (name: string) =>
  (value: number): Figures => ({ [name]: value });

interface Case {
  readonly file: string;
  readonly figures: (bars: readonly Bar[]) => readonly (Figures | undefined)[];
  /** Bars until the first value, as docs/indicators.md says. */
  readonly warmUp: number;
}

const closes = (bars: readonly Bar[]) => bars.map(({ close }) => close);

const ofCloses =
  <Out>(of: Indicator<number, Out>, figures: (out: Out) => Figures) =>
  (bars: readonly Bar[]) =>
    outputsOf(of, closes(bars)).map((out) => out && figures(out));

const ofBars =
  <Out>(of: Indicator<Bar, Out>, figures: (out: Out) => Figures) =>
  (bars: readonly Bar[]) =>
    outputsOf(of, bars).map((out) => out && figures(out));

const skender: readonly Case[] = [
  { file: 'sma', warmUp: 20, figures: ofCloses(sma(20), named('sma')) },
  { file: 'ema', warmUp: 20, figures: ofCloses(ema(20), named('ema')) },
  { file: 'wma', warmUp: 14, figures: ofCloses(wma(14), named('wma')) },
  { file: 'rsi', warmUp: 15, figures: ofCloses(rsi(14), named('rsi')) },
  { file: 'stdev', warmUp: 14, figures: ofCloses(stdev(14), named('stdDev')) },
  { file: 'stdev', warmUp: 14, figures: ofCloses(zscore(14), named('zScore')) },
  { file: 'macd', warmUp: 34, figures: ofCloses(macd(12, 26, 9), ({ macd, signal, histogram }) => ({ macd, signal, histogram })) },
  {
    file: 'bb',
    warmUp: 20,
    figures: ofCloses(bollinger(20, 2), ({ lower, middle, upper, percentB }) => ({
      lowerBand: lower,
      sma: middle,
      upperBand: upper,
      percentB,
    })),
  },
  { file: 'atr', warmUp: 15, figures: ofBars(atr(14), named('atr')) },
  { file: 'adx', warmUp: 28, figures: ofBars(adx(14), ({ adx, plus, minus }) => ({ adx, pdi: plus, mdi: minus })) },
  { file: 'stoch', warmUp: 18, figures: ofBars(stochastic({ n: 14, smooth: 3, signal: 3 }), ({ k, d }) => ({ k, d })) },
];

describe.skipIf(!vectorsAtHand)(`published values of 502 daily bars${NO_VECTORS}`, () => {
  test.each(skender)('$file, from bar $warmUp on, to 6 places', ({ file, figures, warmUp }) => {
    const published: unknown = JSON.parse(vector(`indicators_skender/${file}.standard.json`));
    if (!Array.isArray(published)) throw new Error('not a list');
    const ours = figures(dailyBars());
    expect(ours).toHaveLength(502);
    expect(ours.findIndex((figures) => figures !== undefined)).toBe(warmUp - 1);
    for (const [i, figures] of ours.entries()) {
      const row: Record<string, number | null> = published[i];
      for (const [name, value] of Object.entries(figures ?? {})) {
        expect(row[name], `${name} of bar ${i}`).toEqual(expect.any(Number));
        expect(value, `${name} of bar ${i}`).toBeCloseTo(row[name] ?? Number.NaN, 6);
      }
    }
  });
});

const tulip: readonly { readonly name: string; readonly figures: Case['figures']; readonly cases: number; readonly inputs: 1 | 3 }[] = [
  { name: 'sma 5', cases: 2, inputs: 1, figures: ofCloses(sma(5), named('sma')) },
  { name: 'ema 5', cases: 2, inputs: 1, figures: ofCloses(ema(5, { seed: 'first' }), named('ema')) },
  { name: 'wma 5', cases: 2, inputs: 1, figures: ofCloses(wma(5), named('wma')) },
  { name: 'max 3', cases: 2, inputs: 1, figures: ofCloses(highest(3), named('highest')) },
  { name: 'max 2', cases: 1, inputs: 1, figures: ofCloses(highest(2), named('highest')) },
  { name: 'max 5', cases: 1, inputs: 1, figures: ofCloses(highest(5), named('highest')) },
  { name: 'min 3', cases: 1, inputs: 1, figures: ofCloses(lowest(3), named('lowest')) },
  { name: 'min 5', cases: 1, inputs: 1, figures: ofCloses(lowest(5), named('lowest')) },
  { name: 'lag 1', cases: 1, inputs: 1, figures: ofCloses(lag(1), named('lag')) },
  { name: 'lag 5', cases: 1, inputs: 1, figures: ofCloses(lag(5), named('lag')) },
  { name: 'wilders 5', cases: 2, inputs: 1, figures: ofCloses(wilder(5), named('wilder')) },
  { name: 'rsi 5', cases: 2, inputs: 1, figures: ofCloses(rsi(5), named('rsi')) },
  { name: 'stddev 5', cases: 2, inputs: 1, figures: ofCloses(stdev(5), named('stdev')) },
  { name: 'stddev 3', cases: 1, inputs: 1, figures: ofCloses(stdev(3), named('stdev')) },
  {
    name: 'bbands 5 2',
    cases: 2,
    inputs: 1,
    figures: ofCloses(bollinger(5, 2), ({ lower, middle, upper }) => ({ lower, middle, upper })),
  },
  { name: 'stoch 5 3 3', cases: 2, inputs: 3, figures: ofBars(stochastic({ n: 5 }), ({ k, d }) => ({ k, d })) },
];

describe.skipIf(!vectorsAtHand)(`published short cases${NO_VECTORS}`, () => {
  test.each(tulip)('$name, as many digits as are printed', ({ name, figures, cases, inputs }) => {
    const found = tulipCases(name);
    expect(found).toHaveLength(cases);
    for (const lists of found) {
      const columns = lists.slice(0, inputs).map((line) => line.map(Number));
      const published = lists.slice(inputs);
      const bars = (columns.at(-1) ?? []).map((close, i) => ({ high: columns[0]?.[i] ?? 0, low: columns.at(-2)?.[i] ?? 0, close }));
      const ours = figures(bars).filter((row) => row !== undefined);
      for (const [figure, line] of published.entries()) {
        expect(ours).toHaveLength(line.length);
        for (const [i, text] of line.entries()) {
          const places = text.split('.')[1]?.length ?? 0;
          expect(Math.abs((Object.values(ours[i] ?? {})[figure] ?? Number.NaN) - Number(text))).toBeLessThanOrEqual(0.51 * 10 ** -places);
        }
      }
    }
  });
});

function dailyBars(): readonly Bar[] {
  const [, ...lines] = vector('indicators_skender/quotes_default.csv').trim().split('\n');
  return lines.map((line) => {
    const [, , high, low, close] = line.split(',').map(Number);
    return { high: high ?? 0, low: low ?? 0, close: close ?? 0 };
  });
}

/** Inputs and outputs of each case of this name, as printed. */
function tulipCases(name: string): readonly (readonly (readonly string[])[])[] {
  const lines = ['atoz', 'extra', 'untest'].flatMap((file) => vector(`indicators_tulip/${file}.txt`).split('\n'));
  return lines.flatMap((line, i) => {
    if (line.trim() !== name) return [];
    const lists: string[][] = [];
    for (const text of lines.slice(i + 1)) {
      if (text.startsWith('{')) lists.push(text.replaceAll(/[{}\s]/g, '').split(','));
      else if (!text.startsWith('#')) break;
    }
    return [lists];
  });
}
