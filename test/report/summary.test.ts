import { describe, expect, test } from 'vitest';
import { metricIn } from '#report/figures.ts';
import { reportJson } from '#report/json.ts';
import type { TrialStatistics } from '#report/luck.ts';
import { saidAndUnsaid } from '#report/missing-figures.ts';
import { profitHistogram } from '#report/profit-histogram.ts';
import type { RunRecord } from '#report/record.ts';
import { makeReport, type RunReport } from '#report/report.ts';
import { wholeDays } from '#report/sections/result.ts';
import { reportText } from '#report/text.ts';
import { judgedLines } from '#research/sweep/judged-lines.ts';
import { judged, luckOf } from '#research/sweep/sweep-ranking.ts';
import { DAY, type FillParts, laneColumns, MONDAY, recordOf } from '../support/report-data.ts';

const HOUR = 3_600_000;

/** Buys and sells by turns on a price that rises by a share each hour; `fee` for each fill. */
function traded(
  fills: number,
  { rise = 0, fee = 0, days = 3, riskFree = 0 } = {},
  tried?: TrialStatistics,
  latches: RunRecord['latches'] = [],
): RunReport {
  const quotes = Array.from({ length: days * 24 }, (_, n) => ({ at: MONDAY + n * HOUR, buy: 100 * (1 + rise * n) }));
  const parts = Array.from({ length: fills }, (_, n): FillParts => {
    const { at, buy } = quotes[n] ?? { at: MONDAY, buy: 100 };
    return { at, side: n % 2 === 0 ? 'buy' : 'sell', price: buy, fee, row: n };
  });
  const flows = [{ at: MONDAY, kind: 'opening', amount: 1_000 }] as const;
  const record = recordOf({ from: MONDAY, to: MONDAY + days * DAY, flows, fills: parts });
  return makeReport({ ...record, latches }, [laneColumns(quotes)], { tried, riskFree });
}

