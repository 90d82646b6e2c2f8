import { describe, expect, test } from 'vitest';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { metricIn } from '#report/figures.ts';
import { tiles } from '#report/page/figure-cards.ts';
import { reportPage } from '#report/page/page.ts';
import { makeReport } from '#report/report.ts';
import { reportText } from '#report/text.ts';
import { runEquity } from '#report/valued.ts';
import { DAY, type FillParts, type Flow, laneColumns, MONDAY, type RecordParts, recordOf } from '../support/report-data.ts';

const HOUR = 3_600_000;
const at = (hour: number): number => MONDAY + hour * HOUR;
/** One unit of eth costs 20,000 sek throughout; the krona falls from 0.1 to 0.09 usd. */
const eth = laneColumns(
  [0, 1, 2, 3].map((hour) => ({ at: at(hour), buy: 20_000, sell: hour === 2 ? 19_900 : 20_000 })),
  { product: 'ethsek', size: 1 },
);
const sek = laneColumns(
  [0.1, 0.1, 0.09, 0.09].map((buy, hour) => ({ at: at(hour), buy })),
  { product: 'sekusd', size: 1_000_000 },
);
const BUDGET: Flow = { at: at(0), kind: 'opening', amount: 1_000_000, currency: 'sek' };
const TRIP: readonly FillParts[] = [
  { at: at(1), side: 'buy', price: 20_000, fee: 20, product: 'ethsek', row: 1 },
  { at: at(2), side: 'sell', price: 19_900, fee: 20, product: 'ethsek', row: 2 },
];

const reported = (fills: readonly FillParts[], flows: readonly Flow[] = [BUDGET]) =>
  makeReport(recordOf({ from: at(0), to: at(0) + DAY, flows, fills }), [eth, sek]);

