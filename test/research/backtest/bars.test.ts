import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ImportOptions, importFile } from '#adapters/recording/import/import-file.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { currency, productCode } from '#domain/names.ts';
import { seeded } from '#domain/seeded.ts';
import { metricIn } from '#report/figures.ts';
import { backtestHeadlines } from '#research/backtest/backtest-headlines.ts';
import { reportOfBacktest } from '#research/backtest/backtest-report.ts';
import { outcomeOf } from '#research/backtest/outcome.ts';
import { strategyYaml } from '../../config/support.ts';
import { bench, ofKind } from './session-bench.ts';

const AT = Date.UTC(2024, 7, 1);

/** A walk of 600 bars with pauses, and what each has reached. */
function walk(widthMs: number): string {
  const draw = seeded('bars');
  const rows: string[] = ['time,open,high,low,close'];
  let price = 60_000;
  let at = AT;
  for (let n = 0; n < 600; n += 1) {
    const open = price;
    price += (draw.next() - 0.5) * 200;
    rows.push([at, open, Math.max(open, price) + 20, Math.min(open, price) - 20, price].join());
    // A bar without a trade is left out of many files, and markets close.
    at += widthMs * (n % 100 === 99 ? 20 : n % 17 === 16 ? 3 : 1);
  }
  return `${rows.join('\n')}\n`;
}

const TICKS: ImportOptions['ticks'] = {
  lane: laneFor(productCode('btcusd'), amountOf({ base: '0.01' })),
  ...{ baseCcy: currency('btc'), quoteCcy: currency('usd'), size: 0.01, feePercentage: 0, validMs: 3000, afterMs: 0, crossed: 'keep' },
};

async function barsOf(dir: string, content: string, more: Partial<ImportOptions> = {}): Promise<string> {
  const file = path.join(dir, 'bars.csv');
  writeFileSync(file, content);
  const out = path.join(dir, 'imported');
  await importFile({ file, map: { unit: 'auto' }, ticks: TICKS, spreadBps: 2, out, ...more });
  return out;
}

/** Sells in odd parts what it has bought, on lanes that are lent. */
const ODD = `import { buy, close, sell, strategy } from 'kairos/strategy';
export default strategy({
  name: 'odd',
  signals: ({ quotes$ }) => quotes$,
  decide: (_quote, { position, amount }) => {
    if (!position.isLong) return buy(amount, 'in');
    return position.size < 0.01 ? sell('position', 'out') : close(40, 'part');
  },
});
`;

/** Buys in two parts, the second on the next quote, and sells in two. */
const LEGS = `import { buy, sell, strategy } from 'kairos/strategy';
export default strategy({
  name: 'legs',
  signals: ({ quotes$ }) => quotes$,
  decide: (_quote, { position, amount }) =>
    position.isLong ? [sell(amount, 'half'), sell('position', 'rest')] : [buy(amount, 'half'), buy(amount, 'rest')],
});
`;

/** Goes in and out at each of its timers. */
const TIMED = `import { buy, sell, strategy } from 'kairos/strategy';
export default strategy({
  name: 'timed',
  signals: ({ every }) => every('5m'),
  decide: (_at, { position, amount }) => (position.isLong ? sell('position', 'out') : buy(amount, 'in')),
});
`;

const config = (use: string): string =>
  `${strategyYaml({ use, product: 'btcusd', amount: '{ base: 0.01 }' })}backtest: { latency: 100 }\nrisk: { maxLossStreak: off }\n`;

