import { fc, test as propertyTest } from '@fast-check/vitest';
import { from, map, of, toArray } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { swapAmbient } from '../../src/strategy/ambient.ts';
import { ema, type Indicator, indicator, observe, rsi, sma } from '../../src/strategy/indicators.ts';
import { EngineScheduler } from '../../src/time/scheduler.ts';
import { NO_VECTORS, vector, vectorsAtHand } from '../support/vectors.ts';

function run(of: Indicator, values: readonly number[]): (number | undefined)[] {
  const step = of.start();
  return values.map((x) => step(x));
}

describe.skipIf(!vectorsAtHand)(`indicators give the published values${NO_VECTORS}`, () => {
  const closes = () =>
    vector('indicators_skender/quotes_default.csv')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => Number(line.split(',')[4]));

  test.each([
    ['sma', sma(20)],
    ['ema', ema(20)],
    ['rsi', rsi(14)],
  ])('%s: 502 daily bars, EMA seeded with the SMA, RSI after Wilder', (name, of) => {
    const rows: unknown = JSON.parse(vector(`indicators_skender/${name}.standard.json`));
    if (!Array.isArray(rows)) throw new Error('not a list');
    const published = rows.map((row: Record<string, number | null>) => row[name] ?? undefined);
    const ours = run(of, closes());
    expect(ours).toHaveLength(502);
    expect(published.filter((value) => value !== undefined).length).toBeGreaterThan(480);
    for (const [i, value] of published.entries()) {
      if (value === undefined) expect(ours[i]).toBeUndefined();
      else expect(ours[i]).toBeCloseTo(value, 6);
    }
  });

  test.each([
    ['sma 5', sma(5)],
    ['ema 5', ema(5, { seed: 'first' })],
  ])('%s: short cases, EMA seeded with the first value', (name, of) => {
    const lines = ['atoz', 'untest'].flatMap((file) => vector(`indicators_tulip/${file}.txt`).split('\n'));
    const rows = lines.flatMap((line, i) => (line === name ? [lines.slice(i + 1, i + 4).filter((l) => l.startsWith('{'))] : []));
    expect(rows).toHaveLength(2);
    for (const [given = '', published = ''] of rows) {
      const ours = run(of, numbers(given)).filter((value) => value !== undefined);
      expect(ours.map((value) => value.toFixed(3)).map(Number)).toEqual(numbers(published));
    }
  });
});

const numbers = (text: string): number[] => text.replaceAll(/[{}]/g, '').split(',').map(Number);

describe('a moving average stays right however long the run', () => {
  propertyTest.prop([fc.integer({ min: 1, max: 20 }), fc.array(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), { maxLength: 200 })])(
    'SMA equals the plain mean of the window',
    (n, values) => {
      const ours = run(sma(n), values);
      for (const i of values.keys()) {
        if (i + 1 < n) {
          expect(ours[i]).toBeUndefined();
          continue;
        }
        const mean = values.slice(i + 1 - n, i + 1).reduce((a, b) => a + b, 0) / n;
        expect(Math.abs((ours[i] ?? Number.NaN) - mean)).toBeLessThanOrEqual(1e-9 * 1e6);
      }
    },
  );

  test('a huge price in the past leaves no trace once it is out of the window', () => {
    const step = sma(4).start();
    for (const x of [1e17, 1, 1, 1]) step(x);
    for (const x of [0.1, 0.1, 0.1]) step(x);
    expect(step(0.1)).toBe(0.1);
  });

  test('B01: a value that is no number is out of the average once its window and the next have passed', () => {
    const step = sma(3).start();
    step(Number.NaN);
    const after = [1, 2, 3, 4, 5].map((x) => step(x));
    expect(after.at(-1)).toBe(4);
  });

  test('two subscribers of one operator do not share a window', () => {
    const average = sma(2);
    const seen: number[][] = [];
    for (let i = 0; i < 2; i++)
      of(1, 3)
        .pipe(average, toArray())
        .subscribe((values) => seen.push(values));
    expect(seen).toEqual([[2], [2]]);
  });

  test.each([0, -1, 1.5, Number.NaN])('a period of %s is refused', (n) => {
    for (const make of [sma, ema, rsi]) expect(() => make(n)).toThrow(`not ${n}`);
  });
});

describe('observe names values for journal and why', () => {
  const seen: [string, unknown][] = [];
  const owner = { scheduler: new EngineScheduler(), observe: (name: string, value: unknown) => void seen.push([name, value]) };

  test('in a stream and around an indicator, warm values only', () => {
    const before = swapAmbient(owner);
    from([1, 3])
      .pipe(
        observe<number>('price'),
        map((x) => x * 2),
        observe('average', sma(2)),
      )
      .subscribe();
    swapAmbient(before);
    expect(seen).toEqual([
      ['price', 1],
      ['price', 3],
      ['average', 4],
    ]);
  });

  test('outside an event it fails instead of losing the value', () => {
    const errors: unknown[] = [];
    of(1)
      .pipe(observe('price'))
      .subscribe({ error: (error) => errors.push(error) });
    expect(String(errors[0])).toContain("observe('price') was used while no event was being handled");
    expect(() => observe('x', sma(1)).start()).toThrow('no event');
  });
});

test('an own indicator that throws ends its stream with the error', () => {
  const errors: unknown[] = [];
  const mine = indicator(() => () => {
    throw new Error('mine');
  });
  of(1)
    .pipe(mine)
    .subscribe({ error: (error) => errors.push(error) });
  expect(errors).toEqual([new Error('mine')]);
});
