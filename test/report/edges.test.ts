import { describe, expect, test } from 'vitest';
import { seeded } from '#domain/seeded.ts';
import type { Equity } from '#report/equity/equity-value.ts';
import { metricIn } from '#report/figures.ts';
import { reportJson } from '#report/json.ts';
import { reportPage } from '#report/page/page.ts';
import { makeReport, type RunReport } from '#report/report.ts';
import { reportText } from '#report/text.ts';
import { DAY, type FillParts, type Flow, laneColumns, MONDAY, type QuotePoint, recordOf } from '../support/report-data.ts';

const HOUR = 3_600_000;
const OPENING: Flow = { at: MONDAY, kind: 'opening', amount: 1000 };

/** One quote an hour at prices in turn. */
const hourly = (prices: readonly number[]): QuotePoint[] => prices.map((buy, n) => ({ at: MONDAY + n * HOUR, buy }));

interface Case {
  readonly quotes: readonly QuotePoint[];
  readonly fills?: readonly FillParts[];
  readonly flows?: readonly Flow[];
  readonly days?: number;
  readonly fee?: number;
}

function reported({ quotes, fills = [], flows = [OPENING], days = 1, fee = 0 }: Case): RunReport {
  const columns = quotes.length === 0 ? [] : [laneColumns(quotes, { feePercentage: fee })];
  return makeReport(recordOf({ from: MONDAY, to: MONDAY + days * DAY, flows, fills }), columns);
}

const equityIn = ({ equity }: RunReport): Equity => {
  if (typeof equity === 'string') throw new Error(equity);
  return equity;
};

const of = (report: RunReport, id: string) => metricIn(report.sections, id);
const trade = (hour: number, side: 'buy' | 'sell', price: number): FillParts => ({ at: MONDAY + hour * HOUR, side, price, row: hour });

