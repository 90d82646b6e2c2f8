import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { importFile } from '#adapters/recording/import/import-file.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { currency, isoTime, productCode } from '#domain/names.ts';
import { metricIn } from '#report/figures.ts';
import { reportOfBacktest } from '#research/backtest/backtest-report.ts';
import { outcomeOf } from '#research/backtest/outcome.ts';
import { configOf, folder } from '../../config/support.ts';
import { OFF, ofKind, sessionOf } from './session-bench.ts';

const FROM = Date.parse('2026-01-05T00:00:00Z');
const MINUTE_MS = 60_000;

/** Takes its side at the first bar, and wants more at each bar from a minute on. */
const HOLD = `import { buy, param, sell, strategy } from 'kairos/strategy';
import { scan } from 'rxjs';
export default strategy({
  name: 'hold',
  params: { short: param.int(0, { min: 0, max: 1 }), more: param.int(1000, { min: 1, max: 1000 }) },
  signals: ({ quotes$ }) => quotes$.pipe(scan((n) => n + 1, 0)),
  decide: (n, { amount }, { short, more }) => (n === 1 || n > more ? (short ? sell(amount, 'in') : buy(amount, 'in')) : undefined),
});
`;

/** Lowest, highest and last price of a bar. */
type Bar = readonly [low: number, high: number, last: number];
const flat = (price: number): Bar => [price, price, price];

interface Parts {
  readonly btcusd: readonly Bar[];
  readonly ethusd: readonly Bar[];
  /** The side that ethusd is held on. */
  readonly short?: boolean;
  /** From which bar on btcusd is bought again. */
  readonly more?: number;
  /** Bars that btcusd has before the others begin. */
  readonly earlier?: number;
  readonly amount?: number;
  readonly barPath?: 'worst';
  readonly risk: string;
  readonly everyQuote?: boolean;
}

/** Two strategies hold one unit each of two products whose imported bars end together, without spread and fees. */
async function held({ short = false, more = 1000, earlier = 0, amount = 1, barPath, risk, everyQuote, ...files }: Parts) {
  const cwd = folder();
  mkdirSync(path.join(cwd, 'strategies'));
  writeFileSync(path.join(cwd, 'strategies', 'hold.ts'), HOLD);
  for (const code of ['btcusd', 'ethusd'] as const) {
    const file = path.join(cwd, `${code}.csv`);
    const bars = [...(code === 'btcusd' ? Array.from({ length: earlier }, () => flat(100)) : []), ...files[code]];
    const begin = FROM - (code === 'btcusd' ? earlier : 0) * MINUTE_MS;
    const rows = bars.map(([low, high, last], n) => `${begin + n * MINUTE_MS},${last},${high},${low},${last}\n`);
    writeFileSync(file, `time,open,high,low,close\n${rows.join('')}`);
    const lane = laneFor(productCode(code), amountOf({ base: '1' }));
    const names = { baseCcy: currency(code.slice(0, 3)), quoteCcy: currency('usd') };
    const ticks = { lane, ...names, size: 1, feePercentage: 0, validMs: 3000, afterMs: 0, crossed: 'drop' } as const;
    const out = path.join(cwd, 'recordings');
    await importFile({ file, map: { unit: 'auto' }, ticks, spreadBps: 0, out, ...(barPath && { barPath }) });
  }
  const one = (id: string, params: string): string =>
    `  - { id: ${id}, use: hold, product: ${id}, amount: { base: ${amount} }, budget: { usd: 500 }, params: ${params} }\n`;
  const strategies = `strategies:\n${one('btcusd', `{ more: ${more} }`)}${one('ethusd', `{ short: ${Number(short)} }`)}`;
  const yaml = `account: { allowShort: [ethusd] }\n${strategies}${OFF.replace('}', `, collarPct: off, ${risk} }`)}`;
  const rest = 'backtest: { latency: 0, slippagePct: 0, atEnd: keep }\nrecording: { dir: recordings }\njournal: { path: kairos.db }\n';
  const session = await sessionOf(configOf(`${yaml}${rest}`, { cwd }), cwd, { ...(everyQuote && { everyQuote }) });
  const run = session.play();
  const reduced = ofKind(run, 'reducing').map(({ at, detail, reason }) => [isoTime(at).slice(11, 16), reason, detail.why]);
  const peaks = ofKind(run, 'measured').map(({ detail }) => detail.byCurrency.usd?.peak);
  const refused = ofKind(run, 'refused').map(({ at, reason }) => `${isoTime(at).slice(11, 16)} ${reason}`);
  const { sections, equity } = reportOfBacktest(session, run, { curve: undefined });
  const chart = typeof equity === 'string' ? [] : equity.chart.map(({ low }) => low);
  const drawdown = { money: metricIn(sections, 'maxDrawdownMoney'), lowest: Math.min(...chart) };
  return { run, reduced, peaks, refused, drawdown, orders: outcomeOf(run).orders };
}

const STEPS = [100, 140, 60, 150, 70, 100, 160, 50].map(flat);

describe('bars that end together count together', () => {
  test.each([
    { title: 'as imported', amount: 1 },
    { title: 'of amounts that are modelled', amount: 0.5 },
    { title: 'quote by quote', amount: 1, everyQuote: true },
    { title: 'of files that begin at different times', amount: 1, earlier: 7 },
  ])(
    'two legs whose sum is flat have no drawdown, no loss and no highest, for limits and in reports: $title',
    async ({ title: _, ...more }) => {
      const { orders, reduced, peaks, drawdown } = await held({
        ...{ btcusd: STEPS, ethusd: STEPS, short: true, ...more },
        risk: 'maxDrawdownPct: 1, maxDayLoss: { usd: 5 }',
      });
      expect(orders.accepted).toBe(2);
      expect(reduced).toEqual([]);
      expect(peaks.every((peak) => Math.abs(peak ?? Number.NaN) < 1e-9)).toBe(true);
      expect(drawdown).toEqual({ money: expect.closeTo(0, 9), lowest: expect.closeTo(1_000, 9) });
    },
  );

  test('a loss of a product whose bar comes later refuses what another wants to open at that time', async () => {
    const [still, fallen] = [[100, 100, 100, 100].map(flat), [100, 100, 50, 50].map(flat)];
    const { reduced, refused } = await held({ btcusd: still, ethusd: fallen, more: 2, risk: 'maxDrawdownPct: 4' });
    expect(reduced).toEqual([['00:03', 'MAX_DRAWDOWN', '50 usd below the peak, 5 %; risk.maxDrawdownPct is 4']]);
    expect(refused).toEqual(['00:03 REDUCING', '00:04 REDUCING']);
  });

  test('the range of a bar counts with the last prices of the others', async () => {
    const [wide, legs] = [[100, 100, 200].map(flat), { short: true, barPath: 'worst' }] as const;
    const low: readonly Bar[] = [flat(100), flat(100), [170, 200, 200]];
    const parts = { ...legs, btcusd: low, ethusd: wide };
    const { reduced, drawdown } = await held({ ...parts, risk: 'maxDrawdownPct: 4' });
    expect(reduced).toEqual([]);
    expect(drawdown).toEqual({ money: expect.closeTo(30, 9), lowest: expect.closeTo(970, 9) });
    expect((await held({ ...parts, risk: 'maxDrawdownPct: 3' })).reduced).toEqual([
      ['00:03', 'MAX_DRAWDOWN', '30 usd below the peak, 3 %; risk.maxDrawdownPct is 3'],
    ]);
  });
});
