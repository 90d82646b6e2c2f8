import { describe, expect, test } from 'vitest';
import { comparedReport, comparedTrial } from '#report/comparison/compared.ts';
import { comparedText, comparisonOf, differenceText, differsShown } from '#report/comparison/comparison.ts';
import { reportJson } from '#report/json.ts';
import { comparisonPage } from '#report/page/comparison-page.ts';
import { makeReport } from '#report/report.ts';
import { DAY, type FillParts, laneColumns, MONDAY, recordOf } from '../support/report-data.ts';

const HOUR = 3_600_000;
const SHORT = 'too short to tell skill from luck in A, B: 30 whole days are needed';

/** Twenty round trips with a fee each, as its JSON is read again. */
function result(name: string, { fee, fast, later = 0 }: { readonly fee: number; readonly fast: number; readonly later?: number }) {
  const quotes = Array.from({ length: 72 }, (_, n) => ({ at: MONDAY + later + n * HOUR, buy: 100 }));
  const fills = quotes.slice(0, 40).map(({ at }, row): FillParts => ({ at, side: row % 2 === 0 ? 'buy' : 'sell', price: 100, fee, row }));
  const flows = [{ at: MONDAY + later, kind: 'opening', amount: 1_000 }] as const;
  const record = recordOf({ from: MONDAY + later, to: MONDAY + later + 3 * DAY, flows, fills });
  const config = JSON.stringify({ account: { currency: 'usd' }, strategies: [{ id: 'cross', params: { fast, slow: 20 } }] });
  const report = makeReport({ ...record, config }, [laneColumns(quotes)]);
  return comparedReport(name, JSON.parse(JSON.stringify(reportJson(report))));
}

