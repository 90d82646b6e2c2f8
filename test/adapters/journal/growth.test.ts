import { statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { journalGrowth } from '#adapters/journal/growth.ts';
import { rotateAtRest } from '#adapters/journal/rotate.ts';
import { loadConfig } from '#config/load.ts';
import { growthFindings } from '#daemon/doctor/machine.ts';
import { runId } from '#domain/names.ts';
import { DAY_MS } from '#domain/utc-day.ts';
import { accepted, begin, folder, openJournal, orderFacts, permits, START, sent } from './rows.ts';

/** An order every second from the first on, of two strategies in turns. */
function trade(path: string, first: number, count: number): void {
  const journal = openJournal(path);
  begin(journal, runId(`r${first}`));
  const orders = Array.from({ length: count }, (_, n) => orderFacts(n + first, { strategy: n % 2 ? 'other' : 'sma' }));
  journal.commit(orders.flatMap((order) => [...permits(order), sent(order), accepted(order)]));
  journal.end(runId(`r${first}`), 'stopped');
  journal.close();
}

/** 25 minutes of orders. */
function traded(): string {
  const path = join(folder(), 'kairos.db');
  trade(path, 1, 1_500);
  const database = new Database(path);
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  return path;
}

const NOW = Date.UTC(2026, 0, 2);

test('what an order takes is what the file grows by for each, and a day is that of the strategies which are asked about', () => {
  const path = traded();
  const both = journalGrowth(path, ['sma', 'other']);
  const each = statSync(path).size / 1_500;
  expect((both.orderBytes ?? 0) / each).toBeGreaterThan(0.75);
  expect((both.orderBytes ?? 0) / each).toBeLessThan(1.25);
  expect((both.perDay?.orders ?? 0) / 86_400).toBeCloseTo(1, 1);
  expect((both.perDay?.bytes ?? 0) / (each * 86_400)).toBeGreaterThan(0.75);
  expect((both.perDay?.bytes ?? 0) / (each * 86_400)).toBeLessThan(1.25);
  expect((journalGrowth(path, ['sma']).perDay?.orders ?? 0) / 43_200).toBeCloseTo(1, 1);
});

test('a rotation changes nothing of it: orders whose decisions are archived do not count', async () => {
  const path = join(folder(), 'kairos.db');
  trade(path, 1, 200);
  const before = journalGrowth(path, ['sma', 'other']);
  await rotateAtRest(path, START + DAY_MS);
  expect(journalGrowth(path, ['sma', 'other'])).toMatchObject({ orderBytes: null, perDay: null });
  trade(path, 2_000, 100);
  const { orderBytes, perDay } = journalGrowth(path, ['sma', 'other']);
  expect((orderBytes ?? 0) / (before.orderBytes ?? 0)).toBeCloseTo(1, 1);
  expect((perDay?.bytes ?? 0) / (before.perDay?.bytes ?? 0)).toBeCloseTo(1, 1);
});

test('the doctor says it, and warns where the disk lasts less than a month', async () => {
  const path = traded();
  const { settings } = loadConfig({
    cwd: folder(),
    env: {},
    set: [`journal.path=${path}`, 'strategies=[{id: sma, use: sma-cross, product: btcusd, amount: {base: 0.01}}]'],
  });
  const said = async (free: number) => growthFindings(settings, { freeBytes: () => free, now: NOW });
  const [enough] = await said(1e12);
  expect(enough?.verdict).toBe('ok');
  expect(enough?.what).toMatch(/^\d+\.\d MB now, \d\.\d kB an order, \d+(\.\d)? MB a day at the recent rate \(4\d{4} orders a day\)$/);
  const due = { ...settings, journal: { ...settings.journal, rotate: { decisions: 10, monthly: false, keepDays: 0, at: null } } };
  expect(await growthFindings(due, { freeBytes: () => 1e12, now: NOW })).toMatchObject([
    { verdict: 'warn', what: expect.stringContaining('journal.rotate is due'), mend: expect.stringContaining('set journal.rotate.at') },
  ]);
  const byItself = { ...due, journal: { ...due.journal, rotate: { ...due.journal.rotate, at: '0 4 * * *' } } };
  expect((await growthFindings(byItself, { freeBytes: () => 1e12, now: NOW }))[0]?.verdict).toBe('ok');
  const [little] = await said(1e9);
  expect([little?.verdict, little?.what]).toEqual(['warn', expect.stringMatching(/: the disk lasts \d+ days?$/)]);
});

test('a journal that is not there yet has no size', async () => {
  const { settings } = loadConfig({ cwd: folder(), env: {}, set: [] });
  expect(await growthFindings(settings, { freeBytes: () => 0, now: NOW })).toEqual([]);
});