describe('edge series: figures that are right, or say why they are not there', () => {
  test('one day: a return and a drawdown, no Sharpe ratio and no year', () => {
    const report = reported({ quotes: hourly([100, 110, 105]), fills: [trade(0, 'buy', 100)] });
    expect(of(report, 'totalReturn')).toBeCloseTo(0.005, 12);
    expect(of(report, 'maxDrawdown')).toBeCloseTo(5 / 1010, 12);
    expect(of(report, 'sharpe')).toEqual({ why: 'needs 30 whole days (UTC), there is 1' });
    expect(of(report, 'cagr')).toEqual({ why: 'needs 30 days, there are 1.00' });
    expect(report.verdict.text).toBe('too short to tell skill from luck: 1 whole day, 30 are needed');
  });

  test('a lane that begins later, as a manual order lends one, does not hide the fee of the others', () => {
    const own = laneColumns(hourly([100, 110, 105]), { feePercentage: 1 });
    const lent = laneColumns([{ at: MONDAY + 2 * HOUR, buy: 105 }], { size: 0.5, feePercentage: 1 });
    const record = recordOf({ from: MONDAY, to: MONDAY + DAY, flows: [OPENING], fills: [trade(0, 'buy', 100)] });
    const hold = of(makeReport(record, [own, lent]), 'holdReturn');
    expect(hold).toBeCloseTo(105 / 101 - 1, 2);
    expect(hold).toBe(of(makeReport(record, [own]), 'holdReturn'));
  });

  test('no trade: the result is 0, and what is made of trades is n/a', () => {
    const report = reported({ quotes: hourly([100, 110, 105]), days: 3 });
    expect(of(report, 'totalReturn')).toBe(0);
    expect(of(report, 'exposure')).toBe(0);
    expect(of(report, 'trades')).toBe(0);
    for (const id of ['winRate', 'profitFactor', 'expectancy', 'best']) expect(of(report, id)).toEqual({ why: 'there was no round trip' });
    expect(of(report, 'sharpe')).toEqual({ why: 'needs 30 whole days (UTC), there are 3' });
    expect(of(report, 'holdReturn')).toEqual({ why: 'nothing was traded' });
    expect(report.headlines[0]?.text).toBe('PAPER  nothing was executed');
  });

  test('all wins: no profit factor, because nothing was lost', () => {
    const fills = [trade(0, 'buy', 100), trade(1, 'sell', 110), trade(2, 'buy', 105), trade(3, 'sell', 106)];
    const report = reported({ quotes: hourly([100, 110, 105, 106]), fills });
    expect(of(report, 'netProfit')).toBeCloseTo(11, 9);
    expect(of(report, 'winRate')).toBe(1);
    expect(of(report, 'winStreak')).toBe(2);
    for (const id of ['profitFactor', 'averageLoss', 'payoff']) expect(of(report, id)).toEqual({ why: 'no trade lost' });
    expect(of(report, 'maxDrawdown')).toBe(0);
    expect(of(report, 'calmar')).toMatchObject({ why: expect.any(String) });
  });

  test('equal losses: no SQN, since they do not differ', () => {
    const fills = [0, 2, 4].flatMap((hour) => [trade(hour, 'buy', 100), trade(hour + 1, 'sell', 90)]);
    const report = reported({ quotes: hourly([100, 90, 100, 90, 100, 90]), fills });
    expect(of(report, 'sqn')).toEqual({ why: 'no two round trips differ' });
    expect(of(report, 'lossStreak')).toBe(3);
    expect(of(report, 'expectancy')).toBeCloseTo(-10, 12);
    expect(of(report, 'profitFactor')).toBe(0);
  });

  test('the first trade loses: the capital at first is a peak, so that its loss is a drawdown', () => {
    const report = reported({ quotes: hourly([100, 90]), fills: [trade(0, 'buy', 100), trade(1, 'sell', 90)] });
    expect(of(report, 'maxDrawdown')).toBeCloseTo(0.01, 12);
    expect(of(report, 'maxDrawdownMoney')).toBeCloseTo(10, 9);
    expect(of(report, 'drawdownRecovered')).toEqual({ why: 'it has not recovered' });
    expect(of(report, 'underWater')).toBe(DAY);
  });

  test('a deposit is no profit: returns are chained at it, at executable quotes', () => {
    const deposit: Flow = { at: MONDAY + 90 * 60_000, kind: 'deposit', amount: 9_900 };
    const report = reported({ quotes: hourly([100, 200, 100]), fills: [trade(0, 'buy', 100)], flows: [OPENING, deposit] });
    // 1000 became 1100; with the deposit 11,000 became 10,900.
    expect(of(report, 'totalReturn')).toBeCloseTo(1.1 * (10_900 / 11_000) - 1, 12);
    expect(of(report, 'netProfit')).toBeCloseTo(0, 9);
    expect(of(report, 'flows')).toBeCloseTo(9_900, 9);
    expect(of(report, 'finalEquity')).toBeCloseTo(10_900, 9);
    expect(of(report, 'maxDrawdown')).toBeCloseTo(100 / 11_000, 12);
  });

  test('openings of strategies, booked at the first quotes of their products, are the capital at first and no deposit', () => {
    const later: Flow = { at: MONDAY + HOUR, kind: 'opening', amount: 2000 };
    const report = reported({ quotes: hourly([100, 200, 100]), fills: [trade(0, 'buy', 100)], flows: [OPENING, later] });
    expect([of(report, 'capital'), of(report, 'flows')]).toEqual([3000, 0]);
    expect(of(report, 'maxDrawdown')).toBeCloseTo(100 / 3100, 12);
  });

  test('all capital withdrawn is no loss', () => {
    const flows: Flow[] = [OPENING, { at: MONDAY + 2 * HOUR, kind: 'withdrawal', amount: -1010 }];
    const report = reported({ quotes: hourly([100, 110, 110, 110]), fills: [trade(0, 'buy', 100), trade(1, 'sell', 110)], flows });
    expect(of(report, 'totalReturn')).toBeCloseTo(0.01, 12);
    expect(equityIn(report).ruinedAt).toBeNull();
  });

  test('equity to zero: everything is lost, it is said when, and nothing after it is made up', () => {
    const fills: FillParts[] = [{ at: MONDAY, side: 'buy', price: 100, size: 10, row: 0 }];
    const quotes = hourly([100, 50, 0, 40]);
    const report = makeReport(recordOf({ from: MONDAY, to: MONDAY + 40 * DAY, flows: [OPENING], fills }), [
      laneColumns(quotes, { size: 10 }),
    ]);
    expect(of(report, 'totalReturn')).toBe(-1);
    expect(of(report, 'maxDrawdown')).toBe(1);
    expect(of(report, 'cagr')).toEqual({ why: 'the capital was lost' });
    expect(report.headlines.map(({ text }) => text)).toContainEqual(expect.stringMatching(/capital was lost .*2026-01-05T02:00:00/));
    expect(equityIn(report).days).toHaveLength(1);
  });

  test('without a booked opening there is no return, however much was won', () => {
    const report = reported({ quotes: hourly([100, 110, 120]), fills: [trade(0, 'buy', 100), trade(1, 'sell', 110)], flows: [] });
    expect(of(report, 'totalReturn')).toEqual({ why: 'no opening balance is booked for what trades' });
    expect(of(report, 'tradeProfit')).toBeCloseTo(10, 12);
  });

  test('without recorded quotes trades are told, and what needs quotes says so', () => {
    const report = reported({ quotes: [], fills: [trade(0, 'buy', 100), trade(1, 'sell', 110)] });
    expect(of(report, 'tradeProfit')).toBeCloseTo(10, 12);
    expect(of(report, 'feeCost')).toBe(0);
    for (const id of ['totalReturn', 'sharpe', 'maxDrawdown', 'exactShare', 'quotes', 'coinP50']) {
      expect(of(report, id)).toEqual({ why: 'no quotes were recorded' });
    }
    expect(of(report, 'ageAtSendP50')).toEqual({ why: 'the quotes of the orders were not recorded' });
    expect(report.headlines[0]?.text).toBe('PAPER  share of exact fills n/a: no quotes were recorded');
  });

  test('a currency to which no quote leads: n/a and why, and another where all is in that one', () => {
    const record = {
      ...recordOf({ from: MONDAY, to: MONDAY + DAY, flows: [OPENING], fills: [trade(0, 'buy', 100), trade(1, 'sell', 110)] }),
      currency: 'sek',
    };
    const report = makeReport(record, [laneColumns(hourly([100, 110]))]);
    expect(report.currency).toBe('usd');
    expect(report.headlines.map(({ text }) => text)).toContain(
      "valued in usd: no recorded quote leads from there to sek, the account's currency: name a product that does in account.rates",
    );
    expect(of(report, 'netProfit')).toBeCloseTo(10, 9);
    const both = {
      ...record,
      ledger: [...record.ledger, { at: MONDAY, book: 'cross', product: null, kind: 'opening', currency: 'sek', amount: '5' } as const],
    };
    expect(of(makeReport(both, [laneColumns(hourly([100, 110]))]), 'netProfit')).toEqual({
      why: 'no recorded quote leads from usd to sek: name a product that does in account.rates',
    });
  });

  test('terminal and page say one duration alike, as a title and as the time that a round trip was held', () => {
    const [from, to] = [MONDAY, MONDAY + 12_514];
    const fills: FillParts[] = [
      { at: from, side: 'buy', price: 100 },
      { at: to, side: 'sell', price: 110 },
    ];
    const report = makeReport(recordOf({ from, to, flows: [OPENING], fills }), [laneColumns(hourly([100, 110]))]);
    const text = reportText(report).flatMap((block) => (block.kind === 'lines' ? block.lines : block.rows.map((row) => row.join(' '))));
    expect(text.join('\n')).toMatch(/^run .* \(13 s\), /m);
    expect(text).toContainEqual(expect.stringMatching(/^ {2}held.* 13 s\b/));
    expect(report.summary).toContain('over 13 seconds');
    expect(reportPage(report)).toMatch(/<small>.*, 13\u00a0s<\/small><\/h1>/);
    expect(reportPage(report)).not.toContain('12 s');
  });

  test('round trips in two currencies that no quote adds up are told in each, and one sentence says so', () => {
    const trip = (product: string, price: number, at: number): FillParts[] => [
      { at: MONDAY + at * HOUR, side: 'buy', price, product },
      { at: MONDAY + (at + 1) * HOUR, side: 'sell', price: price + 10, product },
    ];
    const fills = [...trip('btcusd', 100, 1), ...trip('etheur', 50, 3)];
    const record = { ...recordOf({ from: MONDAY, to: MONDAY + DAY, flows: [OPENING], fills }), currency: 'chf' };
    const columns = ['btcusd', 'etheur'].map((product) => laneColumns(hourly([100, 110, 100, 110, 100]), { product }));
    const report = makeReport(record, columns);
    const why =
      "round trips are in eur and usd, each by itself: no recorded quote leads from there to chf, the account's currency: name a product that does in account.rates";
    expect(report.headlines.filter(({ code }) => code === 'VALUED_IN').map(({ text }) => text)).toEqual([why]);
    expect([of(report, 'trades'), of(report, 'won'), of(report, 'tradeProfit')]).toEqual([2, 2, { why }]);
    expect([of(report, 'trades.usd'), of(report, 'tradeProfit.usd'), of(report, 'tradeProfit.eur')]).toEqual([1, 10, 10]);
    expect(report.groups.byStrategy.map(({ currency, trades, profit }) => [currency, trades, profit])).toEqual([
      ['eur', 1, 10],
      ['usd', 1, 10],
    ]);
    const text = reportText(report).flatMap((block) => (block.kind === 'lines' ? block.lines : block.rows.map((row) => row.join(' '))));
    expect(text).toContainEqual(expect.stringMatching(/^ {2}profit of round trips, usd +10\.00 usd/));
    expect(text).toContainEqual(expect.stringMatching(/^cross 1 1 0\.00 eur 10\.00 eur /));
    expect(text.join(' ')).not.toContain('there was no round trip');
    expect(report.summary).toContain('; 2 trades over ');
    expect(reportPage(report)).toContain('10.00\u00a0usd');
    expect(JSON.stringify(reportJson(report))).toContain('"currency":"eur"');
  });

  test('two currencies, with a lane between them: each is worth what it would bring', () => {
    const fills: FillParts[] = [{ at: MONDAY + HOUR, side: 'buy', price: 1000, product: 'btceur' }];
    const flows: Flow[] = [{ at: MONDAY + 1, kind: 'opening', amount: 2000, currency: 'eur' }];
    const columns = [
      laneColumns([{ at: MONDAY, buy: 1.12, sell: 1.1 }], { product: 'eurusd', size: 10_000 }),
      laneColumns(
        [
          { at: MONDAY, buy: 1000, sell: 990 },
          { at: MONDAY + 2 * HOUR, buy: 1210, sell: 1200 },
        ],
        { product: 'btceur' },
      ),
    ];
    const report = makeReport(recordOf({ from: MONDAY, to: MONDAY + DAY, flows, fills }), columns);
    expect(of(report, 'capital')).toBeCloseTo(2200, 9);
    expect(of(report, 'finalEquity')).toBeCloseTo((1000 + 1200) * 1.1, 9);
  });
});