describe('results side by side', () => {
  const comparison = comparisonOf([result('a', { fee: 1, fast: 5 }), result('b', { fee: 0.5, fast: 8 })]);
  const row = (id: string) => comparison.figures.find((one) => one.id === id);

  test('one sentence says which came off better and which settings differ', () => {
    expect(comparison.summary).toMatch(/^B lost less: it lost 2\.00 %.*A lost 4\.00 %.*strategies\.cross\.params\.fast \(5 \/ 8\)$/);
    expect(comparison.caveats).toEqual([SHORT]);
    expect(comparison.settings).toEqual([{ setting: 'strategies.cross.params.fast', values: ['5', '8'] }]);
  });

  test('of two that lost none did well: one lost less', () => {
    const summary = (...made: readonly number[]): string =>
      comparisonOf(
        made.map((totalReturn, n) => comparedTrial(String(n), { params: {}, figures: { totalReturn }, from: 0, to: 1, failed: null })),
      ).summary;
    expect(summary(-0.04, -0.02)).toMatch(/^B lost less: it lost 2\.00 %, A lost 4\.00 %/);
    expect(summary(-0.04, -0.02, -0.03)).toMatch(/^B lost least: it lost 2\.00 %/);
    expect(summary(-0.04, 0.02)).toMatch(/^B did best: it .* 2\.00 %/);
    // The best two are alike, and not all.
    expect(summary(0.02, 0.01, 0.02)).toMatch(/^A and C did best: each made 2\.00 %, B made 1\.00 %/);
    expect(summary(-0.02, -0.02, -0.04)).toMatch(/^A and B lost least: each lost 2\.00 %, C lost 4\.00 %/);
    expect(summary(0.02, 0.02, 0.02)).toMatch(/^All results are equal or nearly so: A made 2\.00 %, B/);
  });

  test('it says first in which of them a strategy failed', () => {
    const json = (level: string) => ({
      run: { startedAt: '2026-01-05T00:00:00.000Z', endedAt: '2026-01-06T00:00:00.000Z' },
      figures: { totalReturn: { value: 0.1 } },
      headlineDetails: [{ level }],
    });
    const [broken, whole] = ['failed', 'warning'].map((level) => comparedReport(level, json(level)));
    if (!broken || !whole) throw new Error('no result');
    expect(comparisonOf([broken, whole]).summary).toMatch(/^A strategy failed in A, whose figures are of a part of it; All results/);
    const trial = comparedTrial('trial', {
      params: {},
      figures: { totalReturn: 0.2 },
      from: 0,
      to: 1,
      failed: 'FAILED  strategy cross: boom',
    });
    expect(comparisonOf([broken, trial]).summary).toMatch(/^A strategy failed in A and B, .*; B did best/);
    expect(comparison.summary).not.toContain('failed');
  });

  test('figures are columns: what differs is marked, and the best where one side is better', () => {
    expect(row('netProfit')).toMatchObject({ label: 'net profit', values: [-40, -20], differs: true, best: 1, difference: 20 });
    expect(row('maxDrawdown')).toMatchObject({ best: 1 });
    expect(row('trades')).toMatchObject({ values: [20, 20], differs: false, best: null });
    const total = row('totalReturn');
    expect(total && differenceText(total)).toBe('+2.00 points');
    expect(comparison.runs.map(({ curve }) => curve?.values[0])).toEqual([100, 100]);
    expect(comparison.runs.map(({ curve }) => curve?.values.at(-1))).toEqual([expect.closeTo(96), expect.closeTo(98)]);
  });

  test('strategies of two names are held against each other, so that only what differs is told', () => {
    const settings = (id: string, use: string, params: string) => [
      ...[
        ['id', id],
        ['use', use],
        ['budget', 'null'],
        ['amount.base', '1000'],
        [`params.${params}`, '5'],
      ].map(([key, value]) => [`strategies.${id}.${key}`, value ?? ''] as const),
      ['strategies.both.use', 'coin-flip'] as const,
    ];
    const [a, b] = [result('a', { fee: 1, fast: 5 }), result('b', { fee: 1, fast: 5 })];
    const told = comparisonOf([
      { ...a, settings: new Map(settings('cross', 'sma-cross', 'fast')) },
      { ...b, settings: new Map(settings('band', 'bands', 'width')) },
    ]);
    expect(told.settings).toEqual([
      { setting: 'strategies.cross/band.id', values: ['cross', 'band'] },
      { setting: 'strategies.cross/band.use', values: ['sma-cross', 'bands'] },
      { setting: 'strategies.cross/band.params.fast', values: ['5', null] },
      { setting: 'strategies.cross/band.params.width', values: [null, '5'] },
    ]);
    expect(told.summary).toContain('3 settings differ: strategies.cross/band.use (sma-cross / bands), ');
  });

  test('a setting at its default is no difference to a block that is left out, and numbers against numbers come first', () => {
    const exits = { takeProfitPct: null, stopLossPct: 0.3, trailingPct: null, activateAtPct: null, maxHoldSeconds: null, net: false };
    const windows = { timezone: 'UTC', open: ['mon-fri 09:00-17:00'], closed: [] };
    const json = (config: object) => ({
      run: { startedAt: '2026-01-05T00:00:00.000Z', endedAt: '2026-01-06T00:00:00.000Z' },
      figures: { totalReturn: { value: 0.1 } },
      settings: config,
    });
    const told = comparisonOf([
      comparedReport(
        'a',
        json({ risk: { maxDayLoss: { jpy: 4500000 }, maxLossStreak: 'off' }, strategies: [{ id: 'jpy', exits, windows }] }),
      ),
      comparedReport(
        'b',
        json({ risk: { maxDayLoss: { jpy: 20000 }, maxLossStreak: 3 }, strategies: [{ id: 'jpy', exits: null, windows: null }] }),
      ),
    ]);
    expect(told.settings).toEqual([
      { setting: 'risk.maxDayLoss.jpy', values: ['4500000', '20000'] },
      { setting: 'risk.maxLossStreak', values: ['off', '3'] },
      { setting: 'strategies.jpy.exits.stopLossPct', values: ['0.3', null] },
      { setting: 'strategies.jpy.windows.open', values: ['["mon-fri 09:00-17:00"]', null] },
    ]);
    expect(told.summary).toMatch(
      /4 settings differ: risk\.maxDayLoss\.jpy \(4500000 \/ 20000\), risk\.maxLossStreak \(off \/ 3\), strategies\.jpy\.exits\.stopLossPct \(0\.3 \/ -\) and 1 more$/,
    );
    const net = comparisonOf(
      [true, false].map((one) => comparedReport('c', json({ strategies: [{ id: 'jpy', exits: { ...exits, net: one } }] }))),
    );
    expect(net.settings).toEqual([{ setting: 'strategies.jpy.exits.net', values: ['true', 'false'] }]);
  });

  test('settings are named and spelled as in kairos.yaml', () => {
    const json = (ms: number | null, chf: string) => ({
      run: { startedAt: '2026-01-05T00:00:00.000Z', endedAt: '2026-01-06T00:00:00.000Z' },
      figures: { totalReturn: { value: 0.1 } },
      settings: {
        risk: { lossCooldown: 40_000, maxOrderValue: { byCurrency: { chf } } },
        trading: { arming: { rearmAfterMs: ms, crashHalt: { count: 3, windowMs: 600_000 } } },
      },
    });
    const { settings } = comparisonOf([comparedReport('a', json(21_600_000, '60')), comparedReport('b', json(null, '70'))]);
    expect(settings).toEqual([
      { setting: 'risk.maxOrderValue.chf', values: ['60', '70'] },
      { setting: 'trading.rearmAfter', values: ['6h', 'never'] },
    ]);
  });

  test('its page has the caveat as a badge, and the sentence of each run whole but for what a badge says', () => {
    const page = comparisonPage(comparison).replaceAll('\u00a0', ' ');
    expect(page).toContain('<span class="badge warn">Too short to tell skill from luck in A, B</span> 30 whole days are needed');
    expect(page).toMatch(/<li><b>A<\/b> a: <b class="down">Lost 4\.00 %<\/b> after fees in 20 trades over 3 days<\/li>/);
    expect(page).toMatch(/<li><b>all<\/b>: cross on btcusd\. 2026-01-05 00:00 to 2026-01-08 00:00 UTC\. Buying and holding /);
    expect(page.match(/[Bb]uying and holding as much as its largest position/g)).toHaveLength(1);
    expect(page).toContain('strategies.cross.params.fast (5 / 8)');
  });

  test('its page has figures in the colours of their signs, and says which of two is better', () => {
    const page = comparisonPage(comparison).replaceAll('\u00a0', ' ');
    const [, profits = ''] = /<th scope="row">net profit<\/th>(.*?)<\/tr>/.exec(page) ?? [];
    expect(profits.replaceAll(/<span.*?<\/span> /g, '')).toBe(
      '<td class="n down">\u221240.00 usd</td><td class="n best down">\u221220.00 usd</td><td class="n up">+20.00 usd</td>',
    );
    expect(page).toMatch(/<p class="muted">Equal: .*initial capital 1,000\.00 usd/);
  });

  test('a lead of less than a tenth, and any of a few trades, is not marked', () => {
    const bests = (drawdowns: readonly number[], trades = 20) => {
      const trial = (maxDrawdown: number, n: number) =>
        comparedTrial(String(n), { params: {}, figures: { maxDrawdown, trades }, from: 0, to: 1, failed: null });
      return comparisonOf(drawdowns.map(trial)).figures.find(({ id }) => id === 'maxDrawdown')?.best;
    };
    expect([bests([0.006, 0.0061]), bests([0.006, 0.007]), bests([0.006, 0.007], 9), bests([0.02, 0.0061, 0.006])]).toEqual([
      null,
      0,
      null,
      null,
    ]);
  });

  test.each([
    ['money', 1.984, 1.465, '1.98 usd', '1.47 usd', '\u22120.51 usd'],
    ['share', 0.00015, 0.00025, '0.01 %', '0.03 %', '+0.02 points'],
    ['duration', 4_740_000, 2_705_000, '1 h 19 min', '45 min 5 s', '\u221233 min 55 s'],
    ['ratio', 0.1234, 0.1236, '0.123', '0.124', '+0.001'],
  ])('a difference of %s is that of what is shown', (unit, a, b, first, second, apart) => {
    const row = { id: 'x', label: 'x', unit, values: [a, b], currencies: ['usd', 'usd'], differs: true, best: null, difference: b - a };
    expect([comparedText(row, 0), comparedText(row, 1), differenceText(row)]).toEqual([first, second, apart]);
  });

  test('what differs in digits that nobody sees is not marked, and has no difference', () => {
    const row = {
      id: 'x',
      label: 'x',
      unit: 'bps',
      values: [1.2341, 1.2339],
      currencies: ['usd', 'usd'],
      differs: true,
      best: null,
      difference: -0.0002,
    };
    expect(differsShown(row)).toBe(false);
    expect(differenceText(row)).toBe('');
    expect(differsShown({ ...row, values: [1.2341, 1.3] })).toBe(true);
  });

  test('what does not compare is said', () => {
    const { caveats, summary } = comparisonOf([result('a', { fee: 1, fast: 5 }), result('later', { fee: 1, fast: 5, later: DAY })]);
    expect(summary).toMatch(/^All results are equal.*A lost 4\.00 %, B lost 4\.00 %.*no setting/);
    expect(caveats).toEqual([
      SHORT,
      expect.stringContaining('A 2026-01-05T00:00 to 2026-01-08T00:00; B 2026-01-06T00:00 to 2026-01-09T00:00'),
    ]);
  });

  test('trials of different times and currencies are said to be so, others are not', () => {
    const trial = (from: number, currency: string) =>
      comparedTrial('t', { params: {}, figures: { totalReturn: 0.1 }, from, to: MONDAY + 3 * DAY, currency });
    const caveats = (one: ReturnType<typeof trial>, other: ReturnType<typeof trial>) => comparisonOf([one, other]).caveats;
    expect(caveats(trial(MONDAY, 'usd'), trial(MONDAY + DAY, 'eur'))).toEqual([
      'different times: A 2026-01-05T00:00 to 2026-01-08T00:00; B 2026-01-06T00:00 to 2026-01-08T00:00; the market may explain a difference',
      'different currencies: amounts cannot be compared',
    ]);
    expect(caveats(trial(MONDAY, 'usd'), trial(MONDAY, 'usd'))).toEqual([]);
    const report = result('a', { fee: 1, fast: 5 });
    expect(caveats({ ...trial(MONDAY, 'usd'), to: report.to }, report)).not.toContainEqual(expect.stringMatching(/^different times/));
  });

  test('times that are the same to the minute are told as exactly as they differ', () => {
    const trial = (from: number) => comparedTrial('t', { params: {}, figures: {}, from, to: MONDAY + DAY, currency: 'usd' });
    const timesOf = (from: number) => comparisonOf([trial(MONDAY), trial(from)]).caveats.join();
    expect(timesOf(MONDAY + 17_000)).toContain(
      'A 2026-01-05T00:00:00 to 2026-01-06T00:00:00; B 2026-01-05T00:00:17 to 2026-01-06T00:00:00;',
    );
    expect(timesOf(MONDAY + 17)).toContain('B 2026-01-05T00:00:00.017Z to 2026-01-06T00:00:00.000Z;');
    expect(timesOf(MONDAY)).toBe('');
  });

  test('a trial stands beside a report, whose labels it takes', () => {
    const trial = {
      ...{ from: MONDAY, to: MONDAY + 3 * DAY, params: { cross: { fast: 7 } }, figures: { totalReturn: 0.1, trades: 4 } },
      days: [{ at: MONDAY + DAY, return: 0.1, whole: true }],
    };
    const { figures, caveats, runs } = comparisonOf([comparedTrial('t.json:1', trial), result('a', { fee: 1, fast: 5 })]);
    expect(figures.find(({ id }) => id === 'totalReturn')).toMatchObject({ label: 'total return', unit: 'share', best: null });
    expect(caveats[0]).toMatch(/^too few trades in A\b.*\b10\b/);
    expect(runs[0]?.title).toBe('cross.fast=7');
    expect(() => comparedTrial('x', {})).toThrow('it is no trial with figures');
    expect(() => comparedReport('x', { figures: {} })).toThrow('it has no run with figures');
  });

  test('a trial differs from a report only in what both say, and a report from another by how it was played and at which rate', () => {
    const report = (mode: string, rate: string) =>
      comparedReport(mode, {
        run: { startedAt: '2026-01-05T00:00:00.000Z', endedAt: '2026-01-06T00:00:00.000Z', mode },
        figures: { totalReturn: { value: 0.1 } },
        conventions: { 'risk-free rate': `${rate} % a year` },
        settings: {
          mode: 'paper',
          account: { currency: 'usd' },
          strategies: [{ id: 'cross', use: 'sma-cross', params: { fast: 5, slow: 20 } }],
        },
      });
    const ask = { figures: { totalReturn: 0.2 }, from: Date.UTC(2026, 0, 5), to: Date.UTC(2026, 0, 6), days: [] };
    const beside = (params: object) => comparisonOf([comparedTrial('t', { ...ask, params }), report('backtest', '0')]);
    expect(beside({ cross: { fast: 5, 'exits.stopLossPct': 'none' } })).toMatchObject({ settings: [], caveats: [] });
    expect(beside({ cross: { fast: 7 } }).settings).toEqual([{ setting: 'strategies.cross.params.fast', values: ['7', '5'] }]);
    expect(comparisonOf([report('backtest', '0'), report('paper', '0')]).caveats).toEqual([expect.stringMatching(/^different modes/)]);
    const rates = comparisonOf([report('paper', '0'), report('paper', '4.5')]);
    expect(rates.caveats).toEqual([expect.stringMatching(/^different risk-free rates/)]);
    expect(rates.settings).toEqual([{ setting: 'risk-free rate', values: ['0 % a year', '4.5 % a year'] }]);
  });

  test('money keeps its own currency, and of two currencies there is neither a difference nor a best', () => {
    const report = (currency: string, figures: object) =>
      comparedReport(currency, {
        ...{ run: { startedAt: '2026-01-05T00:00:00.000Z', endedAt: '2026-01-06T00:00:00.000Z' }, currency },
        figures: { trades: { value: 40, unit: 'count' }, ...figures },
      });
    const profit = (value: number, own: object = {}) => ({ netProfit: { value, unit: 'money', label: 'net profit', ...own } });
    const rowOf = (...reports: Parameters<typeof comparisonOf>[0][number][]) =>
      comparisonOf(reports).figures.find(({ id }) => id === 'netProfit');
    const apart = rowOf(report('usd', profit(500)), report('usd', profit(4_000, { currency: 'sek' })));
    expect(apart).toMatchObject({ best: null, difference: null, differs: true });
    expect(apart && [comparedText(apart, 0), comparedText(apart, 1), differenceText(apart)]).toEqual(['500.00 usd', '4,000.00 sek', '']);
    expect(rowOf(report('usd', profit(5)), report('eur', profit(5)))).toMatchObject({ best: null, difference: null, differs: true });
    expect(rowOf(report('usd', profit(500)), report('usd', profit(400)))).toMatchObject({ best: 0, difference: -100 });
  });
});
