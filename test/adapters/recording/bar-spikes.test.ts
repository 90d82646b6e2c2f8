import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { barSpikes } from '#adapters/recording/import/bar-spikes.ts';
import { importFile } from '#adapters/recording/import/import-file.ts';
import { importLines } from '#adapters/recording/import/import-lines.ts';
import type { PriceRow } from '#adapters/recording/import/row.ts';
import { readManifest } from '#adapters/recording/manifest.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { currency, productCode } from '#domain/names.ts';
import { newFolder } from '../../support/folder.ts';

const AT = Date.UTC(2024, 7, 1);
const MINUTE = 60_000;

/** Bars that go up and down by a tenth of a percent, with a range of two tenths. */
function bars(changes: Readonly<Record<number, Partial<PriceRow>>> = {}): readonly PriceRow[] {
  return Array.from({ length: 40 }, (_, n) => {
    const price = 1000 + (n % 3);
    return { at: n * MINUTE, bid: price, ask: price, low: price - 1, high: price + 1, open: price, ...changes[n] };
  });
}

test.each([
  ['a last price and high ten times as high', { 20: { bid: 10_000, ask: 10_000, high: 10_000 } }, { what: 'last price', price: 10_000 }],
  ['a high ten times as high', { 20: { high: 10_000 } }, { what: 'high', price: 10_000 }],
  ['a low a tenth as low', { 20: { low: 100 } }, { what: 'low', price: 100 }],
])('%s, with usual neighbours, is a spike', (_, changes, named) => {
  expect(barSpikes(bars(changes))).toEqual({ count: 1, at: 20 * MINUTE, before: 1001, after: 1000, ...named });
});

test('usual moves, a price that stays where it went, and a few bars are none', () => {
  expect(barSpikes(bars())).toBeNull();
  const after = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [20 + n, { bid: 10_000, ask: 10_000, low: 9_990, high: 10_010 }]));
  expect(barSpikes(bars(after))).toBeNull();
  expect(barSpikes(bars({ 1: { high: 10_000 } }).slice(0, 4))).toBeNull();
});

test('an import counts spikes, keeps them with --bad drop too, and its manifest and every result tell the furthest', async () => {
  const dir = newFolder();
  const file = path.join(dir, 'bars.csv');
  const rows = bars({ 10: { high: 2000 }, 20: { high: 10_000 } }).map(({ at, open, high, low, bid }) => [AT + at, open, high, low, bid]);
  writeFileSync(file, `time,open,high,low,close\n${rows.map((row) => `${row.join(',')}\n`).join('')}`);
  const lane = laneFor(productCode('btcusd'), amountOf({ base: '1' }));
  const names = { lane, baseCcy: currency('btc'), quoteCcy: currency('usd'), size: 1 };
  const ticks = { ...names, feePercentage: 0, validMs: 3000, afterMs: 0, crossed: 'drop' } as const;
  const result = await importFile({ file, map: { unit: 'ms', bad: 'drop' }, ticks, spreadBps: 2, out: path.join(dir, 'out') });
  const spikes = { count: 2, at: AT + 20 * MINUTE, what: 'high', price: 10_000, before: 1001, after: 1000 };
  const { imported } = readManifest(path.join(result.path, 'sealed'));
  expect(imported).toMatchObject({ spikes, counts: { rows: 40, quotes: 40, bad: 0 } });
  expect(importLines(result.facts)).toContain(
    '2 bars have a price more than 20 usual moves away from both neighbours, which was kept: the furthest is high 10000 in the bar of 2024-08-01T00:20:00.000Z, between 1001 and 1000',
  );
});