describe('what things are worth', () => {
  test('at the smallest lane that covers the position, else the largest; a lane that was given back counts no more', () => {
    const minute = 60_000;
    const every = (buy: number, sell: number, count: number): QuotePoint[] =>
      Array.from({ length: count }, (_, n) => ({ at: MONDAY + n * minute, buy, sell }));
    const columns = [
      laneColumns(every(101, 99, 10), { size: 1 }),
      laneColumns(every(103, 97, 10), { size: 5 }),
      // Lent for one quote.
      laneColumns([{ at: MONDAY, buy: 102, sell: 98 }], { size: 2 }),
    ];
    const worth = (size: number): unknown => {
      const fills: FillParts[] = [{ at: MONDAY + 5 * minute, side: 'buy', price: 101, size, row: 5 }];
      return of(makeReport(recordOf({ from: MONDAY, to: MONDAY + DAY, flows: [OPENING], fills }), columns), 'finalEquity');
    };
    expect(worth(1)).toBeCloseTo(1000 - 101 + 99, 9);
    expect(worth(2)).toBeCloseTo(1000 - 2 * 101 + 2 * 97, 9);
    expect(worth(9)).toBeCloseTo(1000 - 9 * 101 + 9 * 97, 9);
  });

  test('costs: half the spread, the fee, and what the fill was worse than its quote', () => {
    const record = recordOf({ from: MONDAY, to: MONDAY + DAY, flows: [OPENING], fills: [{ ...trade(0, 'buy', 101), fee: 0.2 }] });
    const decisions = [...record.decisions].map((one) => {
      if (one.kind === 'intent') return { ...one, detail: { ...one.detail, quote: { ...one.detail.quote, buy: 101, sell: 99 } } };
      return one.kind === 'accepted' ? { ...one, detail: { ...one.detail, fill: { ...one.detail.fill, price: '101.5' } } } : one;
    });
    const report = makeReport({ ...record, decisions }, [laneColumns([{ at: MONDAY, buy: 101, sell: 99 }])]);
    expect(of(report, 'spreadCost')).toBeCloseTo(1, 12);
    expect(of(report, 'feeCost')).toBeCloseTo(0.2, 12);
    expect(of(report, 'slippageCost')).toBeCloseTo(0.5, 12);
    expect(of(report, 'totalCost')).toBeCloseTo(1.7, 12);
    expect(of(report, 'spreadCostBps')).toBeCloseTo((1 / 101) * 10_000, 9);
    // Not filled as quoted: not exact.
    expect(of(report, 'exactShare')).toBe(0);
  });

  test('excursions: how far it went against and for its holder, at the side at which it could be closed', () => {
    const report = reported({ quotes: hourly([100, 80, 130, 110]), fills: [trade(0, 'buy', 100), trade(3, 'sell', 110)] });
    expect(of(report, 'mae')).toBeCloseTo(0.2, 12);
    expect(of(report, 'mfe')).toBeCloseTo(0.3, 12);
    expect(of(report, 'givenBack')).toBeCloseTo(0.2, 12);
  });

  test('latency: the age of the quote at the send, the time left, the round trip', () => {
    const report = reported({ quotes: hourly([100]), fills: [trade(0, 'buy', 100)] });
    expect(of(report, 'ageAtSendP50')).toBe(2);
    expect(of(report, 'leftAtSendP50')).toBe(2998);
    expect(of(report, 'roundTripP99')).toBe(20);
  });

  test('buy and hold pays its fee and its spread', () => {
    const quotes = [
      { at: MONDAY, buy: 100, sell: 99 },
      { at: MONDAY + HOUR, buy: 121, sell: 120 },
    ];
    const report = reported({ quotes, fills: [trade(0, 'buy', 100)], fee: 1 });
    expect(of(report, 'holdReturn')).toBeCloseTo(120 / (100 * 1.01) - 1, 12);
  });
});