describe('a budget in another currency than the account', () => {
  test('the headline is what trading made; what the rate made of the budget stands beside it, in terminal, JSON and HTML', () => {
    const report = reported(TRIP);
    const of = (id: string) => metricIn(report.sections, id);
    // 100 sek of the price and 40 of fees were lost; 1,000,000 sek are worth 10,000 usd less.
    expect(of('netProfit')).toBeCloseTo(-140 * 0.09, 9);
    expect(of('revaluation')).toBeCloseTo(-10_000, 6);
    expect(of('capital')).toBeCloseTo(100_000, 6);
    expect(of('finalEquity')).toBeCloseTo(100_000 - 10_000 - 140 * 0.09, 6);
    // As the table of profit has it: 140 of the 1,000,000 sek, whatever a krona is worth.
    expect(of('totalReturn')).toBeCloseTo(-140 / 1_000_000, 12);
    expect(of('maxDrawdownMoney')).toBeCloseTo(140 * 0.09, 9);
    const line = report.headlines.find(({ code }) => code === 'REVALUATION');
    expect(line?.text).toBe('held currencies were revalued by \u221210,000.00 usd: not a result of trading, and in none of its figures');
    const text = reportText(report)
      .flatMap((block) => (block.kind === 'lines' ? block.lines : []))
      .join('\n');
    expect(text).toMatch(/net profit +\u221212\.60 usd/);
    expect(text).toMatch(/revaluation of held currencies +\u221210,000\.00 usd/);
    expect(tiles(report)).toContain('revaluation');
    // 140 of 1,000,000 sek, of 100,000 usd: the chart is of shares, the money beside it is at the rates of the end.
    expect(reportPage(report)).toContain(
      '<figcaption>growth of the initial capital, usd: times 1 + total return so far (time-weighted). It ends at 99,986.00\u00a0usd; initial capital and net profit come to 99,987.40\u00a0usd, and the value at the end, with deposits, withdrawals and revaluation, is 89,987.40\u00a0usd</figcaption>',
    );
  });

  test('returns and equity drawdown are those of its own currency, also after a deposit, whatever rates do', () => {
    const deposit: Flow = { at: at(2) + 1, kind: 'deposit', amount: 500_000, currency: 'sek' };
    const more: FillParts = { at: at(3), side: 'buy', price: 20_000, fee: 20, product: 'ethsek', row: 3 };
    const made = (report: ReturnType<typeof reported>) => {
      const of = (id: string) => Number(metricIn(report.sections, id));
      return ['totalReturn', 'maxDrawdown', 'holdSizeReturn'].map(of);
    };
    const record = recordOf({ from: at(0), to: at(0) + DAY, flows: [BUDGET, deposit], fills: [...TRIP, more] });
    const own = made(makeReport({ ...record, currency: 'sek' }, [eth, sek]));
    const other = made(makeReport(record, [eth, sek]));
    for (const [n, figure] of own.entries()) expect(other[n]).toBeCloseTo(figure, 12);
    // What is bought last costs its fee, and counts on the capital of both.
    expect(own[0]).toBeCloseTo((1 - 140 / 1_000_000) * (1 - 20 / (1_500_000 - 140)) - 1, 12);
  });

  test('that nobody touches makes no profit, no loss and no drawdown', () => {
    const report = reported([]);
    const of = (id: string) => metricIn(report.sections, id);
    expect([of('netProfit'), of('totalReturn'), of('maxDrawdown'), of('maxDrawdownMoney')]).toEqual([0, 0, 0, 0]);
    expect(of('revaluation')).toBeCloseTo(-10_000, 6);
  });

  test('a deposit in it counts at the rate of its day, and is revalued from then on', () => {
    const deposit: Flow = { at: at(1) + 1, kind: 'deposit', amount: 500_000, currency: 'sek' };
    const of = (id: string) => metricIn(reported(TRIP, [BUDGET, deposit]).sections, id);
    expect(of('flows')).toBeCloseTo(50_000, 6);
    expect(of('revaluation')).toBeCloseTo(-15_000, 6);
    expect(of('netProfit')).toBeCloseTo(-140 * 0.09, 6);
  });

  test('what an earlier run earned in it is capital of this one', () => {
    const earlier = recordOf({
      from: at(-2),
      to: at(0),
      flows: [{ ...BUDGET, at: at(-2) }],
      fills: TRIP.map((fill) => ({ ...fill, at: at(-1) })),
    });
    const record = {
      ...recordOf({ from: at(0), to: at(0) + DAY, flows: [], fills: [] }),
      earlier: { fills: earlier.fills, ledger: earlier.ledger },
    };
    const report = makeReport(record, [eth, sek]);
    expect(metricIn(report.sections, 'netProfit')).toBe(0);
    expect(metricIn(report.sections, 'revaluation')).toBeCloseTo(-999_860 * 0.01, 6);
  });

  test('in the currency of the account there is nothing to revalue, and nothing is said of it', () => {
    const usd = laneColumns([
      { at: at(0), buy: 100 },
      { at: at(1), buy: 110 },
    ]);
    const flows: Flow[] = [{ at: at(0), kind: 'opening', amount: 1000 }];
    const report = makeReport(recordOf({ from: at(0), to: at(0) + DAY, flows, fills: [{ at: at(0), side: 'buy', price: 100 }] }), [usd]);
    expect(metricIn(report.sections, 'revaluation')).toBe(0);
    expect(report.headlines.some(({ code }) => code === 'REVALUATION')).toBe(false);
    expect(tiles(report)).not.toContain('revaluation');
    expect(reportPage(report)).toContain(
      '<figcaption>growth of the initial capital, usd: times 1 + total return so far (time-weighted)</figcaption>',
    );
  });
});

