import { from, map, of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { EngineScheduler } from '#core/engine/scheduler.ts';
import { swapAmbient } from '#core/strategy/ambient.ts';
import { indicator, observe } from '#core/strategy/indicators.ts';
import { sma } from '#core/strategy/operators/averages.ts';

describe('observe names values for journal and why', () => {
  const seen: [string, unknown][] = [];
  const owner = { scheduler: new EngineScheduler(), observed: { set: (name: string, value: unknown) => void seen.push([name, value]) } };

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
