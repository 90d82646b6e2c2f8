import { asyncScheduler, debounceTime, interval, Subject, switchMap, take, throttleTime, timer, timestamp } from 'rxjs';
import { describe, expect, test, vi } from 'vitest';
import { EngineScheduler } from '#core/engine/scheduler.ts';
import { fc, test as propertyTest } from '../../support/property.ts';

const scheduler = (start = 1000) => new EngineScheduler({ start });

describe('timers of strategies fire at their own time, as the recording will replay them', () => {
  test('each sees its own due time, by due time and then by creation', () => {
    const s = scheduler();
    const seen: string[] = [];
    const note = (name: string) => s.schedule(() => seen.push(`${name}@${s.now()}`), name === 'late' ? 20 : 10);
    note('late');
    note('a');
    note('b');
    s.runDue(1009);
    expect(seen).toEqual([]);
    s.runDue(1010);
    expect(seen).toEqual(['a@1010', 'b@1010']);
    s.runDue(5000);
    expect(seen.at(-1)).toBe('late@1020');
    expect(s.now()).toBe(5000);
  });

  test('a timer set by a timer fires in the same run when it is due', () => {
    const s = scheduler();
    const seen: number[] = [];
    s.schedule(() => s.schedule(() => seen.push(s.now()), 5), 10);
    s.runDue(1100);
    expect(seen).toEqual([1015]);
  });

  test('time never goes back', () => {
    const s = scheduler();
    s.runDue(2000);
    s.runDue(1500);
    expect(s.now()).toBe(2000);
  });

  test('fractions round up, infinite waits never fire, and none at all is due at once', () => {
    const s = scheduler();
    const seen: string[] = [];
    s.schedule(() => seen.push(`half@${s.now()}`), 0.5);
    s.schedule(() => seen.push('never'), Number.POSITIVE_INFINITY);
    s.schedule(() => seen.push(`now@${s.now()}`));
    s.schedule(() => seen.push(`nan@${s.now()}`), Number.NaN);
    s.runDue(1000);
    expect(seen).toEqual(['now@1000', 'nan@1000']);
    s.runDue(9e12);
    expect(seen.at(-1)).toBe('half@1001');
    expect(s.pending).toBe(0);
  });

  test('F69: a strategy that counts every 0 ms does not hold one instant for ever', () => {
    const s = scheduler();
    let count = 0;
    interval(0, s).subscribe(() => {
      count += 1;
    });
    s.runDue(1100);
    expect(count).toBe(101);
  });
});

describe('F68: a timer that throws takes no other with it', () => {
  test('the others fire, the thrower is over, and its error is told', () => {
    const told: unknown[] = [];
    const s = new EngineScheduler({ start: 0, onThrow: (error) => told.push(error) });
    const seen: string[] = [];
    let thrown = 0;
    s.schedule(() => seen.push('before'), 1);
    s.schedule(function () {
      thrown += 1;
      this.schedule(undefined, 1);
      throw new Error('mine');
    }, 1);
    s.schedule(() => seen.push('after'), 1);
    s.runDue(10);
    expect(seen).toEqual(['before', 'after']);
    expect(told).toEqual([new Error('mine')]);
    expect(thrown).toBe(1);
    expect(s.pending).toBe(0);
  });

  test('without anybody to tell, runDue throws and loses no timer', () => {
    const s = scheduler(0);
    const seen: string[] = [];
    s.schedule(() => {
      throw new Error('engine');
    }, 1);
    s.schedule(() => seen.push('left'), 1);
    expect(() => s.runDue(10)).toThrow('engine');
    s.runDue(10);
    expect(seen).toEqual(['left']);
  });
});

describe('rxjs operators of time run on it as on the machine', () => {
  test.each([
    ['interval', (s: typeof asyncScheduler | EngineScheduler) => interval(7, s).pipe(take(4), timestamp(s))],
    ['timer with period', (s: typeof asyncScheduler | EngineScheduler) => timer(3, 5, s).pipe(take(3), timestamp(s))],
    ['debounceTime', (s: typeof asyncScheduler | EngineScheduler) => burst(s).pipe(debounceTime(6, s), timestamp(s))],
    [
      'throttleTime',
      (s: typeof asyncScheduler | EngineScheduler) => burst(s).pipe(throttleTime(6, s, { leading: true, trailing: true }), timestamp(s)),
    ],
    [
      'switchMap to timers',
      (s: typeof asyncScheduler | EngineScheduler) =>
        burst(s).pipe(
          switchMap(() => timer(6, s)),
          timestamp(s),
        ),
    ],
  ])('%s', (_name, make) => {
    vi.useFakeTimers({ now: 0 });
    try {
      const machine: unknown[] = [];
      make(asyncScheduler).subscribe((value) => machine.push(value));
      vi.advanceTimersByTime(100);
      const engine: unknown[] = [];
      const s = scheduler(0);
      make(s).subscribe((value) => engine.push(value));
      s.runDue(100);
      expect(engine).toEqual(machine);
      expect(machine.length).toBeGreaterThan(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test('memory of cancelled timers does not grow with the run', () => {
    const s = scheduler(0);
    const quotes$ = new Subject<number>();
    quotes$.pipe(switchMap(() => timer(3_600_000, s))).subscribe();
    for (let i = 0; i < 10_000; i++) quotes$.next(i);
    expect(s.pending).toBe(1);
    expect(JSON.stringify(Reflect.get(s, 'heap')).length).toBeLessThan(20_000);
  });
});

test('the clock is asked for a wake only when the next due time changes', () => {
  const asked: (number | undefined)[] = [];
  const s = new EngineScheduler({ start: 0, onNextDueChanged: (due) => asked.push(due) });
  const first = s.schedule(() => undefined, 10);
  s.schedule(() => undefined, 20);
  s.schedule(() => undefined, 5);
  s.runDue(6);
  first.unsubscribe();
  s.runDue(20);
  expect(asked).toEqual([10, 5, 10, 20, undefined]);
});

propertyTest.prop([fc.array(fc.record({ delay: fc.nat(50), cancel: fc.boolean() }), { maxLength: 200 })])(
  'any mix of timers and cancellations fires in order of due time and creation',
  (timers) => {
    const s = scheduler(0);
    const seen: number[] = [];
    const set = timers.map(({ delay }, i) => s.schedule(() => seen.push(i), delay));
    timers.forEach(({ cancel }, i) => {
      if (cancel) set[i]?.unsubscribe();
    });
    s.runDue(100);
    const expected = timers.map((t, i) => ({ ...t, i })).filter((t) => !t.cancel);
    expected.sort((a, b) => a.delay - b.delay || a.i - b.i);
    expect(seen).toEqual(expected.map((t) => t.i));
  },
);

/** Values at 0, 2, 4 and 20 ms. */
function burst(s: typeof asyncScheduler | EngineScheduler): Subject<number> {
  const values$ = new Subject<number>();
  for (const at of [0, 2, 4, 20]) s.schedule(() => values$.next(at), at);
  return values$;
}