test('buying and holding as much as the largest position is measured on the capital of the run, whatever share of it is in a currency', () => {
  const btc = laneColumns(
    [5000, 5000, 4000, 4000].map((buy, hour) => ({ at: at(hour), buy })),
    { product: 'btcusd', size: 1 },
  );
  const flows: readonly Flow[] = [BUDGET, { at: at(0), kind: 'opening', amount: 20_000, currency: 'usd' }];
  const fills: readonly FillParts[] = [
    { at: at(0), side: 'buy', price: 20_000, product: 'ethsek', row: 0 },
    { at: at(0), side: 'buy', price: 5000, product: 'btcusd', row: 0 },
  ];
  const held = (columns: readonly QuoteColumns[], more: Partial<RecordParts> = {}) => {
    const report = makeReport(recordOf({ from: at(0), to: at(2) + 1, flows, fills, ...more }), columns);
    if (typeof report.heldAtSize === 'string') throw new Error(report.heldAtSize);
    const of = (id: string) => Number(metricIn(report.sections, id));
    return { ...report.heldAtSize, shown: of('holdSizeReturn'), run: of('totalReturn'), all: of('holdReturn') };
  };
  // 100 sek and 1,000 usd were lost, of 1,000,000 sek and 20,000 usd: all at the rate of the end, as the run, which held the same.
  const both = held([eth, btc, sek]);
  expect([both.capital, both.netProfit]).toEqual([expect.closeTo(120_000, 9), expect.closeTo(-1009, 9)]);
  expect(both.shown).toBeCloseTo(-1009 / 110_000, 12);
  expect(both.shown).toBeCloseTo(both.run, 12);
  // All capital is bought in equal shares: 600,000 sek and 60,000 usd.
  expect(both.all).toBeCloseTo((600_000 * 0.09 * (-100 / 20_000) + 60_000 * -0.2) / (600_000 * 0.09 + 60_000), 12);
  // One product with all of the capital in its currency, in whatever currency the account is.
  const one = { flows: [BUDGET], fills: fills.slice(0, 1) };
  for (const currency of ['usd', 'sek']) expect(held([eth, sek], { ...one, currency }).shown).toBeCloseTo(-100 / 1_000_000, 12);
});

describe('round trips in another currency than the account', () => {
  /** A krona costs a tenth more than it brings, and both fall by a tenth after the first trip. */
  const spread = laneColumns(
    [0.1, 0.1, 0.09, 0.09].map((sell, hour) => ({ at: at(hour), buy: 1.1 * sell, sell })),
    { product: 'sekusd', size: 1_000_000 },
  );
  const trip = (hour: number, price: number): readonly FillParts[] => [
    { at: at(hour) - 1, side: 'buy', price: 20_000, fee: 20, product: 'ethsek', row: hour - 1 },
    { at: at(hour), side: 'sell', price, fee: 20, product: 'ethsek', row: hour },
  ];
  const told = (fills: readonly FillParts[], currency = 'usd') => {
    const report = makeReport({ ...recordOf({ from: at(0), to: at(0) + DAY, flows: [BUDGET], fills }), currency }, [eth, spread]);
    const of = (id: string) => Number(metricIn(report.sections, id));
    const notes = report.headlines.filter(({ text }) => text.startsWith('round trips are valued'));
    return { of, notes: notes.map(({ text }) => text), report };
  };

  test('are worth what they were at their closes, and a note says what the rates of the end make of them', () => {
    // 960 sek were won: they were sold for 96 usd, and would bring 86.40 now.
    const won = told(trip(1, 21_000));
    expect([won.of('tradeProfit'), won.of('netProfit')]).toEqual([expect.closeTo(96, 9), expect.closeTo(86.4, 9)]);
    expect(won.notes).toEqual([
      'round trips are valued at the rates of their closes; at those of the end, which the net profit has, they come to 9.60 usd less',
    ]);
    // 1,040 sek were lost: to buy them took 114.40 usd, and would take 102.96 now.
    const lost = told(trip(1, 19_000));
    expect([lost.of('tradeProfit'), lost.of('netProfit')]).toEqual([expect.closeTo(-114.4, 9), expect.closeTo(-102.96, 9)]);
    expect(lost.notes).toEqual([
      'round trips are valued at the rates of their closes; at those of the end, which the net profit has, they come to 11.44 usd more',
    ]);
    expect(reportText(lost.report).flatMap((block) => (block.kind === 'lines' ? block.lines : []))).toContain(`  ${lost.notes[0]}`);
  });

  test('with the note and what is open come to the net profit', () => {
    const { of, notes, report } = told([...trip(1, 19_000), { at: at(3), side: 'buy', price: 20_000, fee: 20, product: 'ethsek', row: 3 }]);
    expect(report.open.map(({ unrealised }) => unrealised)).toEqual([-20]);
    expect(notes).toHaveLength(1);
    expect(of('netProfit')).toBeCloseTo(of('tradeProfit') + 11.44 - 20 * 0.09 * 1.1, 9);
  });

  test('are told without a note where no rate has moved since, or none is needed', () => {
    expect(told(trip(2, 21_000)).notes).toEqual([]);
    expect(told(trip(1, 21_000), 'sek').notes).toEqual([]);
  });
});

