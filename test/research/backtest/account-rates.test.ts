import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importFile } from '#adapters/recording/import/import-file.ts';
import { lanesOf } from '#assembly/assemble.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { currency, isoTime, productCode } from '#domain/names.ts';
import { metricIn } from '#report/figures.ts';
import { askedIn, backtestHeadlines } from '#research/backtest/backtest-headlines.ts';
import { reportOfBacktest } from '#research/backtest/backtest-report.ts';
import { curveOf, netProfitOf } from '#research/backtest/curve.ts';
import { dataFaults } from '#research/backtest/data-faults.ts';
import { outcomeOf } from '#research/backtest/outcome.ts';
import type { BacktestSession } from '#research/backtest/session.ts';
import { sweep } from '#research/sweep/sweep.ts';
import { sweptIn } from '#research/sweep/sweep-axes.ts';
import { configOf, folder } from '../../config/support.ts';
import { playing, studyOf } from '../sweep/study.ts';
import { type Bench, OFF, sessionOf } from './session-bench.ts';

const FROM = Date.parse('2026-01-05T00:00:00Z');
const MINUTE_MS = 60_000;

/** Buys once below 105, and sells what it has from a price on. */
const SWING = `import { buy, param, sell, strategy } from 'kairos/strategy';
import { map } from 'rxjs';
export default strategy({
  name: 'swing',
  params: { out: param.int(110, { min: 106, max: 200 }) },
  signals: ({ quotes$ }) => quotes$.pipe(map(({ sell: { price } }) => price)),
  decide: (price, { position, amount }, { out }) => {
    if (position.isFlat) return price < 105 ? buy(amount, 'in') : undefined;
    return price >= out ? sell('position', 'out') : undefined;
  },
});
`;

interface Parts {
  readonly rates?: string;
  readonly others?: string;
  readonly files?: Readonly<Record<string, readonly (readonly [minute: number, price: number])[]>>;
}

const BTC = [100, 100, 110, 110, 120, 120].map((price, minute) => [minute, price] as const);
/** It begins two hours before and ends two hours after. */
const FRANC = Array.from({ length: 246 }, (_, n) => [n - 120, n - 120 < 3 ? 0.8 : 0.9] as const);

/** A folder with imported prices, without spread and fees, and a strategy in usd in an account in chf. */
async function francs({ rates = '', others = '', files = { btcusd: BTC, usdchf: FRANC } }: Parts = {}): Promise<Bench> {
  const cwd = folder();
  const dir = path.join(cwd, 'recordings');
  mkdirSync(path.join(cwd, 'strategies'));
  writeFileSync(path.join(cwd, 'strategies', 'swing.ts'), SWING);
  for (const [code, prices] of Object.entries(files)) {
    const file = path.join(cwd, `${code}.csv`);
    const row = ([minute, price]: readonly [number, number]): string =>
      `${FROM + minute * MINUTE_MS},${price},${price},${price},${price}\n`;
    writeFileSync(file, `time,open,high,low,close\n${prices.map(row).join('')}`);
    const lane = laneFor(productCode(code), amountOf({ base: '1' }));
    const [baseCcy, quoteCcy] = [currency(code.slice(0, 3)), currency(code.slice(3))];
    const ticks = { lane, baseCcy, quoteCcy, size: 1, feePercentage: 0, validMs: 3000, afterMs: 0, crossed: 'drop' } as const;
    await importFile({ file, map: { unit: 'auto' }, ticks, spreadBps: 0, out: dir });
  }
  const swing = '  - { id: swing, use: swing, product: btcusd, amount: { base: 1 }, budget: { usd: 1000, chf: 100 } }\n';
  const yaml = `account: { currency: chf${rates} }\nstrategies:\n${swing}${others}${OFF}`;
  const config = configOf(`${yaml}backtest: { latency: 0 }\nrecording: { dir: recordings }\njournal: { path: kairos.db }\n`, { cwd });
  return { cwd, dir, config, open: (options = {}) => sessionOf(config, cwd, options) };
}

const USDCHF = ', rates: [{ product: usdchf, amount: { base: 1 } }]';

const netOf = (session: BacktestSession) => {
  const report = reportOfBacktest(session, session.play(), { curve: undefined });
  return [report.currency, metricIn(report.sections, 'netProfit')];
};

test('an account in another currency has its net profit in that by a lane of account.rates, and none without', async () => {
  const without = await (await francs()).open();
  expect(netOf(without)).toEqual(['chf', { why: 'no recorded quote leads from usd to chf: name a product that does in account.rates' }]);
  const session = await (await francs({ rates: USDCHF })).open();
  const [into, net] = netOf(session);
  // Bought at 100 and sold at 110: 10 usd, at the present rate of 0.9.
  expect([into, net]).toEqual(['chf', expect.closeTo(9, 9)]);
});

