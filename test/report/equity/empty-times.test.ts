import { describe, expect, test } from 'vitest';
import { partlyHeadlines } from '#report/equity/empty-headlines.ts';
import { afterTraded, emptyTimes, partlyQuoted, tradedMs } from '#report/equity/empty-times.ts';
import { metricIn } from '#report/figures.ts';
import { makeReport, type RunReport } from '#report/report.ts';
import { DAY, type FillParts, type LaneParts, laneColumns, MONDAY, recordOf } from '../../support/report-data.ts';

const HOUR = 3_600_000;
/** A lane with a quote at each of these days, counted from the begin. */
const lane = (days: readonly number[], parts: LaneParts = {}, price = (_: number) => 100) =>
  laneColumns(
    days.map((day) => ({ at: MONDAY + day * DAY, buy: price(day) })),
    parts,
  );
const span = (from: number, to: number) => ({ from: MONDAY + from * DAY, to: MONDAY + to * DAY });
/** A quote each six hours from one day to before another. */
const each6h = (from: number, to: number): readonly number[] => Array.from({ length: (to - from) * 4 }, (_, n) => from + n / 4);

describe('times without a quote that are longer than markets close for', () => {
  const whole = span(0, 400);

  test('a week is none, more than that is one, at the ends of a run too', () => {
    expect(emptyTimes([lane([...each6h(0, 5), ...each6h(11.75, 20)])], span(0, 20))).toEqual([]);
    const later = [...each6h(0, 5), ...each6h(11.75 + 0.01, 20)];
    expect(emptyTimes([lane(later)], span(0, 20))).toEqual([span(4.75, 11.76)]);
    expect(emptyTimes([lane(each6h(100, 105))], whole)).toEqual([span(0, 100), span(104.75, 400)]);
    expect(emptyTimes([lane(each6h(100, 105))], span(101, 104))).toEqual([]);
    expect(emptyTimes([], whole)).toEqual([]);
  });

  test('what any lane quotes is not empty, whatever the order of quotes', () => {
    const first = lane([...each6h(0, 5), ...each6h(30, 31)]);
    const other = lane([...each6h(12, 20), ...each6h(4, 6)], { product: 'ethusd' });
    expect(emptyTimes([first, other], span(0, 31))).toEqual([span(19.75, 30)]);
  });

  test('weekends, and prices of each month, are not empty; bars reach back to their begin', () => {
    const weeks = Array.from({ length: 8 }, (_, week) => each6h(7 * week, 7 * week + 5)).flat();
    expect(emptyTimes([lane(weeks)], span(0, 54))).toEqual([]);
    expect(emptyTimes([lane([0, 30, 61, 91])], span(0, 91))).toEqual([]);
    const daily = { ...lane([1, 2, 3, 4, 40, 41, 42]), barMs: DAY };
    expect(emptyTimes([daily], span(0, 42))).toEqual([span(4, 39)]);
  });

  test('traded time passes over them', () => {
    const empty = [span(5, 20), span(30, 40)];
    expect(tradedMs(span(0, 50), empty)).toBe(25 * DAY);
    expect(tradedMs(span(10, 35), empty)).toBe(10 * DAY);
    expect(afterTraded(4 * DAY, MONDAY, empty)).toBe(MONDAY + 4 * DAY);
    expect(afterTraded(6 * DAY, MONDAY, empty)).toBe(MONDAY + 21 * DAY);
    expect(afterTraded(16 * DAY, MONDAY, empty)).toBe(MONDAY + 41 * DAY);
    expect(afterTraded(DAY, MONDAY + 10 * DAY, empty)).toBe(MONDAY + 21 * DAY);
  });

  test('products that begin long after or end long before a run are named', () => {
    const lanes = [lane(each6h(0, 30)), lane(each6h(0, 20), { product: 'ethusd' }), lane(each6h(9, 30), { product: 'solusd' })];
    const named = partlyQuoted(lanes, ['btcusd', 'ethusd', 'solusd'], span(0, 30));
    expect(named).toEqual([
      { product: 'ethusd', ...span(0, 19.75) },
      { product: 'solusd', ...span(9, 29.75) },
    ]);
  });

  test('so are those that end earlier than they were ever silent, however short the run is', () => {
    const lanes = [lane(each6h(0, 3)), lane(each6h(0, 2), { product: 'ethusd' }), lane([0, 0.25, 1.5, 2], { product: 'solusd' })];
    const named = partlyQuoted(lanes, ['btcusd', 'ethusd', 'solusd', 'eurusd'], span(0, 2.75));
    expect(named).toEqual([{ product: 'ethusd', ...span(0, 1.75) }]);
    // What its first quote came behind the run's begin by is nothing to tell.
    const [told] = partlyHeadlines(named, { from: MONDAY - 211, to: MONDAY + 2.75 * DAY });
    expect(told?.text).toMatch(/18:00:00.000Z: what is held of it keeps its last price for the last 1 d/);
  });
});

/** Forty-one days of a price that swings, bought on the third day and sold on the tenth, and what follows after a hole of so many days. */
function reported(hole: number, everyQuote = false): RunReport {
  const days = [...each6h(0, 15), ...each6h(15 + hole, 41 + hole)];
  const price = (day: number): number => 100 + Math.sin(day < 15 ? day : day - hole);
  const at = (day: number): number => MONDAY + day * DAY;
  const fills: FillParts[] = [
    { at: at(2), side: 'buy', price: price(2), row: 8 },
    { at: at(9), side: 'sell', price: price(9), row: 36 },
  ];
  const flows = [{ at: MONDAY, kind: 'opening' as const, amount: 1000 }];
  const record = recordOf({ from: MONDAY, to: at(41 + hole), flows, fills });
  return makeReport(record, [lane(days, {}, price)], { everyQuote });
}