test.each<[string, readonly (readonly [number, number])[], unknown]>([
  [
    'between two points',
    [
      [0, 100],
      [100, 50],
      [200, -50],
    ],
    150,
  ],
  [
    'never reached',
    [
      [0, 100],
      [100, 50],
    ],
    { why: expect.stringContaining('still a profit at 100 ms') },
  ],
  [
    'nothing earned at all',
    [
      [50, -1],
      [100, -2],
    ],
    { why: expect.stringContaining('no profit at 50 ms') },
  ],
  ['not played', [], { why: 'no net profit at other latencies is known' }],
])('break-even latency: %s', (_name, points, expected) => {
  const latencies = points.map(([latencyMs, netProfit]) => ({ latencyMs, netProfit, trades: 1 }));
  const record = recordOf({ from: MONDAY, to: MONDAY + DAY, flows: [OPENING] });
  expect(of(makeReport(record, [], { latencies }), 'breakEvenLatency')).toEqual(expected);
});

test('orders of unknown outcome, and a halt that stood at the begin, are told before any figure', () => {
  const record = recordOf({ from: MONDAY, to: MONDAY + DAY, flows: [OPENING], fills: [trade(0, 'buy', 100)] });
  const decisions = [...record.decisions].filter(({ kind }) => kind !== 'accepted');
  const report = makeReport(
    { ...record, decisions, latches: [{ kind: 'halted', strategy: null, since: MONDAY - DAY, who: 'ann', why: 'news' }] },
    [laneColumns(hourly([100]))],
  );
  expect(report.headlines.slice(1, 3).map(({ text }) => text)).toEqual([
    'HALTED at 2026-01-05T00:00:00.000Z to the end: news',
    '1 order of unknown outcome: the figures leave out what they may have bought or sold',
  ]);
  expect(of(report, 'timeHalted')).toBe(DAY);
});

