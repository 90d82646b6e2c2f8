import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { whysOf } from '#adapters/journal/booked.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import type { TradeQuery } from '#adapters/journal/trade-queries.ts';
import { PastTrades } from '#daemon/page/past-trades.ts';
import { tradesCsv, tradesView } from '#daemon/page/trade-history.ts';
import { isoTime, runId } from '#domain/names.ts';
import type { OrderText } from '#domain/order.ts';
import { accepted, orderFacts, permits, START, sent } from '../../adapters/journal/order-rows.ts';
import { newFolder } from '../../support/folder.ts';

let folder: string;
let journal: SqliteJournal;
let reader: JournalReader;

beforeEach(() => {
  folder = newFolder();
  const file = path.join(folder, 'kairos.db');
  journal = SqliteJournal.open({ path: file, book: 'paper', beforeCommit: () => {} });
  journal.beginRun({ run: runId('run-1'), at: START, mode: 'paper', version: 'test', configHash: 'hash', configJson: '{}' });
  reader = JournalReader.open(file);
});
afterEach(() => {
  reader.close();
  journal.close();
});

/** An order at a price, executed with a fee of 0.5 usd. */
function executed(n: number, side: 'buy' | 'sell', price: string, strategy = 'sma'): OrderText {
  const value = String(Number(price) * 0.01);
  const order = orderFacts(n, { side, price, value, fee: '0.5', strategy });
  journal.commit([...permits(order), sent(order), accepted(order)]);
  return order;
}

const ANY: TradeQuery = { strategy: null, product: null, outcome: null, sort: 'closed', isUpwards: false };
const ALL = { offset: 0, limit: 100 };

test('a sell is told with what it made, a buy that opens with nothing; what comes later is added to it', () => {
  const trades = new PastTrades(reader);
  const entry = executed(1, 'buy', '61000');
  expect(trades.readOn().closedBy(entry.id)).toBeNull();
  const exit = executed(2, 'sell', '61300');
  expect(trades.readOn().closedBy(exit.id)).toEqual({ profit: 2, currency: 'usd' });
  executed(3, 'buy', '61000');
  executed(4, 'sell', '60900');
  trades.readOn();
  const again = new PastTrades(reader).readOn();
  for (const read of [trades, again]) {
    expect(read.days()).toEqual([{ day: '2026-11-21', currency: 'usd', profit: 0, trades: 2, won: 1 }]);
    expect(read.closedOn(START).get('sma')).toMatchObject([{ profit: 0, trades: 2 }]);
    expect(read.closedOn(START + 86_400_000).get('sma')).toBeUndefined();
    expect(['1-1', '2-1', '3-1', '4-1'].map((order) => read.closedBy(order)?.profit ?? null)).toEqual([null, 2, null, -2]);
    read.close();
  }
});

test('round trips are filtered and sorted over all of them, and a page of them has why in, why out and the sums', () => {
  executed(1, 'buy', '61000');
  executed(2, 'sell', '61300');
  executed(3, 'buy', '61000', 'other');
  executed(5, 'sell', '60900', 'other');
  const { found } = new PastTrades(reader).readOn();
  const whyOf = reader.named(whysOf);
  const profits = (over: Partial<TradeQuery>) => found.trades({ ...ANY, ...over }, ALL).map(({ profit }) => Number(profit));
  expect(profits({ sort: 'profit' })).toEqual([2, -2]);
  expect(profits({ sort: 'profit', isUpwards: true })).toEqual([-2, 2]);
  expect(profits({ sort: 'held' })).toEqual([-2, 2]);
  expect(profits({ outcome: 'lost' })).toEqual([-2]);
  expect(profits({ strategy: 'sma' })).toEqual([2]);
  expect(profits({ product: 'ethusd' })).toEqual([]);
  const view = tradesView(found, { ...ANY, offset: 1, limit: 1 }, whyOf);
  expect(view).toMatchObject({ total: 2, sums: [{ currency: 'usd', profit: 0, fees: 2, trades: 2, won: 1 }] });
  expect(view.trades).toMatchObject([
    { strategy: 'sma', side: 'long', entryPrice: '61000', exitPrice: '61300', heldMs: 1000, whyIn: 'fast above slow', profit: 2 },
  ]);
  const [head, row] = tradesCsv(found.trades(ANY, ALL), () => '=a, "b"', isoTime).split('\r\n');
  expect(head).toMatch(/^strategy,product,side,size,opened,entry price,entry order,why in,/);
  expect(row).toMatch(/^other,btcusd,long,0.01,2026-11-21T03:00:04.000Z,61000,3-1,"'=a, ""b""",.*,2,1,-2,usd,-0.32/);
});