const figures = (report: RunReport, ...ids: readonly string[]) => ids.map((id) => metricIn(report.sections, id));

describe('a hole in the data is no time that was traded', () => {
  test('days, yearly figures, share of time, luck and months are those of the quotes, and the head names it', () => {
    const [none, with300] = [reported(0), reported(300)];
    expect(figures(none, 'wholeDays')).toEqual([41]);
    // The day in which it begins is cut short.
    expect(figures(with300, 'wholeDays')).toEqual([40]);
    expect(figures(with300, 'days')).toEqual([40.75]);
    expect(figures(with300, 'exposure')).toEqual([7 / 40.75]);
    const [sharpe, other] = [...figures(none, 'sharpe'), ...figures(with300, 'sharpe')];
    expect(Math.abs(Number(other) / Number(sharpe) - 1)).toBeLessThan(0.02);
    expect(with300.months.map(({ month, days }) => [month, days])).toEqual([
      ['2026-01', 15],
      ['2026-11', 15],
      ['2026-12', 11],
    ]);
    expect(with300.summary).toMatch(/over 41 days/);
    const heads = ({ headlines }: RunReport) => headlines.filter(({ code }) => code === 'EMPTY_TIME').map(({ text }) => text);
    expect(heads(none)).toEqual([]);
    expect(heads(with300)).toEqual([expect.stringContaining('from 2026-01-19T18:00:00.000Z to 2026-11-16T00:00:00.000Z (300 whole days)')]);
  });

  test('quote by quote it is the same', () => {
    const [one, other] = [reported(300), reported(300, true)];
    expect(other.equity).toEqual(one.equity);
    expect(other.sections).toEqual(one.sections);
  });

  test('holding begins and ends with the quotes of each product, and says so', () => {
    const lanes = [lane(each6h(0, 20), {}, (day) => 100 + day), lane(each6h(320, 330), { product: 'ethusd' }, (day) => day)];
    const fills: FillParts[] = [
      { at: MONDAY + DAY, side: 'buy', price: 101, row: 4 },
      { at: MONDAY + 2 * DAY, side: 'sell', price: 102, row: 8 },
      { at: MONDAY + 321 * DAY, side: 'buy', price: 321, row: 4, product: 'ethusd' },
      { at: MONDAY + 322 * DAY, side: 'sell', price: 322, row: 8, product: 'ethusd' },
    ];
    const flows = [{ at: MONDAY, kind: 'opening' as const, amount: 1000 }];
    const report = makeReport(recordOf({ from: MONDAY, to: MONDAY + 330 * DAY - 6 * HOUR, flows, fills }), lanes);
    // One of each: from 100 to 119.75, and from 320 to 329.75.
    expect(figures(report, 'holdSizeReturn')).toEqual([expect.closeTo((19.75 + 9.75) / 1000, 12)]);
    if (typeof report.heldAtSize === 'string') throw new Error(report.heldAtSize);
    expect(report.heldAtSize.from).toBe(MONDAY);
    expect(report.headlines.filter(({ code }) => code === 'PARTLY_QUOTED').map(({ text }) => text)).toEqual([
      expect.stringMatching(/^btcusd has quotes only from 2026-01-05.* to 2026-01-24.*keeps its last price for the last 310 d/),
      expect.stringMatching(/^ethusd has quotes only from .*holding it begins 320 d/),
    ]);
    const { coinFlips } = report;
    if (typeof coinFlips === 'string') throw new Error(coinFlips);
    // A coin that is flipped where prices move wins or loses by them.
    expect(new Set(coinFlips.profits).size).toBeGreaterThan(20);
  });

  test('an order by hand of another product does not move when holding begins', () => {
    // Twelve hours of btcusd that rises from 100 to 112; ethusd is quoted from its only order on, at the tenth hour.
    const hours = (from: number): readonly number[] => Array.from({ length: 13 - from }, (_, n) => (from + n) / 24);
    const btc = lane(hours(0), {}, (day) => 100 + day * 24);
    const eth = lane(hours(10), { product: 'ethusd' }, (day) => 10 + day * 24);
    const fills: FillParts[] = [
      { at: MONDAY + HOUR, side: 'buy', price: 101, row: 1 },
      { at: MONDAY + 2 * HOUR, side: 'sell', price: 102, row: 2 },
      { at: MONDAY + 10 * HOUR, side: 'buy', price: 20, row: 0, product: 'ethusd' },
    ];
    const flows = [{ at: MONDAY, kind: 'opening' as const, amount: 1000 }];
    const report = makeReport(recordOf({ from: MONDAY, to: MONDAY + 12 * HOUR, flows, fills }), [btc, eth]);
    // Half of the capital makes 12 % on btcusd from its first quote on, the other half 10 % on ethusd from its own.
    expect(figures(report, 'holdReturn')).toEqual([expect.closeTo((0.12 + 2 / 20) / 2, 12)]);
    expect(figures(report, 'holdSizeReturn')).toEqual([expect.closeTo((12 + 2) / 1000, 12)]);
    for (const held of [report.buyAndHold, report.heldAtSize]) expect(held).toMatchObject({ from: MONDAY });
  });
});
