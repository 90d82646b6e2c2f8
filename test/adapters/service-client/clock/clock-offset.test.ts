import { describe, expect, test } from 'vitest';
import { ClockOffset, type DateSample } from '#adapters/service-client/clock/clock-offset.ts';
import { seeded } from '#domain/seeded.ts';

const EPOCH = Date.UTC(2026, 0, 1);

/** A service whose clock is `offset` ahead of ours at 0 and goes faster or slower by `rate`, behind a line of its own. */
class Service {
  private readonly draw: { next(): number };
  readonly offset: (atMs: number) => number;
  private readonly line: { readonly leastMs: number; readonly jitterMs: number };

  constructor(options: { rate?: number; leastMs?: number; jitterMs?: number; seed?: string; from?: number }) {
    const { rate = 0, leastMs = 60, jitterMs = 20, seed = 'line', from = 437.2 } = options;
    this.draw = seeded(seed);
    this.offset = (atMs) => EPOCH + from + rate * atMs;
    this.line = { leastMs, jitterMs };
  }

  /** An answer to a request that leaves at `sentMs`. */
  ask(sentMs: number): DateSample {
    const there = this.line.leastMs / 2 + this.draw.next() * this.line.jitterMs;
    const back = this.line.leastMs / 2 + this.draw.next() * this.line.jitterMs;
    const service = sentMs + there + this.offset(sentMs + there);
    return { sentMs, receivedMs: sentMs + there + back, dateMs: Math.floor(service / 1000) * 1000 };
  }
}

/** When to ask next so that the request arrives at the edge of a second, as far as is known. */
function aimed(estimate: ClockOffset, nowMs: number, roundTripMs: number): number {
  const guess = estimate.guess(nowMs);
  const arrival = nowMs + (guess?.offsetMs ?? 0) + roundTripMs / 2;
  return guess === undefined ? nowMs : nowMs + 1000 - (arrival % 1000);
}

function burst(service: Service, estimate: ClockOffset, startMs: number, samples = 10): number {
  let now = startMs;
  for (let n = 0; n < samples; n += 1) {
    const answer = service.ask(aimed(estimate, now, 80));
    expect(estimate.add(answer)).toBe(true);
    now = answer.receivedMs;
  }
  return now;
}