test.each(['a', 'b', 'c', 'd', 'e'])('sums agree, whatever was traded: seed %s', (seed) => {
  const random = seeded(seed);
  let price = 100;
  const quotes = Array.from({ length: 200 }, (_, n): QuotePoint => {
    price *= 1 + (random.next() - 0.5) * 0.05;
    return { at: MONDAY + n * HOUR, buy: price * 1.001, sell: price * 0.999 };
  });
  const fills = quotes.flatMap(({ at, buy, sell = buy }, row): FillParts[] => {
    if (random.next() < 0.7) return [];
    const side = random.next() < 0.5 ? 'buy' : 'sell';
    return [{ at, side, price: side === 'buy' ? buy : sell, size: 1 + Math.floor(random.next() * 4), fee: random.next(), row }];
  });
  const flows: Flow[] = [
    { ...OPENING, amount: 100_000 },
    { at: MONDAY + 50 * HOUR, kind: 'deposit', amount: 30_000 },
    { at: MONDAY + 120 * HOUR, kind: 'withdrawal', amount: -45_000 },
  ];
  const report = makeReport(recordOf({ from: MONDAY, to: MONDAY + 200 * HOUR, flows, fills }), [laneColumns(quotes, { size: 50 })]);
  const open = report.open.reduce((sum, { unrealised }) => sum + (unrealised ?? Number.NaN), 0);
  expect(of(report, 'netProfit')).toBeCloseTo(Number(of(report, 'tradeProfit')) + open, 6);
  const { days, totalReturn, chart, falls } = equityIn(report);
  expect(days.reduce((growth, day) => growth * (1 + day.return), 1) - 1).toBeCloseTo(totalReturn, 9);
  expect(report.months.reduce((growth, month) => growth * (1 + month.return), 1) - 1).toBeCloseTo(totalReturn, 9);
  expect(chart.at(-1)?.last).toBeCloseTo(100_000 * (1 + totalReturn), 6);
  expect(falls[0]?.depth).toBeGreaterThanOrEqual(falls[1]?.depth ?? 0);
  const byExit = report.groups.byExit.reduce((sum, { profit }) => sum + profit, 0);
  expect(byExit).toBeCloseTo(Number(of(report, 'tradeProfit')), 6);
});

