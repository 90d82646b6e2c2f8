import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { importFile } from '#adapters/recording/import/import-file.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { currency, productCode } from '#domain/names.ts';
import { seeded } from '#domain/seeded.ts';
import { bench, OFF, ofKind } from '../session-bench.ts';
import { linesOf } from './random-run.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;
const FROM = Date.UTC(2014, 0, 1);

/** A walk of bars of one width with holes, or of ticks at uneven times, as rows of a file. */
function walk(
  seed: string,
  {
    rows,
    widthMs,
    uneven = false,
    first = 100,
    from = FROM,
  }: { rows: number; widthMs: number; uneven?: boolean; first?: number | undefined; from?: number | undefined },
): string {
  const draw = seeded(seed);
  const lines: string[] = [];
  let [price, at] = [first, from];
  for (let n = 0; n < rows; n += 1) {
    price *= 1 + (draw.next() - 0.5) / 50;
    lines.push(`${at},${price.toFixed(2)}`);
    at += widthMs * (n % 40 === 39 ? 30 : n % 7 === 6 ? 3 : 1) * (uneven ? 1 + Math.floor(draw.next() * 9) : 1);
  }
  return `time,close\n${lines.join('\n')}\n`;
}

async function imported(
  dir: string,
  code: string,
  { rows, widthMs, first, from, size = 0.01 }: { rows: number; widthMs: number; first?: number; from?: number; size?: number },
): Promise<string> {
  const file = path.join(dir, `${code}-${size}.csv`);
  const uneven = widthMs === SECOND;
  writeFileSync(file, walk(code, { rows, widthMs, first, from, uneven }));
  const lane = laneFor(productCode(code), amountOf({ base: String(size) }));
  const names = { lane, baseCcy: currency(code.slice(0, 3)), quoteCcy: currency('usd'), size, feePercentage: 0.1 };
  const out = path.join(dir, 'imported');
  const map = { time: 'time', price: 'close', unit: 'ms' } as const;
  await importFile({
    file,
    map,
    ticks: { ...names, validMs: 3_000, afterMs: uneven ? SECOND : 0, crossed: 'drop' },
    spreadBps: 4,
    out: out,
  });
  return out;
}

/** Strategies that hold, cross, wait for hours, run out of a limit for the day, and cannot pay. */
const SETTINGS: Readonly<Record<string, string>> = {
  holds: `strategies:
  - { id: one, use: buy-and-hold, product: btcusd, amount: { base: 0.01 } }
`,
  crosses: `strategies:
  - { id: one, use: sma-cross, product: btcusd, amount: { base: 0.01 }, params: { fast: 2, slow: 5 } }
${OFF}`,
  'keeps hours': `strategies:
  - { id: one, use: ./strategies/eager.ts, product: btcusd, amount: { base: 0.01 }, windows: { open: ['mon-fri 09:00-17:00'] } }
risk: { maxOrdersPerMinute: 1, maxLossStreak: 2, lossCooldown: 90s }
`,
  'cannot pay': `strategies:
  - { id: one, use: ./strategies/eager.ts, product: btcusd, amount: { base: 0.01 }, budget: { usd: 0.5 } }
`,
  'two products': `strategies:
  - { id: one, use: sma-cross, product: btcusd, amount: { base: 0.01 }, params: { fast: 2, slow: 5 } }
  - { id: two, use: buy-and-hold, product: ethusd, amount: { base: 0.01 } }
${OFF}`,
};

const WIDTHS = [
  { name: 'ticks', widthMs: SECOND, rows: 400 },
  { name: 'minutes', widthMs: 60 * SECOND, rows: 400 },
  { name: 'hours', widthMs: HOUR, rows: 120 },
  { name: 'days', widthMs: DAY, rows: 20 },
  { name: 'weeks', widthMs: 7 * DAY, rows: 5 },
];

describe.each(Object.keys(SETTINGS))('a backtest of a strategy that %s costs by its rows and orders, never by the clock', (name) => {
  test.each(WIDTHS)('$name, with holes: as one by one, in few steps', async ({ widthMs, rows }) => {
    const { cwd, open } = bench(SETTINGS[name] ?? '');
    for (const code of ['btcusd', ...(name === 'two products' ? ['ethusd'] : [])]) await imported(cwd, code, { rows, widthMs });
    const data = path.join(cwd, 'imported');
    const run = (await open({ data })).play();
    expect(linesOf(run)).toEqual(linesOf((await open({ data, everyQuote: true })).play()));
    expect(run.steps).toBeLessThan(8 * (run.delivered + ofKind(run, 'approved').length) + 20);
  });
});

test('exits whose lane has no quotes yet look at none of another', async () => {
  const { cwd, open } = bench(`strategies:
  - { id: one, use: buy-and-hold, product: btcusd, amount: { base: 0.01 } }
  - { id: two, use: buy-and-hold, product: btcusd, amount: { base: 0.02 }, exits: { stopLossPct: 5 } }
${OFF}`);
  const rows = { rows: 400, widthMs: SECOND, first: 60_000 };
  await imported(cwd, 'btcusd', rows);
  await imported(cwd, 'btcusd', { ...rows, rows: 20, from: FROM + DAY, size: 0.02 });
  const data = path.join(cwd, 'imported');
  const run = (await open({ data })).play();
  expect(linesOf(run)).toEqual(linesOf((await open({ data, everyQuote: true })).play()));
  expect(run.oneByOne).toEqual([]);
});

test('a strategy that trades often looks once an order, at hardly more rows than it passes', async () => {
  const { cwd, open } = bench(`strategies:
  - { id: one, use: sma-cross, product: btcusd, amount: { base: 0.01 }, params: { fast: 5, slow: 20 } }
${OFF}`);
  await imported(cwd, 'btcusd', { rows: 4_000, widthMs: SECOND, first: 60_000 });
  const run = (await open({ data: path.join(cwd, 'imported') })).play();
  const orders = ofKind(run, 'approved').length;
  expect(orders).toBeGreaterThan(100);
  expect(run.looks.times).toBeLessThan(1.2 * orders);
  expect(run.looks.rows).toBeLessThan(1.2 * run.delivered);
});
