import { describe, expect, test } from 'vitest';
import { ClockSteps } from '#adapters/time/clock-steps.ts';
import { LagWindow } from '#adapters/time/lag-window.ts';

const START = Date.UTC(2026, 0, 1);

describe('wall against monotonic time', () => {
  /** A jump of the wall clock, and whether it is a step. */
  const jumps: readonly [number, boolean][] = [
    [100, false],
    [-100, false],
    [101, true],
    [-101, true],
    [3000, true],
    [-3_600_000, true],
  ];
  test.each(jumps)('F55 a jump of %d ms is a step: %s', (jumpMs, step) => {
    const steps = new ClockSteps();
    steps.inspect(START, 0);
    expect(steps.hasJumped(START + 250 + jumpMs, 250)).toBe(step);
    expect(steps.inspect(START + 250 + jumpMs, 250)).toEqual({ parted: step, jumpMs: step ? jumpMs : 0 });
    expect(steps.hasJumped(START + 300 + jumpMs, 300)).toBe(false);
    expect(steps.inspect(START + 10_000 + jumpMs, 10_000).parted).toBe(step);
    expect(steps.inspect(START + 10_001 + jumpMs, 10_001).parted).toBe(false);
  });

  /** Milliseconds that wall time gains in a second, and whether that is too much in 10 s. */
  const slews: readonly [number, boolean][] = [
    [0.5, false],
    [9.9, false],
    [12, true],
  ];
  test.each(slews)('slewing by %d ms a second is a parting: %s', (gain, expected) => {
    const steps = new ClockSteps();
    let parted = false;
    for (let at = 0; at < 60_000; at += 250) {
      const look = steps.inspect(START + at + (gain * at) / 1000, at);
      expect(look.jumpMs).toBe(0);
      parted ||= look.parted;
    }
    expect(parted).toBe(expected);
  });
});

describe('lateness of the loop', () => {
  const measured = (late: (at: number) => number, untilMs: number, window = new LagWindow(), fromMs = 0): number => {
    for (let at = fromMs; at <= untilMs; at += 20) window.add(at, late(at));
    return window.p99(untilMs);
  };

  test('one long standstill in 5 s is no lag, three are', () => {
    const at = (...times: number[]): number => measured((now) => (times.includes(now) ? 2000 : 0), 5000);
    expect(at(1000)).toBe(0);
    expect(at(1000, 2000, 3000)).toBe(2000);
  });

  test('what was measured over 5 s ago is forgotten', () => {
    const window = new LagWindow();
    expect(measured(() => 300, 5000, window)).toBe(300);
    expect(measured(() => 1, 10_000, window, 5020)).toBe(1);
  });

  test('F64 it begins above 250 ms and ends below 100 ms', () => {
    const window = new LagWindow();
    const verdicts = [250, 251, 250, 100, 99.9, 250, 251].map((p99) => window.judge(p99));
    expect(verdicts).toEqual([false, true, true, true, false, false, true]);
  });
});
