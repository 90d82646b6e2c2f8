import { expect, test } from 'vitest';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { makeReport, type RunReport } from '#report/report.ts';
import { fc } from '../../support/property.ts';
import { DAY, type FillParts, laneColumns, MONDAY, recordOf } from '../../support/report-data.ts';

const STEP = DAY / 4;
const CAPITAL = 1_000;
/** Steps until the hole begins at the latest of both lanes, of the whole run, and of the run until noon of its last day. */
const [BEFORE, HOLE, AFTER] = [20, 80, 26];
const END = MONDAY + (BEFORE + HOLE + AFTER) * STEP;

/** A lane that is silent from one step to another, and its prices. */
interface Silent {
  readonly from: number;
  readonly to: number;
  readonly prices: readonly number[];
}

interface Drawn {
  readonly isBars: boolean;
  readonly lanes: readonly Silent[];
}

const silent = fc.record({
  // Midnight is each fourth step.
  from: fc.integer({ min: BEFORE - 6, max: BEFORE }),
  to: fc.integer({ min: BEFORE + HOLE, max: BEFORE + HOLE + 10 }),
  prices: fc.array(fc.integer({ min: 80, max: 120 }), { minLength: 140, maxLength: 140 }),
});
const drawn: fc.Arbitrary<Drawn> = fc.record({ isBars: fc.boolean(), lanes: fc.array(silent, { minLength: 1, maxLength: 2 }) });

/** A quote at each step, a bar at the end of each. */
function columnsOf({ isBars, lanes }: Drawn): readonly QuoteColumns[] {
  return lanes.map(({ from, to, prices }, n) => {
    const steps = prices.flatMap((buy, step) => {
      const at = MONDAY + (step + (isBars ? 1 : 0)) * STEP;
      return (step > from && step < to) || at > END ? [] : { at, buy };
    });
    return { ...laneColumns(steps, { product: n === 0 ? 'btcusd' : 'ethusd' }), barMs: isBars ? STEP : 0 };
  });
}

function reported(columns: readonly QuoteColumns[], everyQuote: boolean): RunReport {
  const first = columns[0]?.at[0] ?? MONDAY;
  const fills = columns.map(({ product, buy }): FillParts => ({ at: first, side: 'buy', price: buy.price[0] ?? 0, row: 0, product }));
  const flows = [{ at: MONDAY, kind: 'opening' as const, amount: CAPITAL }];
  return makeReport(recordOf({ from: MONDAY, to: END, flows, fills }), columns, { everyQuote });
}

interface Day {
  readonly at: number;
  readonly growth: number;
  readonly whole: boolean;
  readonly hole: boolean;
}

/** One unit of each lane from the first quote on: growth day by day by a walk of its own, from each quote to the next. */
function walked(columns: readonly QuoteColumns[], { isBars }: Drawn, [from, to]: readonly [number, number]): readonly Day[] {
  const isBack = (at: number, before: number): boolean => at >= to && before <= from && before > 0;
  // Of bars that end together those after the hole come first: what the others tell is of the day.
  const quotes = columns
    .flatMap(({ at, buy }, lane) =>
      [...at].map((time, row) => ({
        at: time,
        lane,
        price: buy.price[row] ?? 0,
        later: isBars && !isBack(time, at[row - 1] ?? 0) ? 1 : 0,
      })),
    )
    .sort((a, b) => a.at - b.at || a.later - b.later);
  const ends = [from, to, END, ...Array.from({ length: 60 }, (_, n) => MONDAY + (n + 1) * DAY)].sort((a, b) => a - b);
  const spans = [...new Set(ends)].filter((end) => end <= END && (end <= from || end >= to));
  const growth = new Map<number, number>();
  const last = new Map<number, { at: number; price: number }>();
  const firsts = columns.map(({ buy }) => buy.price[0] ?? 0);
  const worth = (): number => firsts.reduce((sum, first, lane) => sum + (last.get(lane)?.price ?? first) - first, CAPITAL);
  for (const { at, lane, price } of quotes) {
    const before = worth();
    const seen = last.get(lane)?.at ?? 0;
    last.set(lane, { at, price });
    // A bar is of the time that it ends, a quote of the one that it begins.
    const own = spans.find((end) => (isBars ? at <= end : at < end || end === END)) ?? END;
    const isOver = isBack(at, seen);
    // A quote of the last instant, as at midnight, has no time of its day.
    const end = isOver || (at === from && own > from && at % DAY === 0) ? to : at === from ? from : own;
    growth.set(end, ((growth.get(end) ?? 1) * worth()) / before);
  }
  let begun = MONDAY;
  return spans.map((at) => {
    const hole = at === to;
    const whole = !hole && at - begun === DAY && begun % DAY === 0;
    begun = at;
    return { at, growth: growth.get(at) ?? 1, whole, hole };
  });
}

test('a day beside a hole in the data has the return of its own quotes, and the jump over the hole is in no day and no month', () => {
  const property = fc.property(drawn, (of) => {
    const columns = columnsOf(of);
    const report = reported(columns, false);
    const { equity, months } = report;
    if (typeof equity === 'string') throw new Error(equity);
    const [hole] = equity.empty;
    if (hole === undefined) throw new Error('no hole');
    const expected = walked(columns, of, [hole.from, hole.to]);
    expect(equity.days.map(({ at, whole, hole: is = false }) => ({ at, whole, hole: is }))).toEqual(
      expected.map(({ at, whole, hole: is }) => ({ at, whole, hole: is })),
    );
    for (const [n, { growth }] of expected.entries()) expect(equity.days[n]?.return).toBeCloseTo(growth - 1, 10);
    const all = equity.days.reduce((product, day) => product * (1 + day.return), 1);
    expect(all - 1).toBeCloseTo(equity.totalReturn, 10);
    const monthly = months.reduce((product, month) => product * (1 + month.return), 1);
    expect(monthly).toBeCloseTo(
      expected.reduce((product, day) => product * (day.hole ? 1 : day.growth), 1),
      10,
    );
    expect(reported(columns, true).equity).toEqual(equity);
  });
  fc.assert(property, { numRuns: 80 });
});