describe('imported bars trade', () => {
  test.each([
    ['sma-cross', 60_000],
    ['ema-cross', 60_000],
    ['rsi-reversion', 60_000],
    ['coin-flip', 60_000],
    ['sma-cross', 14_400_000],
    ['grid', 3_600_000],
  ])('%s on bars of %d ms: orders are executed, none finds its lane stale', async (use, widthMs) => {
    const { cwd, open } = bench(config(use));
    const session = await open({ data: await barsOf(cwd, walk(widthMs)) });
    const run = session.play();
    const { orders, refusals } = outcomeOf(run);
    expect(orders.accepted).toBeGreaterThan(1);
    expect(refusals.filter(({ reason }) => reason === 'LANE_STALE')).toEqual([]);
    const told = backtestHeadlines(session, run).map(({ text }) => text);
    expect(told).toContainEqual(expect.stringMatching(/btcusd: prices of bars\.csv .*imported/));
    expect(told).toContainEqual(expect.stringMatching(/a bar is one quote, its last price at its end/));
    expect(told).toContainEqual(expect.stringMatching(/a spread of 2 bps is assumed/));
    expect(told).toContainEqual(expect.stringMatching(/600 rows: 0 crossed/));
    const report = reportOfBacktest(session, run, { curve: undefined });
    expect(report.headlines.map(({ text }) => text)).toEqual(expect.arrayContaining([expect.stringMatching(/600 rows: 0 crossed/)]));
  });

  test('a width below the distance of all rows stands above the figures of each result', async () => {
    const { cwd, open } = bench(config('sma-cross'));
    const { headlines } = await open({ data: await barsOf(cwd, walk(300_000), { ticks: { ...TICKS, afterMs: 60_000 } }) });
    expect(headlines.filter(({ code }) => code === 'CLOSES_EARLY')).toEqual([
      expect.objectContaining({
        level: 'warning',
        text: expect.stringMatching(/^btcusd@base:0\.01: --bar 60 of bars\.csv: .* --bar 300$/),
      }),
    ]);
  });

  test('a bar that several sizes are lent from is counted once, in the outcome as in the report and the manifest', async () => {
    const sized = (id: string, base: string): string =>
      `  - { id: ${id}, use: sma-cross, product: btcusd, amount: { base: ${base} }, params: { fast: 3, slow: 9 } }\n`;
    const { cwd, open } = bench(
      `strategies:\n${sized('one', '0.01')}${sized('two', '0.02')}${sized('half', '0.005')}${sized('odd', '0.013')}`,
    );
    const session = await open({ data: await barsOf(cwd, walk(60_000)) });
    const run = session.play();
    expect(session.data.imports[0]?.facts.counts.rows).toBe(600);
    expect(run).toMatchObject({ quotes: 600, delivered: 2400 });
    expect(outcomeOf(run).quotes).toBe(600);
    expect(metricIn(reportOfBacktest(session, run, { curve: undefined }).sections, 'quotes')).toBe(600);
  });

  test('orders are filled at the price of the bar that had ended, never at one to come', async () => {
    const { cwd, open } = bench(config('sma-cross'));
    const session = await open({ data: await barsOf(cwd, walk(60_000)) });
    const run = session.play();
    const [columns] = session.columns;
    const approved = ofKind(run, 'approved');
    expect(approved.length).toBeGreaterThan(3);
    for (const { at, detail } of approved) {
      const row = columns?.at.findLastIndex((time) => time <= at) ?? -1;
      expect(columns?.at[row]).toBe(at);
      expect((detail.order.side === 'buy' ? columns?.buy : columns?.sell)?.price[row]).toBe(Number(detail.order.price));
    }
    // What comes later changes nothing of what was decided before.
    const rows = walk(60_000).split('\n');
    const changed = rows.map((line, n) => (n > 400 ? line.replace(/,.*/, ',1,1,1,1') : line)).join('\n');
    const other = bench(config('sma-cross'));
    const before = (await other.open({ data: await barsOf(other.cwd, changed) })).play();
    const until = Number(rows[400]?.split(',')[0]) + 60_000;
    const fills = (of: typeof run): readonly unknown[] =>
      ofKind(of, 'accepted').flatMap(({ at, detail }) => (at <= until ? [[at, detail.fill.side, detail.fill.price.toString()]] : []));
    expect(fills(before)).toEqual(fills(run));
    expect(fills(run).length).toBeGreaterThan(3);
  });

  test('what a timer decides between two bars is filled on the next one, within two widths', async () => {
    const { cwd, open } = bench(config('./strategies/timed.ts'), {}, { timed: TIMED });
    const run = (await open({ data: await barsOf(cwd, walk(60_000)) })).play();
    const { orders, refusals } = outcomeOf(run);
    expect(refusals.filter(({ reason }) => reason !== 'LANE_STALE')).toEqual([]);
    expect(orders.accepted).toBeGreaterThan(100);
    const decided = new Map(ofKind(run, 'working').map(({ at, detail }) => [detail.work, at]));
    expect(decided.size).toBeGreaterThan(100);
    for (const { at, detail } of ofKind(run, 'intent')) {
      const begun = decided.get(detail.work?.split('/')[0] ?? '') ?? Number.NaN;
      expect(at - begun).toBeLessThan(120_000);
    }
  });

  test('the later leg of a plan waits for its next bar, as long as the lane may be silent', async () => {
    const { cwd, open } = bench(config('./strategies/legs.ts'), {}, { legs: LEGS });
    const run = (await open({ data: await barsOf(cwd, walk(60_000)) })).play();
    const fills = ofKind(run, 'accepted').length;
    expect(fills).toBeGreaterThan(500);
    // Markets close for 20 bars now and then: that is longer than it waits.
    expect(ofKind(run, 'lapsed').length).toBeLessThan(fills / 50);
  });

  test('a stop sees the range of a bar where that is played, and is filled at its worst', async () => {
    const yaml = `strategies: [{ id: hold, use: buy-and-hold, product: btcusd, amount: { base: 0.01 }, exits: { stopLossPct: 1 } }]
backtest: { latency: 0 }
`;
    const dip = ['time,open,high,low,close', `${AT},100,100,100,100`, `${AT + 60_000},100,101,90,100`, `${AT + 120_000},100,100,100,100`];
    const content = `${dip.join('\n')}\n`.replaceAll('100', '60000').replaceAll('101', '60600').replaceAll(',90,', ',54000,');
    const closesOf = async (barPath: 'close' | 'worst') => {
      const { cwd, open } = bench(yaml);
      const run = (await open({ data: await barsOf(cwd, content, { barPath, spreadBps: 0 }) })).play();
      return ofKind(run, 'accepted').map(({ at, detail }) => [at - AT, detail.fill.price.toString()]);
    };
    expect(await closesOf('close')).toEqual([[60_000, '60000']]);
    expect(await closesOf('worst')).toContainEqual([120_000, '54000']);
  });

  test('a strategy sees last prices alone, whatever else is played: it decides the same, at the same prices', async () => {
    const fillsWith = async (barPath: 'close' | 'worst', module: string) => {
      const { cwd, open } = bench(config(module), {}, { odd: ODD });
      const run = (await open({ data: await barsOf(cwd, walk(60_000), { barPath }) })).play();
      return ofKind(run, 'accepted').map(({ at, detail }) => [
        at,
        detail.fill.side,
        detail.fill.price.toString(),
        detail.fill.size.toString(),
      ]);
    };
    for (const module of ['sma-cross', './strategies/odd.ts']) {
      const fills = await fillsWith('close', module);
      expect(fills.length).toBeGreaterThan(3);
      expect(await fillsWith('worst', module)).toEqual(fills);
    }
  });

  test('a lane whose quotes come slowly trades when its product is named in lanes.staleAfter', async () => {
    const slow = { quotesPerSecond: 0.1, seconds: 1200, validityMs: 3000 };
    const played = async (lanes: string) => outcomeOf((await bench(`${config('sma-cross')}${lanes}`, slow).open()).play());
    const params = 'lanes: { staleAfter: { BTCUSD: 25s } }\n';
    expect((await played('')).orders.accepted ?? 0).toBe(0);
    expect((await played('')).refusals[0]?.reason).toBe('LANE_STALE');
    const named = await played(params);
    expect(named.orders.accepted).toBeGreaterThan(0);
    expect(named.refusals.map(({ reason }) => reason)).not.toContain('LANE_STALE');
  });

  test('crossed rows that were kept are refused by the lane, and counted in the result', async () => {
    const { cwd, open } = bench(config('sma-cross'));
    const rows = ['time,bid,ask', `${AT},60000,60001`, `${AT + 500},60002,60001`, `${AT + 1000},60000,60001`];
    const session = await open({ data: await barsOf(cwd, `${rows.join('\n')}\n`, { spreadBps: undefined }) });
    const run = session.play();
    expect(outcomeOf(run).refusedQuotes).toEqual({ QUOTE_CROSSED: 1 });
    expect(backtestHeadlines(session, run).map(({ text }) => text)).toContainEqual(
      '1 of 3 quotes that lanes were given were refused and traded on by nobody: 1 QUOTE_CROSSED',
    );
  });
});
