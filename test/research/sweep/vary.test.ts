import { readFileSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { paramsText, type TrialResult } from '#research/replay/trial.ts';
import { TrialLog } from '#research/replay/trial-log.ts';
import { foldsOf } from '#research/sweep/folds.ts';
import { type Axis, drawn, grid, steps, varyOf } from '#research/sweep/vary.ts';
import { newFolder } from '../../support/folder.ts';

const anything = (): boolean => true;

describe('--vary', () => {
  test.each([
    ['a.b=5..50:5', { kind: 'range', from: 5, to: 50, step: 5 }],
    ['a.b=-0.5..0.5', { kind: 'range', from: -0.5, to: 0.5, step: null }],
    ['a.b=5, 10,20', { kind: 'list', values: [5, 10, 20] }],
    ['a.b=true,false', { kind: 'list', values: [true, false] }],
    ['a.b=fast,slow', { kind: 'list', values: ['fast', 'slow'] }],
    ['a.b', { kind: 'declared' }],
  ])('%s', (text, values) => {
    expect(varyOf(text)).toEqual({ text, strategy: 'a', param: 'b', values });
  });

  test.each([
    ['a', /must be STRATEGY_ID\.PARAM/],
    ['A.b=1', /must be STRATEGY_ID\.PARAM/],
    ['a.b=', /needs values such as/],
    ['a.b=1,,2', /needs values such as/],
    ['a.b=1..x', /needs values such as/],
    ['a.b=1e3..2e3', /needs values such as/],
    ['a.b=5..1', /ends below its begin: write 1\.\.5/],
    ['a.b=1..5:0', /needs a step above 0/],
    ['a.b=1..5:-1', /needs a step above 0/],
  ])('%s is refused in one line', (text, why) => {
    expect(() => varyOf(text)).toThrow(why);
  });

  test('steps are those of decimals, not of doubles, and end where they can', () => {
    expect(steps('x', { from: 0.1, to: 0.7, step: 0.2 })).toEqual([0.1, 0.3, 0.5, 0.7]);
    expect(steps('x', { from: 1, to: 10, step: 4 })).toEqual([1, 5, 9]);
    expect(() => steps('x', { from: 0, to: 1, step: 0.000001 })).toThrow(/take a larger step/);
  });
});

describe('combinations', () => {
  const axes: readonly Axis[] = [
    { strategy: 'a', param: 'x', values: [1, 2, 3] },
    { strategy: 'a', param: 'y', values: [true, false] },
    { strategy: 'b', param: 'x', values: [7] },
  ];

  test('a grid has all of them, the last changing first; what a strategy refuses is counted', () => {
    const all = grid(axes, anything);
    expect(all.params.map(paramsText)).toEqual([
      'a.x=1 a.y=true b.x=7',
      'a.x=1 a.y=false b.x=7',
      'a.x=2 a.y=true b.x=7',
      'a.x=2 a.y=false b.x=7',
      'a.x=3 a.y=true b.x=7',
      'a.x=3 a.y=false b.x=7',
    ]);
    expect(grid(axes, ({ a }) => a?.x !== 2)).toMatchObject({ refused: 2, params: { length: 4 } });
    const twice: Axis = { strategy: 'a', param: 'x', values: [1, 1] };
    expect(grid([twice], anything).params).toHaveLength(1);
    const many = { strategy: 'a', param: 'x', values: Array.from({ length: 1000 }, (_, n) => n) };
    expect(() => grid([many, { ...many, param: 'y' }], anything)).toThrow(/asks for 1000000 trials/);
    expect(() => grid([{ strategy: 'a', param: 'x', values: { from: 0, to: 1 } }], anything)).toThrow(/needs a step/);
  });

  test('draws are different ones, the same for the same seed, and all where there are no more', () => {
    const between: readonly Axis[] = [{ strategy: 'a', param: 'x', values: { from: 1, to: 2 } }];
    const first = drawn(between, { count: 50, seed: 's', accepts: anything });
    expect(new Set(first.params.map(paramsText)).size).toBe(50);
    for (const { a } of first.params) expect(Number(a?.x) >= 1 && Number(a?.x) <= 2).toBe(true);
    expect(drawn(between, { count: 50, seed: 's', accepts: anything })).toEqual(first);
    expect(drawn(between, { count: 50, seed: 't', accepts: anything })).not.toEqual(first);
    expect(drawn(axes, { count: 6, seed: 's', accepts: anything }).params).toHaveLength(6);
    expect(drawn(axes, { count: 4, seed: 's', accepts: ({ a }) => a?.x === 1 }).params).toHaveLength(2);
  });

  test('draws of which none is accepted come to an end', () => {
    const between: readonly Axis[] = [{ strategy: 'a', param: 'x', values: { from: 1, to: 2 } }];
    let asked = 0;
    const accepts = (): boolean => {
      asked += 1;
      if (asked > 100_000) throw new Error('without end');
      return false;
    };
    expect(drawn(between, { count: 5, seed: 's', accepts }).params).toEqual([]);
  });
});

describe('the log of trials', () => {
  const file = (): string => {
    const dir = newFolder();
    return path.join(dir, 'sweeps', 'log.jsonl');
  };
  const trial = (id: string): TrialResult => ({
    id,
    setup: id,
    params: { a: { x: 1 } },
    from: 0,
    to: null,
    figures: { netProfit: 1, sharpe: null },
    days: [{ at: 1, return: 0.1, whole: true }],
    fills: 2,
    exact: 2,
    halted: null,
    failed: null,
    headlines: [],
    refusals: [],
  });

  test('has what was kept, by all who kept it', () => {
    const place = file();
    const [one, two] = [TrialLog.open(place), TrialLog.open(place)];
    one.keep([trial('1')]);
    two.keep([trial('2')]);
    two.keep([trial('3')]);
    two.keepWalk({ id: 'w' });
    two.keepWalk({ id: 'w' });
    one.close();
    two.close();
    const read = TrialLog.open(place);
    expect(['1', '2', '3', '4'].map((id) => read.trial(id)?.id)).toEqual(['1', '2', '3', undefined]);
    expect(read).toMatchObject({ walkForwards: [{ id: 'w' }], last: undefined });
    expect(read.trial('1')).toEqual(trial('1'));
    read.close();
  });

  test('a crash within a line costs that trial alone, wherever it was cut', () => {
    const place = file();
    const whole = TrialLog.open(place);
    whole.keep([trial('1')]);
    const kept = readFileSync(place).length;
    whole.keep([trial('2')]);
    whole.close();
    const length = readFileSync(place).length;
    for (const cut of [length - 1, length - 20, kept + 1]) {
      truncateSync(place, cut);
      const after = TrialLog.open(place);
      expect(after.trial('1')?.id).toBe('1');
      after.keep([trial('3')]);
      after.close();
      const again = TrialLog.open(place);
      expect(['1', '3'].map((id) => again.trial(id)?.id)).toEqual(['1', '3']);
      again.close();
      truncateSync(place, cut);
    }
  });

  test('where it cannot be kept is told', () => {
    const place = file();
    TrialLog.open(place).close();
    expect(() => TrialLog.open(path.join(place, 'log.jsonl'))).toThrow(/cannot be kept .* check journal\.path/);
  });
});

describe('walk-forward windows', () => {
  const hours = (from: number, to: number) => ({ from: from * 3_600_000, to: to * 3_600_000 });
  const windows = { trainMs: 10 * 3_600_000, testMs: 5 * 3_600_000, embargoMs: 3_600_000, anchored: false };

  test('tests follow each other, each an embargo behind its training; what is left for none is left out', () => {
    expect(foldsOf(hours(0, 24), windows)).toEqual([
      { train: hours(0, 10), test: hours(11, 16) },
      { train: hours(5, 15), test: hours(16, 21) },
    ]);
    expect(foldsOf(hours(0, 24), { ...windows, anchored: true })).toEqual([
      { train: hours(0, 10), test: hours(11, 16) },
      { train: hours(0, 15), test: hours(16, 21) },
    ]);
    expect(foldsOf(hours(0, 16), windows)).toHaveLength(1);
  });

  test('no window reaches into a time without quotes, but for an anchored training, which lies over it', () => {
    const [before, after] = [hours(0, 20), hours(60, 80)];
    const empty = [hours(20, 60)];
    const both = [...foldsOf(before, windows), ...foldsOf(after, windows)];
    expect(foldsOf(hours(0, 80), windows, empty)).toEqual(both);
    const from = before.from;
    expect(foldsOf(hours(0, 80), { ...windows, anchored: true }, empty)).toEqual(
      both.map(({ train, test: tested }) => ({ train: { ...train, from }, test: tested })),
    );
    expect(() => foldsOf(hours(0, 30), windows, [hours(10, 20)])).toThrow(/10\.00 h were without a hole, at most, recorded/);
  });

  test('a time too short for one, and far too many, are told in one line', () => {
    expect(() => foldsOf(hours(0, 15.9), windows)).toThrow(/together need 16\.00 h, and 15\.90 h were recorded/);
    expect(() => foldsOf(hours(0, 24), { ...windows, testMs: 1 })).toThrow(/take a longer one/);
  });
});