describe('one sentence says what came of a run', () => {
  test.each([
    ['a loss', traded(40, { fee: 1 }), ['Lost 4.00 % after fees', '20 trades', '3 days', 'made nothing']],
    [
      'a profit',
      traded(20, { rise: 0.01 }),
      ['Made 1.00 % without fees', '10 trades', '3 days', 'as its largest position would have made 7.10 %, all capital made 71.00 %'],
    ],
    ['too few', traded(3, { fee: 1 }), ['Too few trades', 'lost 0.30 % after fees', '1 trade over', '1 position', 'made nothing']],
    ['a position that is only open', traded(1, { fee: 1 }), ['lost 0.10 % after fees', '0 trades', '1 position still open']],
    ['nothing', traded(0), ['Nothing was traded: strategy cross decided nothing: none of its signals led to an order']],
  ])('%s', (_, report, facts) => {
    expect(facts.filter((fact) => !report.summary.includes(fact))).toEqual([]);
    const [first] = reportText(report);
    expect(first).toMatchObject({ kind: 'lines', lines: expect.arrayContaining([report.summary]) });
  });

  test('one that was short is held against buying, which is the opposite of what it held, in words that say so', () => {
    const quotes = Array.from({ length: 72 }, (_, n) => ({ at: MONDAY + n * HOUR, buy: 100 + n }));
    const fills = [{ at: MONDAY, side: 'sell' as const, price: 100 }];
    const record = recordOf({ from: MONDAY, to: MONDAY + 3 * DAY, flows: [{ at: MONDAY, kind: 'opening', amount: 1_000 }], fills });
    expect(makeReport(record, [laneColumns(quotes)]).summary).toMatch(
      /lost 7\.10 % .*; buying and holding as much as its largest position would have made 7\.10 %, /,
    );
  });

  test('one that has no value in the currency of its account is not called short, and its JSON has no charts', () => {
    const quotes = Array.from({ length: 40 * 24 }, (_, n) => ({ at: MONDAY + n * HOUR, buy: 100 }));
    const flows = ['usd', 'sek'].map((currency) => ({ at: MONDAY, kind: 'opening' as const, amount: 1_000, currency }));
    const fills = ['btcusd', 'ethsek'].map((product) => ({ at: MONDAY, side: 'buy' as const, price: 100, product, row: 0 }));
    const lanes = ['btcusd', 'ethsek'].map((product) => laneColumns(quotes, { product }));
    const report = makeReport(recordOf({ from: MONDAY, to: MONDAY + 40 * DAY, flows, fills }), lanes);
    expect(report.verdict.text).toMatch(/^skill or luck n\/a: no recorded quote leads from /);
    const json = JSON.stringify(reportJson(traded(20)));
    expect(json).not.toMatch(/Chart"|"chart"/);
  });

  test('one that was refused names the limit, whatever the rest of it is', () => {
    const intent = {
      ...{ side: 'buy' as const, why: 'test', tag: null, wants: '1 base', signals: { fast: 100 } },
      quote: { lane: 'x', buy: 100, sell: 99, size: 1, spreadPercentage: 1, validUntil: '', timeLeftMs: 1 },
    };
    const [approved] = recordOf({ from: MONDAY, to: MONDAY + DAY, flows: [], fills: [{ at: MONDAY, side: 'buy', price: 100 }] }).decisions;
    if (!approved) throw new Error('no decision');
    const refused = { ...approved, orderId: null, kind: 'refused' as const, reason: 'MAX_SPREAD' as const, detail: { intent, checks: [] } };
    const record = recordOf({ from: MONDAY, to: MONDAY + DAY, flows: [], decisions: [refused] });
    expect(makeReport(record, []).summary).toMatch(/^Nothing was traded: refused 1 MAX_SPREAD$/);
  });

  test.each([
    ['disabled', 'cross', /^strategy cross was disabled at 2026-/],
    ['halted', null, /^trading was halted at 2026-/],
    ['reducing', null, /^only exits passed from 2026-.* on$/],
  ] as const)('a result that was cut short, %s, is held against luck nowhere', (kind, strategy, why) => {
    const tried = { count: 117, sharpes: [], verdict: { significant: true, text: 'more than luck' } };
    const report = traded(40, { rise: 0.01, days: 33 }, tried, [{ kind, strategy, since: MONDAY, who: 'kairos', why: 'x' }]);
    expect(report.summary).not.toMatch(/luck/);
    expect(report.verdict).toEqual({ significant: false, text: expect.stringMatching(/^skill or luck n\/a: /) });
    expect(report.verdict.text.replace('skill or luck n/a: ', '')).toMatch(why);
    const luck = report.sections.find(({ title }) => title === 'Skill or luck')?.figures ?? [];
    expect(luck.filter(({ id, value }) => id !== 'trials' && value !== null)).toEqual([]);
    expect(luck[0]?.note).toMatch(why);
  });

  test('a profit that was chosen among others counts them, in the words of what tried them', () => {
    const verdict = { significant: false, text: 'not distinct from luck: 95.9 % sure after 117 trials' };
    const alone = traded(40, { rise: 0.01, days: 33 });
    const chosen = traded(40, { rise: 0.01, days: 33 }, { count: 117, sharpes: [], verdict });
    expect(alone.summary).toMatch(/; (more than luck|luck may explain it)$/);
    expect(chosen).toMatchObject({
      verdict,
      summary: expect.stringMatching(/; not distinct from luck: 95.9 % sure after 117 trials$/),
    });
    expect(metricIn(chosen.sections, 'trials')).toBe(117);
    const [one, of117] = [alone, chosen].map(({ sections }) => metricIn(sections, 'deflatedSharpe'));
    expect(of117).toBeLessThan(Number(one));
  });

  test('a loss of thirty whole days is held against luck as a profit is', () => {
    const lost = traded(40, { rise: -0.001, fee: 0.01, days: 33 });
    expect(lost.summary).toMatch(/^Lost /);
    expect(lost.summary.endsWith(`; ${lost.verdict.text}`)).toBe(true);
    expect(lost.verdict.text).toMatch(/^not distinct from luck: \d+\.\d % sure/);
  });

  test('with a risk-free rate one deflated Sharpe ratio stands in a report, and what a search refused stays refused', () => {
    const searched = { significant: false, text: 'not distinct from luck: 95.9 % sure after 117 trials' };
    const report = traded(40, { rise: 0.01, days: 33, riskFree: 0.05 }, { count: 117, sharpes: [], verdict: searched });
    const deflated = Number(metricIn(report.sections, 'deflatedSharpe'));
    expect(report.verdict.text).toContain(`${(deflated * 100).toFixed(1)} % sure`);
    expect(report.verdict.text).toContain('after 117 trials');
    const sure = { rise: 0.0001, fee: 0, days: 120, riskFree: 0.0001 };
    const alone = traded(2_000, sure);
    const refused = {
      significant: false,
      text: 'not distinct from luck: the best of as many without skill does as well in 12.0 % of cases',
    };
    expect(alone.verdict.significant).toBe(true);
    expect(traded(2_000, sure, { count: 1, sharpes: [], verdict: refused }).verdict).toEqual(refused);
  });

  test('the title names what was played, and its parameters stand by themselves', () => {
    expect([traded(0).title, traded(0).played]).toEqual(['cross on btcusd', ['cross: sma-cross (fast=5, slow=20) on btcusd']]);
  });

  test('and all products that it traded, those of other legs too', () => {
    const ofLegs = (others: readonly string[]) => {
      const fills = [
        { at: MONDAY, side: 'buy', price: 100 },
        { at: MONDAY, side: 'sell', price: 10, product: 'ethusd' },
      ] as const;
      const record = recordOf({ from: MONDAY, to: MONDAY + DAY, flows: [{ at: MONDAY, kind: 'opening', amount: 1_000 }], fills });
      const one = { use: 'test', params: {}, enabled: true };
      const strategies = [{ ...one, id: 'cross', product: 'btcusd' }, ...others.map((product) => ({ ...one, id: product, product }))];
      return makeReport({ ...record, strategies }, [laneColumns([{ at: MONDAY, buy: 100 }])]);
    };
    expect(ofLegs([]).title).toBe('cross on btcusd, ethusd');
    expect(ofLegs(['ltcusd', 'eurusd', 'ltceur']).title).toBe('4 strategies on btcusd, ltcusd, eurusd and 2 more');
    const four = ofLegs(['ltcusd', 'eurusd', 'btcusd']);
    expect(four.title).toBe('4 strategies on btcusd, ltcusd, eurusd, ethusd');
    expect(reportText(four).flatMap((block) => (block.kind === 'lines' ? block.lines : []))).toContain('cross: test on btcusd, ethusd');
  });
});

test('where a Sharpe ratio needs more days, how sure it is needs as many, in a report and in what judges a search', () => {
  const figuresOf = (days: number) => traded(40, { rise: 0.01, days }).sections.flatMap(({ figures }) => figures);
  for (const id of ['sharpe', 'psr', 'deflatedSharpe']) {
    const [short, enough] = [29, 30].map((days) => figuresOf(days).find((one) => one.id === id));
    expect([short?.value, short?.note], id).toEqual([null, 'needs 30 whole days (UTC), there are 29']);
    expect(enough?.value, id).toEqual(expect.any(Number));
  }
  const returns = Array.from({ length: 30 }, (_, n) => 0.01 + 0.001 * (n % 3));
  const told = [returns.slice(1), returns].map((days) => judgedLines(judged(days, { tried: 2, others: [days], seed: '1' }), 'trial')[0]);
  const short = 'n/a (needs 30 whole days (UTC), there are 29)';
  expect(told[0]).toBe(`Sharpe ratio ${short}; deflated for 2 trials of these quotes: ${short}`);
  expect(told[1]).toMatch(/^Sharpe ratio \d+\.\d+; deflated for 2 trials of these quotes: \d+(\.\d+)? %$/);
});

test('the figure of a report and that of the search which chose it are one, over as many trials', () => {
  const returnsOf = ({ equity }: RunReport) => (typeof equity === 'string' ? [] : wholeDays(equity));
  const parts = { rise: 0.01, days: 33 };
  const returns = returnsOf(traded(40, parts));
  const others = [returns, ...[0.02, 0.03].map((rise) => returnsOf(traded(40, { ...parts, rise })))];
  const { deflated, verdict } = judged(returns, { tried: 7, others, seed: '1' });
  const report = traded(40, parts, { count: 7, sharpes: luckOf(others, false), verdict });
  expect(deflated).toEqual(expect.any(Number));
  expect(metricIn(report.sections, 'deflatedSharpe')).toBe(deflated);
});

test('figures that are not known are told together with their reason, and none is lost', () => {
  const { sections } = traded(4);
  const { said, unsaid } = saidAndUnsaid(sections);
  const whys = new Map(unsaid.flatMap(({ why, figures }) => figures.map(({ id }) => [id, why])));
  expect(whys.get('sharpe')).toMatch(/30 whole days .* 3$/);
  expect(whys.get('winRate')).toMatch(/^too few round trips: 2\b.*\b10\b/);
  const ids = [...said, ...unsaid].flatMap(({ figures }) => figures.map(({ id }) => id));
  expect(ids.toSorted()).toEqual(sections.flatMap(({ figures }) => figures.map(({ id }) => id)).toSorted());
});

test('profits are counted in bins of a round width, none of which holds both won and lost', () => {
  const profits = [-12.5, -3, -0.1, 0, 0.2, 4, 9.99, 10];
  const bins = profitHistogram(profits);
  expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(profits.length);
  expect(bins.some(({ low, high }) => low < 0 && high > 0)).toBe(false);
  for (const { low, high, count } of bins) expect(profits.filter((one) => one >= low && one < high)).toHaveLength(count);
  expect(profitHistogram([])).toEqual([]);
  const many = [...Array.from({ length: 200 }, (_, n) => n / 10), 1e6];
  expect(profitHistogram(many).at(-1)?.count).toBeGreaterThan(0);
  expect(bins.filter(({ open }) => open !== null)).toEqual([]);
  expect(profitHistogram(many).flatMap(({ open }) => open ?? [])).toEqual(['above']);
  expect(profitHistogram([-1e6, ...many])[0]?.open).toBe('below');
  expect(profitHistogram(many).length).toBeLessThanOrEqual(24);
});

describe('holding is compared at the size that was traded', () => {
  const held = ({ flows = 1_000, size = 1, sides = ['buy'] as readonly FillParts['side'][] }) => {
    const quotes = [100, 120].map((buy, n) => ({ at: MONDAY + n * HOUR, buy }));
    const fills = sides.map((side, n): FillParts => ({ at: MONDAY + n, side, size, price: 100 }));
    const parts = { from: MONDAY, to: MONDAY + 2 * HOUR, flows: [{ at: MONDAY, kind: 'opening', amount: flows }] as const, fills };
    const { sections, summary } = makeReport(recordOf(parts), [laneColumns(quotes)]);
    return {
      summary,
      figures: [metricIn(sections, 'holdSizeReturn'), metricIn(sections, 'overHoldSize'), metricIn(sections, 'holdReturn')],
    };
  };

  test('a position that is held all the time makes what holding makes, whatever the rest of the capital could have', () => {
    const { summary, figures } = held({});
    expect(figures).toEqual([expect.closeTo(0.02), expect.closeTo(0), expect.closeTo(0.2)]);
    expect(summary).toMatch(/buying and holding as much as its largest position would have made 2\.00 %, all capital made 20\.00 %$/);
  });

  test('a short position, closed and opened again, is one of its size', () => {
    expect(held({ sides: ['sell', 'buy', 'sell'] }).figures[0]).toBeCloseTo(0.02, 12);
  });

  test('no more is held than the capital pays for, and then both are one', () => {
    const { summary, figures } = held({ size: 30 });
    expect(figures[0]).toBeCloseTo(0.2, 12);
    expect(summary).toMatch(/as its largest position would have made 20\.00 %$/);
  });
});