test('a run that goes on ends with its last quote', () => {
  const record = { ...recordOf({ from: MONDAY, to: MONDAY, flows: [OPENING], fills: [trade(0, 'buy', 100)] }), endState: null };
  const report = makeReport(record, [laneColumns(hourly([100, 110]))]);
  expect(report.run.endedAt).toBe(MONDAY + HOUR);
  expect(of(report, 'totalReturn')).toBeCloseTo(0.01, 12);
});

test.each([
  [null, true, 'still running: figures so far'],
  [null, false, 'crashed'],
  ['stopped', false, 'stopped'],
])('a run with end state %s that runs: %s is told as %s', (endState, isRunning, told) => {
  const record = { ...recordOf({ from: MONDAY, to: MONDAY, flows: [OPENING] }), endState, isRunning };
  expect(JSON.stringify(reportText(makeReport(record, [])))).toContain(`), ${told}"`);
});

test('trades that one rule closed are one group, whatever its figures were', () => {
  const exits: FillParts[] = [0, 2].flatMap((hour) => [
    trade(hour, 'buy', 100),
    { ...trade(hour + 1, 'sell', 98 - hour), tag: 'exit', why: `the loss reached exits.stopLossPct: -${2 + hour} %, set to -1 %` },
  ]);
  const report = reported({ quotes: hourly([100, 98, 100, 96]), fills: exits });
  expect(report.groups.byExit).toMatchObject([{ group: 'the loss reached exits.stopLossPct', trades: 2 }]);
});

