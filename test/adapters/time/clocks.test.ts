import { describe, expect, test } from 'vitest';
import { newRunId } from '#adapters/time/ids.ts';
import { SystemClock } from '#adapters/time/system-clock.ts';
import { systemTimers } from '#adapters/time/system-timers.ts';
import { VirtualClock } from '#adapters/time/virtual-clock.ts';
import type { Timers } from '#ports/timers.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

describe('engine time', () => {
  test('F55 I30: a step of the wall clock moves neither quotes nor timers', () => {
    let wall = 1_000_000;
    let monotonic = 50.7;
    const timers: Timers = { ...systemTimers, wallMs: () => wall, monotonicMs: () => monotonic };
    const clock = new SystemClock(timers);
    expect(clock.now()).toBe(1_000_000);
    monotonic += 10.9;
    wall -= 3_600_000;
    expect(clock.now()).toBe(1_000_010);
    monotonic -= 5;
    expect(clock.now()).toBe(1_000_010);
  });

  test('a wake comes at its time, once, and the latest request replaces the one before', () => {
    const timers = new VirtualTimers(1_000);
    const clock = new SystemClock(timers);
    const woken: string[] = [];
    clock.wakeAt(1_100, () => woken.push('first'));
    clock.wakeAt(1_050, () => woken.push(`second@${clock.now()}`));
    timers.advance(49);
    expect(woken).toEqual([]);
    timers.advance(1_000);
    expect(woken).toEqual(['second@1050']);
    clock.wakeAt(3_000, () => woken.push('never'));
    clock.wakeAt(undefined, () => woken.push('never'));
    timers.advance(10_000);
    expect(woken).toHaveLength(1);
    expect(timers.pending).toBe(0);
  });

  test('a wake in the past comes at once, and one in a month is not lost to the 24 days that timers can wait', () => {
    const timers = new VirtualTimers(1_000);
    const clock = new SystemClock(timers);
    const woken: string[] = [];
    clock.wakeAt(10, () => woken.push('past'));
    timers.advance(0);
    expect(woken).toEqual(['past']);
    const month = 30 * 86_400_000;
    clock.wakeAt(1_000 + month, () => woken.push('month'));
    timers.advance(month - 1);
    expect(woken).toHaveLength(1);
    timers.advance(1);
    expect(woken).toEqual(['past', 'month']);
  });

  test('F57 moved forward by its owner, it stays monotonic, and the wake that has come due meanwhile comes at once', () => {
    const timers = new VirtualTimers(1_000);
    const clock = new SystemClock(timers);
    const woken: number[] = [];
    clock.wakeAt(500_000, () => woken.push(clock.now()));
    timers.advance(10);
    clock.moveForward(600_000);
    expect(clock.now()).toBe(601_010);
    expect(woken).toEqual([]);
    timers.advance(0);
    expect(woken).toEqual([601_010]);
    clock.wakeAt(601_100, () => woken.push(clock.now()));
    clock.moveForward(50);
    timers.advance(40);
    expect(woken).toEqual([601_010, 601_100]);
    expect(timers.pending).toBe(0);
    expect(() => clock.moveForward(-1)).toThrow(/forward/);
  });

  test('a timer of the machine that fires early does not wake the engine early', () => {
    const delays: number[] = [];
    let now = 0;
    const run: (() => void)[] = [];
    const timers: Timers = {
      ...systemTimers,
      wallMs: () => now,
      monotonicMs: () => now,
      after: (delay, then) => {
        delays.push(delay);
        run.push(then);
        return () => undefined;
      },
    };
    const woken: number[] = [];
    const clock = new SystemClock(timers);
    clock.wakeAt(10, () => woken.push(clock.now()));
    now = 9.6;
    run[0]?.();
    expect(woken).toEqual([]);
    now = 10.2;
    run[1]?.();
    expect(woken).toEqual([10]);
    expect(delays).toEqual([10, 1]);
  });
});

describe('virtual time', () => {
  test('stops at every wake on the way, each at its own time', () => {
    const clock = new VirtualClock(0);
    const seen: number[] = [];
    const wake = () => {
      seen.push(clock.now());
      if (seen.length < 4) clock.wakeAt(clock.now() + 10, wake);
    };
    clock.wakeAt(10, wake);
    clock.moveTo(25);
    expect(seen).toEqual([10, 20]);
    expect(clock.now()).toBe(25);
    clock.moveBy(100);
    expect(seen).toEqual([10, 20, 30, 40]);
    expect(clock.nextWake).toBeUndefined();
  });

  test('a wake that asks for the same instant again does not hang the backtest', () => {
    const clock = new VirtualClock(0);
    let woken = 0;
    const wake = () => {
      woken += 1;
      clock.wakeAt(5, wake);
    };
    clock.wakeAt(5, wake);
    clock.moveTo(10);
    expect(woken).toBe(1);
    expect(() => clock.moveTo(9)).toThrow('cannot go back');
  });
});

test('run ids sort by their start, read as a time and do not collide within a second', () => {
  const timers = new VirtualTimers(Date.UTC(2026, 10, 21, 3, 51, 30, 999));
  const ids = [newRunId(timers), newRunId(timers)];
  expect(ids[0]).toMatch(/^20261121T035130Z-[0-9a-f]{6}$/);
  expect(new Set(ids).size).toBe(2);
  timers.advance(1);
  expect(newRunId(timers) > String(ids[1])).toBe(true);
});
