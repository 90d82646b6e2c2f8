import { expect, test } from 'vitest';
import { RoundTrips } from '#core/risk/round-trips.ts';

/** The 99th percentile as it is defined, of answers not older than ten minutes, of which the last hundred count. */
function p99(answers: readonly { readonly at: number; readonly ms: number }[], now: number): number {
  const kept = answers.slice(-100).filter(({ at }) => now - at <= 600_000);
  const sorted = kept.map(({ ms }) => ms).sort((a, b) => b - a);
  return Math.ceil((kept.length < 100 ? sorted[0] : sorted[1]) ?? 0);
}

test('the time that a quote must have left covers the slowest of the last hundred answers but one, of ten minutes', () => {
  const trips = new RoundTrips();
  const answers: { readonly at: number; readonly ms: number }[] = [];
  expect(trips.p99(0)).toBe(0);
  for (let index = 0; index < 400; index++) {
    // Slow ones now and then, equal ones often, and a long pause in which all but the last few are forgotten.
    const at = index * 1_000 + (index >= 300 ? 580_000 : 0);
    const ms = index % 37 === 0 ? 900.5 - index : index % 5;
    trips.add(at, ms);
    answers.push({ at, ms });
    expect(trips.p99(at), `answer ${index}`).toBe(p99(answers, at));
  }
  expect(trips.p99(399 * 1_000 + 580_000 + 600_001)).toBe(0);
});
