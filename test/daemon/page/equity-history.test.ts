import path from 'node:path';
import { expect, test } from 'vitest';
import { JournalReader } from '#adapters/journal/reader.ts';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { runRecord } from '#assembly/run-record.ts';
import { EquityReader } from '#daemon/page/equity-history.ts';
import { PastTrades } from '#daemon/page/past-trades.ts';
import { runMoney } from '#daemon/page/run-money.ts';
import { RunQuotes } from '#daemon/page/run-quotes.ts';
import { runId } from '#domain/names.ts';
import type { LedgerMovement, TradedProduct } from '#report/record.ts';
import { accepted, orderFacts, permits, START, sent } from '../../adapters/journal/order-rows.ts';
import { newFolder } from '../../support/folder.ts';

const CONFIG = JSON.stringify({
  account: { currency: 'usd' },
  strategies: [{ id: 'sma', product: 'btcusd', amount: { base: '0.01' }, use: 'sma-cross' }],
});

const pairsOf = (fills: readonly TradedProduct[]): readonly string[] =>
  fills.map(({ product, fill }) => `${product} ${fill.baseCcy} ${fill.quoteCcy}`);

function sumsOf(ledger: readonly LedgerMovement[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { book, product, kind, currency, amount } of ledger) {
    const of = [book, product, kind, currency].join(' ');
    sums[of] = (sums[of] ?? 0) + Number(amount);
  }
  return sums;
}

test('equity of a run that goes on is read for all pages once, the more seldom the longer it takes, and without its decisions', () => {
  const folder = newFolder();
  const file = path.join(folder, 'kairos.db');
  const journal = SqliteJournal.open({ path: file, book: 'paper', beforeCommit: () => {} });
  const at = { at: START, mode: 'paper', version: 'test', configHash: 'hash', configJson: CONFIG } as const;
  for (const n of [1, 2]) {
    journal.beginRun({ run: runId(`run-${n}`), ...at });
    const order = orderFacts(n);
    journal.commit([...permits(order), sent(order), accepted(order)]);
  }
  const reader = JournalReader.open(file);
  const trades = new PastTrades(reader);
  for (const run of ['run-1', 'run-2']) {
    const money = runMoney(trades, run);
    const { earlier, fills, ledger, ...whole } = runRecord(reader, run);
    expect(whole).toMatchObject({ run: money.run, startedAt: money.startedAt, endedAt: money.endedAt, currency: money.currency });
    expect([money.ledger, sumsOf(money.earlier.ledger)]).toEqual([ledger, sumsOf(earlier.ledger)]);
    expect([pairsOf(money.fills), pairsOf(money.earlier.fills)]).toEqual([pairsOf(fills), pairsOf(earlier.fills)]);
    expect([money.fills.length, money.earlier.fills.length]).toEqual([1, run === 'run-1' ? 0 : 1]);
  }
  let now = 0;
  const reads: number[] = [];
  class Slow extends RunQuotes {
    override of(run: string) {
      if (run === 'run-1') return [];
      reads.push(now);
      now += 2_000;
      return super.of(run);
    }
  }
  const equity = new EquityReader({ journal: reader, trades, quotes: new Slow(folder, () => now), monotonicMs: () => now });
  // Asked every 20 s: what took 2 s is kept for 40 s.
  for (const name of ['all', 'last', 'run-2', 'all', 'last', 'all']) {
    expect(equity.read(name).run).toBe('run-2');
    now += 20_000;
  }
  expect(reads).toEqual([0, 42_000, 84_000]);
  const read: string[] = [];
  class Long extends RunQuotes {
    override bytesOf() {
      return 6_000_000;
    }
    override of(run: string) {
      read.push(run);
      return super.of(run);
    }
  }
  // A page does not wait for long recordings: the first answer says that there is more, and the next ones have it.
  const first = new EquityReader({
    journal: reader,
    trades: new PastTrades(reader),
    quotes: new Long(folder, () => now),
    monotonicMs: () => now,
  });
  expect([first.read('all'), read]).toEqual([
    { run: 'run-2', currency: 'usd', why: null, joined: 0, runs: [], whole: false, points: [] },
    [],
  ]);
  expect([first.read('all').whole, read]).toEqual([true, ['run-2']]);
  reader.close();
  journal.close();
});