describe('what is traded before the first quote that gives a rate', () => {
  const late = laneColumns(
    [
      { at: at(1) + 130, buy: 0.1 },
      { at: at(3), buy: 0.09 },
    ],
    { product: 'sekusd', size: 1_000_000 },
  );
  const usd: FillParts = { at: at(1), side: 'buy', price: 100, fee: 1, product: 'btcusd', row: 0 };
  const btc = laneColumns([{ at: at(1), buy: 100 }]);
  const record = recordOf({ from: at(0), to: at(0) + DAY, flows: [BUDGET], fills: [...TRIP, usd].toSorted((a, b) => a.at - b.at) });

  test('counts: net profit is what was made in each currency at the rates of the end, and so are return and days', () => {
    const report = makeReport(record, [eth, late, btc]);
    const of = (id: string) => metricIn(report.sections, id);
    expect(of('netProfit')).toBeCloseTo(-140 * 0.09 - 1, 9);
    expect(of('revaluation')).toBeCloseTo(-10_000, 6);
    expect(of('finalEquity')).toBeCloseTo(90_000 - 140 * 0.09 - 1, 6);
    // Both at the rates of the end, as budgets are.
    expect(of('totalReturn')).toBeCloseTo((-140 * 0.09 - 1) / 90_000, 12);
    expect(typeof report.equity === 'string' ? report.equity : report.equity.from).toBe(at(0));
    const notes = report.headlines.filter(({ text }) => text.includes('counts at the first rate'));
    expect(notes.map(({ text }) => text)).toEqual([
      'no quote led from sek to usd before 2026-01-05T01:00:00.130Z: what was traded until then counts at the first rate there was',
    ]);
  });

  test('a round trip that ended before it has its money in the currency of the report', () => {
    const after = laneColumns([{ at: at(3), buy: 0.09 }], { product: 'sekusd', size: 1_000_000 });
    const report = makeReport(recordOf({ from: at(0), to: at(0) + DAY, flows: [BUDGET], fills: TRIP }), [eth, after]);
    expect(report.trades.map(({ currency, profit }) => [currency, profit])).toEqual([['usd', expect.closeTo(-140 * 0.09, 9)]]);
    expect(metricIn(report.sections, 'feeCost')).toBeCloseTo(40 * 0.09, 9);
  });

  test('nothing is said where nothing was traded before it', () => {
    const report = makeReport(recordOf({ from: at(0), to: at(0) + DAY, flows: [BUDGET], fills: TRIP }), [
      eth,
      laneColumns([{ at: at(1), buy: 0.1 }], { product: 'sekusd', size: 1_000_000 }),
    ]);
    expect(report.headlines.filter(({ text }) => text.includes('first rate'))).toEqual([]);
  });

  test('a fill before the first quote of what an earlier run left open counts in this run', () => {
    const earlier = recordOf({
      from: at(-2),
      to: at(0),
      flows: [{ at: at(-2), kind: 'opening', amount: 1000 }],
      fills: [{ at: at(-1), side: 'buy', price: 100 }],
    });
    const own = recordOf({
      from: at(0),
      to: at(3),
      flows: [],
      fills: [{ at: at(0), side: 'buy', price: 20, fee: 2, product: 'ltcusd' }],
    });
    const report = makeReport({ ...own, earlier: { fills: earlier.fills, ledger: earlier.ledger } }, [
      laneColumns([{ at: at(1), buy: 110 }]),
      laneColumns([{ at: at(0), buy: 20 }], { product: 'ltcusd' }),
    ]);
    expect(metricIn(report.sections, 'netProfit')).toBe(-2);
  });
});

test('the account has the capital of a strategy that never traded, the result of a run has not', () => {
  const one = recordOf({ from: at(0), to: at(3), flows: [BUDGET], fills: TRIP });
  const idle = { ...BUDGET, product: null, book: 'idle', currency: 'sek', amount: '500000' };
  const record = { ...one, ledger: [...one.ledger, idle].sort((a, b) => a.at - b.at) };
  const firstOf = (ofAccount: boolean): number => {
    const equity = runEquity(record, [eth, sek], { currency: 'usd', ofAccount });
    return typeof equity === 'string' ? Number.NaN : equity.capital;
  };
  expect([firstOf(false), firstOf(true)]).toEqual([100_000, 150_000]);
});
