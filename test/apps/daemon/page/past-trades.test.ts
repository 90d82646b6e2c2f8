import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { whysOf } from '#adapters/journal/booked.ts';
import { JournalReader } from '#adapters/journal/reader.ts';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { PastTrades } from '#apps/daemon/page/past-trades.ts';
import { filteredTrades, tradesCsv, tradesView } from '#apps/daemon/page/trade-history.ts';
import { isoTime, runId } from '#domain/names.ts';
import type { OrderText } from '#domain/order-text.ts';
import type { TradeFilter } from '#server/page/history-ask.ts';
import { accepted, orderFacts, permits, START, sent } from '../../../adapters/journal/order-rows.ts';

let folder: string;
let journal: SqliteJournal;
let reader: JournalReader;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kairos-trades-'));
  const file = path.join(folder, 'kairos.db');
  journal = SqliteJournal.open({ path: file, book: 'paper', beforeCommit: () => {} });
  journal.beginRun({ run: runId('run-1'), at: START, mode: 'paper', version: 'test', configHash: 'hash', configJson: '{}' });
  reader = JournalReader.open(file);
});
afterEach(() => {
  reader.close();
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

/** An order at a price, executed with a fee of 0.5 usd. */
function executed(n: number, side: 'buy' | 'sell', price: string, strategy = 'sma'): OrderText {
  const value = String(Number(price) * 0.01);
  const order = orderFacts(n, { side, price, value, fee: '0.5', strategy });
  journal.commit([...permits(order), sent(order), accepted(order)]);
  return order;
}

const ANY: TradeFilter = { strategy: null, product: null, outcome: null, sort: 'closed', isUpwards: false };

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
    expect(read.closedOn('sma', START)).toEqual({ profit: 0, trades: 2 });
    expect(read.closedOn('sma', START + 86_400_000)).toEqual({ profit: 0, trades: 0 });
    expect(read.fills.map(({ orderId, closed }) => [orderId, closed?.profit ?? null])).toEqual([
      ['1-1', null],
      ['2-1', 2],
      ['3-1', null],
      ['4-1', -2],
    ]);
  }
});

test('round trips are filtered and sorted over all of them, and a page of them has why in, why out and the sums', () => {
  executed(1, 'buy', '61000');
  executed(2, 'sell', '61300');
  executed(3, 'buy', '61000', 'other');
  executed(5, 'sell', '60900', 'other');
  const { trades } = new PastTrades(reader).readOn();
  const whyOf = reader.named(whysOf);
  const profits = (over: Partial<TradeFilter>) => filteredTrades(trades, { ...ANY, ...over }).map(({ profit }) => profit.toNumber());
  expect(profits({ sort: 'profit' })).toEqual([2, -2]);
  expect(profits({ sort: 'profit', isUpwards: true })).toEqual([-2, 2]);
  expect(profits({ sort: 'held' })).toEqual([-2, 2]);
  expect(profits({ outcome: 'lost' })).toEqual([-2]);
  expect(profits({ strategy: 'sma' })).toEqual([2]);
  expect(profits({ product: 'ethusd' })).toEqual([]);
  const view = tradesView(filteredTrades(trades, ANY), { offset: 1, limit: 1 }, whyOf);
  expect(view).toMatchObject({ total: 2, sums: [{ currency: 'usd', profit: 0, fees: 2, trades: 2, won: 1 }] });
  expect(view.trades).toMatchObject([
    { strategy: 'sma', side: 'long', entryPrice: '61000', exitPrice: '61300', heldMs: 1000, whyIn: 'fast above slow', profit: 2 },
  ]);
  const [head, row] = tradesCsv(filteredTrades(trades, ANY), () => '=a, "b"', isoTime).split('\r\n');
  expect(head).toMatch(/^strategy,product,side,size,opened,entry price,entry order,why in,/);
  expect(row).toMatch(/^other,btcusd,long,0.01,2026-11-21T03:00:04.000Z,61000,3-1,"'=a, ""b""",.*,2,1,-2,usd,-0.32/);
});
