import { describe, expect, test } from 'vitest';
import { durationText } from '#domain/duration-text.ts';
import { seeded } from '#domain/seeded.ts';
import { isKnown } from '#report/metrics/metric.ts';
import { signalAge } from '#report/metrics/signal-age.ts';
import { decisionsSeen } from '#report/order-history.ts';
import { makeReport } from '#report/report.ts';
import { type FillParts, laneColumns, MONDAY, type QuotePoint, recordOf } from '../support/report-data.ts';

const EVERY_MS = 120_000;

/** Signals two minutes apart. The price goes their way by `bps` in all, half of it within `halfLifeMs`, under noise of each quote. */
function planted(
  seed: string,
  { halfLifeMs, bps, count = 120 }: { readonly halfLifeMs: number; readonly bps: number; readonly count?: number },
) {
  const draws = seeded(seed);
  const points: QuotePoint[] = [];
  const fills: FillParts[] = [];
  for (let n = 0; n < count; n += 1) {
    const at = MONDAY + 1000 + n * EVERY_MS;
    const side = draws.next() < 0.5 ? 'buy' : 'sell';
    const ageMs = Math.round(draws.next() * 2000);
    for (let after = -200; after <= 61_000; after += 200) {
      const moved = after < 0 ? 0 : bps * (1 - 0.5 ** (after / halfLifeMs));
      const noise = (draws.next() - 0.5) * 6;
      points.push({ at: at + after, buy: 60_000 * (1 + ((side === 'buy' ? moved : -moved) + noise) / 1e4) });
    }
    const signals = { fast: 1, model: { id: `${n}`, ageMs, stale: false, score: 0.7 }, other: { id: 'x', ageMs: 1, stale: true } };
    fills.push({ at: at + ageMs, side, price: 60_000, signals });
  }
  return { columns: [laneColumns(points)], record: recordOf({ from: MONDAY, to: MONDAY + count * EVERY_MS, flows: [], fills }) };
}

describe('what the age of signals costs', () => {
  test.each([
    ['a', 1800],
    ['b', 1800],
    ['c', 600],
    ['d', 7000],
  ])('a planted decay is found within its error: seed %s, half after %i ms', (seed, halfLifeMs) => {
    const { columns, record } = planted(seed, { halfLifeMs, bps: 10 });
    const age = signalAge(decisionsSeen(record.decisions).orders, columns, seed);
    if (!age?.band || !isKnown(age.halfLife)) throw new Error('a decay was planted');
    const { p5, p95 } = age.band;
    expect(age.count).toBe(120);
    expect(age.edge).toBeCloseTo(10, -0.3);
    const error = (p95 - p5) / 3.29;
    expect(error, 'the error is small enough to say anything').toBeLessThan(halfLifeMs / 3);
    // Quotes come each 200 ms: a price is half of that old.
    expect(Math.abs(age.halfLife - halfLifeMs - 100)).toBeLessThan(3 * error);
  });

  test('the report says after how long half of the edge is gone', () => {
    const { columns, record } = planted('report', { halfLifeMs: 1800, bps: 10 });
    const section = makeReport(record, columns).sections.find(({ title }) => title === 'Signals from outside');
    const figures = new Map(section?.figures.map((one) => [one.id, one]));
    const found = figures.get('signalHalfLife');
    expect(found).toMatchObject({
      label: 'half of the edge is gone after',
      unit: 'ms',
      note: expect.stringMatching(/ to .* in nine of ten draws$/),
    });
    expect(durationText(found?.value ?? 0)).toMatch(/^(1\.[6-9]|2|2\.[0-3]) s$/);
    expect(figures.get('signalEdgeGone')?.value).toBeGreaterThan(1);
  });

  test('signals that are worth nothing have no half of it; a few say nothing; without one there is no section', () => {
    const noise = planted('noise', { halfLifeMs: 1800, bps: -5 });
    const of = ({ columns, record }: typeof noise) => signalAge(decisionsSeen(record.decisions).orders, columns, 'x');
    expect(of(noise)).toMatchObject({ halfLife: { why: expect.stringContaining('did not move') }, band: undefined });
    expect(of(planted('few', { halfLifeMs: 1800, bps: 10, count: 5 }))).toMatchObject({
      count: 5,
      edge: { why: expect.stringContaining('fewer than 10') },
    });
    expect(signalAge(decisionsSeen(recordOf({ from: MONDAY, to: MONDAY + 1, flows: [] }).decisions).orders, [], 'x')).toBeUndefined();
  });
});
