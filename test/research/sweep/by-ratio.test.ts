import { describe, expect, test } from 'vitest';
import type { LoadedStrategy } from '#assembly/assemble.ts';
import { loadConfig } from '#config/load.ts';
import { param, strategy } from '#core/strategy/index.ts';
import type { TrialParams } from '#research/replay/trial.ts';
import { plateauOf } from '#research/search/plateau.ts';
import { searcherOf, spaceOf } from '#research/sweep/search-method.ts';
import { variedOf } from '#research/sweep/sweep-axes.ts';
import { drawn, grid } from '#research/sweep/vary.ts';
import { ROOT } from '../../support/root.ts';
import { instanceOf } from '../../support/strategies.ts';

const definition = strategy({
  name: 'one',
  params: {
    length: param.int(20, { min: 1, max: 2_000, log: true, sweep: [10, 1_000, 10] }),
    share: param.number(0.01, { log: true, sweep: [0.001, 0.016, 2] }),
    plain: param.number(1, { sweep: [0, 1, 0.5] }),
  },
  signals: ({ quotes$ }) => quotes$,
  decide: () => undefined,
});
const whole = { ...instanceOf(definition), budget: null, exits: null, windows: null, enabled: true };
const { settings: SETTINGS } = loadConfig({ files: null, env: {}, cwd: ROOT });
const LOADED: readonly LoadedStrategy[] = [{ strategy: whole, sourceHash: 'x' }];

const varied = (...vary: readonly string[]) => variedOf({ vary }, LOADED, SETTINGS);
const valuesOf = (params: readonly TrialParams[], name: string): readonly number[] => params.map(({ one }) => Number(one?.[name]));
const anything = { accepts: () => true };
const below = (values: readonly number[], limit: number): number => values.filter((value) => value < limit).length / values.length;

describe('a parameter that counts by ratio', () => {
  test('is stepped by its factor in a grid, up to and with the end, and as whole numbers where it is one', () => {
    const listed = (text: string, name: string) => valuesOf(grid(varied(text).axes, () => true).params, name);
    expect(listed('one.length', 'length')).toEqual([10, 100, 1_000]);
    expect(listed('one.share', 'share')).toEqual([0.001, 0.002, 0.004, 0.008, 0.016]);
    expect(listed('one.length=20..320:x2', 'length')).toEqual([20, 40, 80, 160, 320]);
    expect(listed('one.length=1..5:x1.3', 'length')).toEqual([1, 2, 3, 4, 5]);
    expect(listed('one.plain=0.1..1:x3', 'plain')).toEqual([0.1, 0.3, 0.9]);
    expect(listed('one.plain', 'plain')).toEqual([0, 0.5, 1]);
  });

  test('is drawn evenly over its logarithm: half of 10 to 1000 lies below 100', () => {
    for (const text of ['one.length', 'one.length=10..1000', 'one.length=10..1000:log']) {
      const { params } = drawn(varied(text).axes, { count: 400, seed: 'a', ...anything });
      const values = valuesOf(params, 'length');
      // No setting is tried twice, which pushes some of the few small ones up.
      expect(below(values, 100)).toBeGreaterThan(0.2);
      expect(values.every((value) => Number.isInteger(value) && value >= 10 && value <= 1_000)).toBe(true);
    }
    const shares = valuesOf(drawn(varied('one.share').axes, { count: 400, seed: 'a', ...anything }).params, 'share');
    expect(below(shares, 0.004)).toBeGreaterThan(0.45);
    expect(below(shares, 0.004)).toBeLessThan(0.55);
    expect(drawn(varied('one.length=10..19').axes, { count: 50, seed: 'a', ...anything }).params).toHaveLength(10);
    // Who names a step counts by it.
    const stepped = valuesOf(drawn(varied('one.length=10..1000:1').axes, { count: 400, seed: 'a', ...anything }).params, 'length');
    expect(below(stepped, 100)).toBeLessThan(0.15);
  });

  test.each(['tpe', 'cmaes'] as const)('%s draws it over its logarithm, any value between the ends', (search) => {
    const rounds = searcherOf(
      { vary: ['one.share', 'one.length'], random: undefined, seed: 'a', search, batch: 8 },
      varied('one.share', 'one.length'),
      { seed: 'a', pruned: false },
    );
    const first = rounds.ask();
    expect(new Set(valuesOf(first, 'share')).size).toBeGreaterThan(4);
    expect(below(valuesOf(first, 'length'), 300)).toBeGreaterThan(0.4);
    expect(spaceOf(varied('one.share')).dimensions[0]?.values).toEqual({ low: 0.001, high: 0.016, step: null, log: true, factor: 2 });
  });

  test('has neighbours on its plateau one factor away', () => {
    const { dimensions } = spaceOf(varied('one.length=20..320:x2'));
    const at = (length: number, value: number) => ({ point: { 'one.length': length }, value });
    expect(plateauOf(at(80, 10), [at(40, 8), at(160, 6), at(20, 1), at(320, 1), at(81, 7)], dimensions)).toEqual({
      score: 0.7,
      neighbours: 3,
    });
  });

  test('can be told to count by difference in a space', () => {
    const { axes } = variedOf(
      { vary: [], space: { 'one.length': { low: 10, high: 1000, log: false }, 'one.share': null } },
      LOADED,
      SETTINGS,
    );
    expect(axes.map(({ range }) => range?.log)).toEqual([false, true]);
  });
});

test.each([
  ['one.length=0..100', /--vary one\.length=0\.\.100: needs a begin above 0: one says of length that it counts by ratio \(log\)/],
  ['one.share=-1..1', /needs a begin above 0/],
  ['one.plain=0..100:x2', /needs a begin above 0, of which there is a logarithm/],
  ['one.plain=1..100:x1', /needs a factor above 1, such as 1\.\.100:x2/],
  ['one.length=10..3000:x2', /params\.length: must be at most 2000/],
])('%s is refused in one line', (text, why) => {
  expect(() => varied(text)).toThrow(why);
});

test('a grid of a range by ratio without a factor names one', () => {
  expect(() => grid(varied('one.share=0.1..1').axes, () => true)).toThrow(/needs a factor, such as 0\.1\.\.1:x2, unless --random/);
});