test('what all round trips come to is of the same look as what was closed today, also where it was added up before or anew', () => {
  const [one, other] = [new PastTrades(reader), new PastTrades(reader)];
  expect(one.readOn().sums()).toEqual([]);
  for (let n = 1; n < 12; n += 2) {
    executed(n, 'buy', '61000');
    executed(n + 1, 'sell', n % 4 === 1 ? '61300' : '60900');
    const [sum] = one.readOn().sums();
    expect(one.closedOn(START).get('sma')).toMatchObject([{ profit: sum?.profit, trades: sum?.trades }]);
  }
  expect(one.sums()).toEqual(other.readOn().found.sums(ANY));
  expect(other.sums()).toEqual([{ currency: 'usd', profit: 0, trades: 6, won: 3, fees: 6 }]);
  one.close();
  other.close();
});

/** What was read of the journal, in all its forms. */
function told(trades: PastTrades) {
  const { found } = trades.readOn();
  const lists = [found.trades(ANY, ALL), found.moved(), found.pairs(), [...found.counts().values()], found.tallies('')];
  return { lists, held: trades.holdings([]), first: found.firstEntry('run-1') };
}

test('F53 what was read is not read again by the next start, one row at a time or all at once comes to the same, and two threads may read', () => {
  const [one, other] = [new PastTrades(reader), new PastTrades(reader)];
  for (let n = 1; n < 30; n += 1) {
    executed(n, n % 3 === 2 ? 'sell' : 'buy', String(61000 + n), n % 2 ? 'sma' : 'other');
    (n % 5 === 0 ? other : one).readOn();
  }
  const grown = [told(one), told(other)];
  one.close();
  other.close();
  const next = new PastTrades(reader);
  const names = reader.named((database) => {
    const read: string[] = [];
    const { prepare } = database;
    database.prepare = function spied(this: typeof database, sql: string) {
      read.push(sql);
      return prepare.call(this, sql);
    } as typeof database.prepare;
    next.readOn();
    database.prepare = prepare;
    return read;
  });
  expect(names.filter((sql) => /count\(|FROM ledger b/.test(sql)).length).toBeLessThanOrEqual(3);
  grown.push(told(next));
  next.close();
  rmSync(path.join(folder, 'kairos.db.figures'));
  const anew = new PastTrades(reader);
  grown.push(told(anew));
  anew.close();
  expect(grown[0]?.lists[0]).not.toHaveLength(0);
  for (const one of grown) expect(one).toEqual(grown.at(-1));
});

test('figures of another journal, of an older copy, of another format and broken ones are made anew', () => {
  executed(1, 'buy', '61000');
  executed(2, 'sell', '61300');
  new PastTrades(reader).readOn().close();
  const figures = path.join(folder, 'kairos.db.figures');
  const changed = (sql: string): void => {
    const database = new Database(figures);
    database.exec(sql);
    database.close();
  };
  const spoils: readonly (() => void)[] = [
    () => changed(`UPDATE place SET value = '["another run", null]' WHERE name = 'journal'; DELETE FROM trades`),
    () => changed(`UPDATE place SET value = '{"entry":99,"seq":99,"order":99}' WHERE name = 'read'; DELETE FROM trades`),
    () => changed('DROP TABLE trades; PRAGMA user_version = 99'),
    () => writeFileSync(figures, 'no database at all, but a text that is long enough to be looked at as one'.repeat(20)),
  ];
  for (const spoil of spoils) {
    spoil();
    const trades = new PastTrades(reader);
    expect(trades.readOn().days()).toMatchObject([{ profit: 2, trades: 1 }]);
    trades.close();
  }
  const open = new PastTrades(reader).readOn();
  changed('DROP TABLE pairs');
  executed(3, 'buy', '61000');
  expect(open.readOn().days()).toMatchObject([{ profit: 2, trades: 1 }]);
  open.close();
  rmSync(figures);
  mkdirSync(figures);
  expect(new PastTrades(reader).readOn().days()).toMatchObject([{ profit: 2, trades: 1 }]);
});