describe('the bound from HTTP dates', () => {
  test('one sample bounds the offset by half a second and half a round trip', () => {
    const service = new Service({});
    const estimate = new ClockOffset();
    expect(estimate.bound(0, 0)).toBeUndefined();
    const answer = service.ask(1000);
    estimate.add(answer);
    const bound = estimate.bound(answer.receivedMs, answer.receivedMs);
    const roundTripMs = answer.receivedMs - answer.sentMs;
    expect(bound?.halfWidthMs).toBeGreaterThanOrEqual(500 + roundTripMs / 2);
    expect(bound?.halfWidthMs).toBeLessThan(502 + roundTripMs / 2);
    expect(Math.abs((bound?.offsetMs ?? 0) - service.offset(0))).toBeLessThan(bound?.halfWidthMs ?? 0);
  });

  test('ten aimed samples give about 0.05 s, over a thousand lines and offsets', () => {
    const widths: number[] = [];
    for (let n = 0; n < 1000; n += 1) {
      const service = new Service({ seed: `line ${n}`, from: (n * 7919) % 100_000 });
      const estimate = new ClockOffset();
      const end = burst(service, estimate, 0);
      const bound = estimate.bound(end, end);
      expect(bound).toBeDefined();
      widths.push(bound?.halfWidthMs ?? Number.NaN);
      expect(Math.abs((bound?.offsetMs ?? 0) - service.offset(end))).toBeLessThanOrEqual(bound?.halfWidthMs ?? 0);
    }
    widths.sort((a, b) => a - b);
    expect(widths[500]).toBeLessThan(70);
    expect(widths[990]).toBeLessThan(160);
  });

  /** Rates of parting, and how wide the bound may be at worst once an hour has taught it. */
  const drifts: readonly [string, number, number][] = [
    ['none', 0, 250],
    ['200 ppm', 0.0002, 250],
    ['-200 ppm', -0.0002, 250],
    ['0.1 %', 0.001, 250],
    ['1 %', 0.01, 250],
    ['-1 %', -0.01, 250],
  ];
  test.each(drifts)('F56 drift of %s: the truth stays inside the bound, for hours, also between samples', (_, rate, widest) => {
    const service = new Service({ rate, seed: `drift ${rate}` });
    const estimate = new ClockOffset();
    let now = burst(service, estimate, 0);
    let worst = 0;
    let asked = 0;
    while (now < 3 * 3_600_000) {
      const wide = (estimate.guess(now + 60_000)?.halfWidthMs ?? 0) > 250;
      const next = aimed(estimate, now + (wide ? 10_000 : 60_000), 80);
      for (let at = now; at < next; at += 2500) {
        const bound = estimate.bound(at, at + 5000);
        for (const then of [at, at + 2500, at + 5000]) {
          const offMs = Math.abs((bound?.offsetMs ?? 0) - service.offset(then));
          if (!(offMs <= (bound?.halfWidthMs ?? 0))) expect.fail(`off by ${offMs} of ${bound?.halfWidthMs} at ${then}`);
        }
        if (at > 3_600_000) worst = Math.max(worst, bound?.halfWidthMs ?? 0);
      }
      const answer = service.ask(next);
      asked += 1;
      expect(estimate.add(answer)).toBe(true);
      now = answer.receivedMs;
    }
    expect(worst).toBeLessThan(widest);
    expect(asked).toBeLessThan(300);
  });

  test('F56 a rate that wanders by 200 ppm from one hour to the next stays inside, too', () => {
    let rate = 0.0001;
    let base = EPOCH;
    let since = 0;
    const offset = (at: number): number => base + rate * (at - since);
    const estimate = new ClockOffset();
    for (let at = 0; at < 4 * 3_600_000; at += 60_000) {
      if (at % 3_600_000 === 0) {
        base = offset(at);
        since = at;
        rate = -rate;
      }
      const service = at + 30 + offset(at + 30);
      expect(estimate.add({ sentMs: at, receivedMs: at + 60, dateMs: Math.floor(service / 1000) * 1000 })).toBe(true);
      const bound = estimate.bound(at + 60, at + 60_000);
      expect(Math.abs((bound?.offsetMs ?? 0) - offset(at + 30_000))).toBeLessThanOrEqual(bound?.halfWidthMs ?? 0);
    }
  });

  test('F58 two backends 4 s apart: nothing is said from the first contradiction until ten in a row agree', () => {
    const one = new Service({ from: 0 });
    const other = new Service({ from: 4000 });
    const estimate = new ClockOffset();
    const end = burst(one, estimate, 0, 3);
    expect(estimate.bound(end, end)).toBeDefined();
    expect(estimate.add(other.ask(end + 1000))).toBe(false);
    expect(estimate.isSplit).toBe(true);
    for (let n = 0; n < 30; n += 1) {
      estimate.add((n % 2 === 0 ? one : other).ask(end + 2000 + n * 1000));
      expect(estimate.bound(end + 3000 + n * 1000, end + 3000 + n * 1000)).toBeUndefined();
    }
    let now = end + 40_000;
    expect(estimate.add(one.ask(now))).toBe(false);
    for (let n = 0; n < 9; n += 1) {
      expect(estimate.bound(now, now)).toBeUndefined();
      now += 1000;
      expect(estimate.add(one.ask(now))).toBe(true);
    }
    expect(Math.abs((estimate.bound(now + 100, now + 100)?.offsetMs ?? 0) - one.offset(now))).toBeLessThan(600);
  });

  test('F58 a reset while they contradict each other does not make one answer enough', () => {
    const one = new Service({ from: 0 });
    const estimate = new ClockOffset();
    const end = burst(one, estimate, 0, 3);
    estimate.add(new Service({ from: 4000 }).ask(end + 1000));
    estimate.reset();
    let now = end + 1000;
    for (let n = 0; n < 10; n += 1) {
      expect(estimate.bound(now, now)).toBeUndefined();
      now += 1000;
      expect(estimate.add(one.ask(now))).toBe(true);
    }
    expect(estimate.bound(now, now)).toBeDefined();
  });

  test('after a reset the next sample counts alone', () => {
    const service = new Service({});
    const estimate = new ClockOffset();
    const end = burst(service, estimate, 0);
    estimate.reset();
    expect(estimate.bound(end, end)).toBeUndefined();
    expect(estimate.newestMs).toBeUndefined();
    estimate.add(new Service({ from: 600_000 }).ask(end));
    expect(estimate.bound(end + 100, end + 100)?.halfWidthMs).toBeGreaterThan(500);
  });
});
