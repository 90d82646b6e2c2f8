import { describe, expect, test } from 'vitest';
import type { Decision } from '#domain/decision.ts';
import { keptMarks, keptValues } from '#report/equity/kept-marks.ts';
import { ThinnedSeries } from '#report/equity/thinned.ts';
import { reportPage } from '#report/page/page.ts';
import { pageData } from '#report/page/report-data.ts';
import { makeReport } from '#report/report.ts';
import { SignalCollector } from '#report/signal-collector.ts';
import { DAY, type FillParts, laneColumns, MONDAY, recordOf } from '../support/report-data.ts';

const span = { from: 0, to: 120_000 };
const sides = { kindOf: ({ side }: { side: string }) => side, sizeOf: ({ size }: { size: number }) => size };
const turns = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ at: n * (120_000 / count), side: n % 2 === 0 ? 'buy' : 'sell', size: (n * 7) % 11 }));
const of = <T extends { side: string }>(marks: readonly T[], side: string) => marks.filter((one) => one.side === side);

describe('more marks than a chart can show are thinned by time and side', () => {
  test('a few are all kept, in order of time', () => {
    const marks = turns(1_021);
    expect(keptMarks(marks.toReversed(), span, { ...sides, most: 10_000 })).toEqual(marks);
  });

  test('a trade that alternates keeps both sides, to the most that are asked for', () => {
    const kept = keptMarks(turns(30_000), span, { ...sides, most: 10_000 });
    expect(of(kept, 'buy').length).toBe(of(kept, 'sell').length);
    expect(kept.length).toBeGreaterThan(9_000);
    expect(kept.length).toBeLessThanOrEqual(10_000);
    expect(kept.map(({ at }) => at)).toEqual(kept.map(({ at }) => at).sort((a, b) => a - b));
  });

  test('the largest of a moment stays, and one that stands alone in its side', () => {
    const many = Array.from({ length: 200 }, (_, n) => ({ at: 50 + n / 10, side: 'buy', size: n === 77 ? 9 : 1 }));
    const lone = { at: 60, side: 'sell', size: 0.1 };
    const kept = keptMarks([...many, lone], span, { ...sides, most: 3 });
    expect(kept).toHaveLength(3);
    expect(kept).toContain(lone);
    expect(kept).toContain(many[77]);
  });

  test('at least one of each moment and side, where that is more than the most', () => {
    expect(keptMarks(turns(6_000), span, { ...sides, most: 10 })).toHaveLength(2_400);
  });

  test('of a long signal the lowest and highest of each stretch', () => {
    const points = Array.from({ length: 12_000 }, (_, n) => [n * 10, n % 2 === 0 ? n : -n] as const);
    const kept = keptValues(points, span);
    expect(kept.length).toBe(2_400);
    expect(kept.filter(([, value]) => value > 0).length).toBe(1_200);
    expect(kept).toContainEqual([119_980, 11_998]);
    expect(keptValues(points.slice(0, 2_400), span)).toHaveLength(2_400);
  });
});

test('a page of a run that bought and sold by turns marks as many of both', () => {
  const fills = Array.from(
    { length: 1_021 },
    (_, n): FillParts => ({ at: MONDAY + n * 60_000, side: n % 2 === 0 ? 'buy' : 'sell', price: 100, row: n }),
  );
  const quotes = fills.map(({ at }) => ({ at, buy: 100 }));
  const flows = [{ at: MONDAY, kind: 'opening', amount: 1_000 }] as const;
  const report = makeReport(recordOf({ from: MONDAY, to: MONDAY + DAY, flows, fills }), [laneColumns(quotes)]);
  const [price] = pageData(report).run?.prices ?? [];
  const buys = price?.marks.filter(([, isBuy]) => isBuy === 1).length;
  expect([buys, price?.marks.length]).toEqual([511, 1_021]);
  const thinned = { ...report, prices: report.prices.map((price) => ({ ...price, marksLeftOut: 7 })) };
  expect(reportPage(thinned)).toContain('1021 fills marked; 7 more are left out, the smaller of their side and moment;');
  expect(reportPage(report)).not.toContain('more are left out');
});

test('a strategy whose last operator observes has one chart of it, not two', () => {
  const decision = (at: number, signals: Readonly<Record<string, number>>, strategy = 'brk') =>
    ({ kind: 'hold', at, product: 'btcusd', strategy, detail: { why: 'test', signals } }) as unknown as Decision;
  const namesOf = (...rows: readonly Decision[]) => {
    const seen = new SignalCollector();
    for (const row of rows) seen.add(row);
    return seen.of('btcusd', span).signals.map(({ strategy, name }) => `${strategy} ${name}`);
  };
  expect(namesOf(decision(1, { break: 1, signal: 1 }), decision(2, { break: 0, signal: 0 }))).toEqual(['brk break']);
  expect(namesOf(decision(1, { break: 1, signal: 1 }), decision(2, { break: 0, signal: 2 }))).toEqual(['brk break', 'brk signal']);
  expect(namesOf(decision(1, { break: 1 }), decision(1, { signal: 1 }, 'other'))).toEqual(['brk break', 'other signal']);
  expect(namesOf(decision(1, { signal: 1 }))).toEqual(['brk signal']);
});

test('repetitions of a refusal have no mark of their own and are counted, as in the table of refusals', () => {
  const intent = { side: 'buy', quote: { buy: 100, sell: 99 }, signals: {} };
  const refused = (at: number, repeated?: number) =>
    ({
      kind: 'refused',
      reason: 'MAX_SPREAD',
      at,
      product: 'btcusd',
      strategy: 'brk',
      detail: { intent, checks: [], repeated },
    }) as unknown as Decision;
  const seen = new SignalCollector();
  for (const row of [refused(1), refused(4, 4)]) seen.add(row);
  expect([seen.of('btcusd', span).refusals.length, seen.refusalsOf('btcusd')]).toEqual([2, 4]);
});

test('the line of prices is broken over a weekend and after the last quote, and nowhere else', () => {
  const thinned = new ThinnedSeries(0, 1_000, 100);
  for (const at of [0, 15, 25, 35, 45, 400, 415, 430, 455, 470, 500]) thinned.add(at, at);
  const silent = thinned.brokenPoints().flatMap(({ at, last }) => (Number.isNaN(last) ? [at] : []));
  expect([silent[0], silent.indexOf(400), silent.at(-1)]).toEqual([60, 34, 1_000]);
  expect(silent).toHaveLength(35 + 49);
  expect(thinned.points().every(({ last }) => Number.isFinite(last))).toBe(true);
});