test('profit against latency is in the currency of the account as well, and none where it cannot be', async () => {
  const curveIn = async (rates: string) => {
    const session = await (await francs({ rates })).open();
    const run = session.play();
    const { currency: into } = reportOfBacktest(session, run, { curve: undefined });
    const point = { outcome: outcomeOf(run), netProfit: netProfitOf(session, run, into), headlines: [] };
    const curve = curveOf(
      [
        { ...point, latencyMs: 50 },
        { ...point, latencyMs: 0 },
      ],
      into,
    );
    return { curve, report: reportOfBacktest(session, run, { curve }) };
  };
  const { curve, report } = await curveIn(USDCHF);
  expect(curve.currency).toBe('chf');
  expect(curve.points.map(({ netProfit }) => netProfit)).toEqual([expect.closeTo(9, 9), expect.closeTo(9, 9)]);
  expect(report.latencies.map(({ netProfit }) => netProfit)).toEqual(curve.points.map(({ netProfit }) => netProfit));
  const { curve: unvalued, report: none } = await curveIn('');
  expect(unvalued.breakEvenMs).toMatch(/^n\/a: no recorded quote leads from usd to chf/);
  expect(none.latencies).toEqual([]);
});

test('a lane of rates is played for its price alone: it asks no strategy, and the time is that of the strategies', async () => {
  const without = await (await francs()).open();
  const session = await (await francs({ rates: USDCHF })).open();
  const [plain, rated] = [without.play(), session.play()];
  expect(askedIn(session, rated)).toEqual(askedIn(without, plain));
  expect(session.from).toBe(without.from);
  expect([isoTime(rated.startedAt), isoTime(rated.endedAt)]).toEqual([isoTime(plain.startedAt), isoTime(plain.endedAt)]);
  expect(rated.quotes).toBeGreaterThan(plain.quotes);
  expect(session.lanes.map(({ lane }) => String(lane.id))).toEqual(['btcusd@base:1', 'usdchf@base:1']);
  expect(session.traded.map(({ lane }) => String(lane.id))).toEqual(['btcusd@base:1']);
});

test('a product of account.rates that the data has not is one warning, and everything is played without it', async () => {
  const only = { rates: USDCHF, files: { btcusd: BTC } };
  const session = await (await francs(only)).open();
  const run = session.play();
  const told = backtestHeadlines(session, run).flatMap(({ code, level, text }) => (code === 'NOT_RECORDED' ? [`${level}: ${text}`] : []));
  expect(told).toEqual([
    expect.stringMatching(/^warning: account\.rates: usdchf gives no rate: \S+recordings holds no quotes of usdchf; it holds btcusd from /),
  ]);
  expect(reportOfBacktest(session, run, { curve: undefined }).orders.length).toBe(2);
  const { config, dir } = await francs(only);
  const { rateFaults, told: lines } = dataFaults(dir, config.settings);
  expect(rateFaults).toEqual([]);
  expect(lines).toContainEqual(expect.stringMatching(/^account\.rates: usdchf gives no rate: /));
});

/** The net profits of a sweep of `swing` alone, in the order of the ranking. */
async function swept(parts: Parts): Promise<readonly (readonly unknown[])[]> {
  const b = await francs(parts);
  const wanted = { vary: ['swing.out=110,120'], random: undefined, seed: '1', by: 'netProfit' };
  const only = sweptIn(wanted, b.config.settings.strategies);
  expect(only).toEqual(['swing']);
  const { ranking } = await sweep(await studyOf(b, { only }), wanted, playing());
  return [[ranking.ranked], ...ranking.trials.map(({ params, figures }) => [params.swing?.out, figures.netProfit])];
}

test('a sweep of one strategy has the rate where no other strategy is played', async () => {
  const lane = 'inputs: { x: { product: usdchf, amount: { base: 1 } } }';
  const others = `  - { id: other, use: pair, product: btcusd, amount: { base: 1 }, ${lane.replace('x:', 'hedge:')} }\n`;
  const none = await swept({ others });
  expect(none[0]).toEqual([0]);
  // 20 usd and 10 usd at 0.9.
  expect(await swept({ others, rates: USDCHF })).toEqual([[2], [120, expect.closeTo(18, 9)], [110, expect.closeTo(9, 9)]]);
});

test('lanes of rates count once beside those of strategies, and as connections', () => {
  const rates =
    '{ product: btcusd, amount: { base: 0.010 } }, { product: eurusd, amount: { base: 100 } }, { product: eurusd, amount: { base: 100 } }';
  const yaml = `account: { rates: [${rates}] }\nstrategies:\n  - { id: one, use: sma-cross, product: btcusd, amount: { base: 0.01 } }\n`;
  const { settings } = configOf(yaml);
  expect(lanesOf(settings).map(({ id }) => String(id))).toEqual(['btcusd@base:0.01', 'eurusd@base:100']);
  expect(() => lanesOf(settings, { max: 3, reserve: 2 })).toThrow(
    'lanes.max: the strategies and account.rates need 2 lanes, lanes.reserve keeps 2, and 3 are allowed',
  );
});