test('neither text nor JSON has a figure that is none', () => {
  const cases: readonly Case[] = [
    { quotes: [] },
    { quotes: hourly([100]) },
    { quotes: hourly([100, 110, 90]), fills: [trade(0, 'buy', 100), trade(2, 'sell', 90)], days: 40 },
  ];
  for (const one of cases) {
    const report = reported(one);
    const text = JSON.stringify(reportText(report));
    expect(text).not.toMatch(/NaN|Infinity|undefined/);
    expect(JSON.stringify(reportJson(report))).not.toMatch(/NaN|Infinity/);
  }
});

test('a page that cannot show all groups keeps those that moved most, the worst among them, and adds up the others', () => {
  const report = reported({ quotes: hourly([100]) });
  const group = (n: number, profit: number) => ({
    group: `reason ${n}`,
    currency: 'usd',
    trades: 2,
    won: 1,
    profit,
    fees: 1,
    averageReturn: 0.01,
  });
  const byExit = [...Array.from({ length: 134 }, (_, n) => group(n, (134 - n) / 100)), group(134, -117.51)];
  const page = reportPage({ ...report, groups: { ...report.groups, byExit } });
  expect(page).toContain('reason 134');
  expect(page).toContain('\u2212117.51');
  expect(page).toContain('86 others');
  expect(page).not.toContain('reason 100<');
  const few = reportPage({ ...report, groups: { ...report.groups, byExit: byExit.slice(-3) } });
  expect(few).not.toMatch(/<td>\d+ others</);
});

test('the table of months has a column for months of the run alone, so that a short run does not look like an empty year', () => {
  const quotes = Array.from({ length: 40 }, (_, n): QuotePoint => ({ at: MONDAY + n * DAY, buy: 100 }));
  const flows: Flow[] = [{ ...OPENING, amount: 1_000 }];
  const report = makeReport(recordOf({ from: MONDAY, to: MONDAY + 40 * DAY, flows, fills: [] }), [laneColumns(quotes)]);
  const [, head = ''] = /<table class="months"><thead><tr>(.*?)<\/tr>/.exec(reportPage(report)) ?? [];
  expect(report.months.length).toBe(2);
  expect(head.match(/<th/g)).toHaveLength(report.months.length + 2);
});
