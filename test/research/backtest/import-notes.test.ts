import { expect, test } from 'vitest';
import type { ImportOf } from '#adapters/recording/import/imports.ts';
import { importNotes } from '#research/backtest/imports.ts';
import { AT, imported, MINUTE } from '../../adapters/recording/imported-bars.ts';

const bars = (minutes: readonly number[]): string =>
  `time,open,high,low,close\n${minutes.map((minute) => `${AT + minute * MINUTE},2,3,1,${2 + (minute % 2) / 10}\n`).join('')}`;

async function importOf(minutes: readonly number[], file: string, { lane = 'a', spreadBps = 2 } = {}): Promise<ImportOf> {
  const { facts, run } = (await imported(bars(minutes), { spreadBps })).result;
  return { run, lane, product: lane === 'a' ? 'btcusd' : 'ethusd', quoteCcy: 'usd', from: 0, to: 0, facts: { ...facts, files: [file] } };
}

test('what several files of one lane say alike is one line, with their rows and gaps together', async () => {
  const played = [
    await importOf([0, 1, 2], 'jan.csv'),
    await importOf([0, 1, 2], 'eth.csv', { lane: 'b' }),
    await importOf([0, 1, 2, 20, 21, 22], 'feb.csv'),
    await importOf([0, 1, 20, 21, 60, 61], 'mar.csv'),
    await importOf([0, 1], 'apr.csv', { spreadBps: 3 }),
    await importOf([0, 1], 'other.csv', { lane: 'c' }),
  ];
  const close = 'a bar is one quote, its last price at its end: stops and limits do not see the prices within the bar';
  const sides = 'the one price of a row is the mid; bid and ask are half the spread below and above it';
  const none = '0 crossed (drop), 0 locked, 0 unordered, 0 repeated';
  const lines = (files: string, spread: number, ...rest: readonly string[]): readonly string[] => [
    `prices of ${files} (ohlc): bars of 1m, imported; they were never offered for an order, and are taken as firm for 3 s: a latency below that worsens no fill`,
    close,
    'times: counted since 1970, in UTC',
    `a spread of ${spread} bps is assumed: ${sides}`,
    ...rest,
  ];
  const gaps = '3 gaps of more than ten bars, the longest 38 min from 2024-08-01T00:22:00.000Z: no quotes are played within them';
  expect(importNotes(played, new Set(['a', 'b']), {})).toEqual([
    ...lines('3 files, jan.csv to mar.csv', 2, gaps, `15 rows: ${none}`).map((line) => `btcusd: ${line}`),
    ...lines('apr.csv', 3, `2 rows: ${none}`).map((line) => `btcusd: ${line}`),
    ...lines('eth.csv', 2, `3 rows: ${none}`).map((line) => `ethusd: ${line}`),
  ]);
  const stale = importNotes(played, new Set(['a', 'b']), { btcusd: 60_000 }).filter((line) => line.includes('lanes.staleAfter'));
  expect(stale).toEqual(['btcusd: lanes.staleAfter counts between its prices alone: an imported price is fresh whenever it comes']);
});
