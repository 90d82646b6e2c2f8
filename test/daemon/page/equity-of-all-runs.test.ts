import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { JournalReader } from '#adapters/journal/reader.ts';
import { SqliteJournal } from '#adapters/journal/sqlite-journal.ts';
import { EquityReader } from '#daemon/page/equity-history.ts';
import { PastTrades } from '#daemon/page/past-trades.ts';
import { RunQuotes } from '#daemon/page/run-quotes.ts';
import { isoTime, runId } from '#domain/names.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { accepted, orderFacts, permits, row, START, sent } from '../../adapters/journal/order-rows.ts';
import { newFolder } from '../../support/folder.ts';
import { laneColumns } from '../../support/report-data.ts';

const btc = laneColumns([0, 9].map((s) => ({ at: START + s * 1000, buy: 60_510, sell: 60_500 })));
const btcLater = laneColumns([20, 29].map((s) => ({ at: START + s * 1000, buy: 60_510, sell: 60_500 })));
const eth = laneColumns(
  [20, 29].map((s) => ({ at: START + s * 1000, buy: 2_501, sell: 2_500 })),
  { product: 'ethusd' },
);

interface Options {
  readonly quoteCcy?: string;
  readonly isKept?: boolean;
  /** The account's. */
  readonly currency?: string;
}

function configOf(id: string, product: string, { isBeside = false, currency = 'usd' } = {}): string {
  const entry = { id, product, amount: { base: '0.01' }, use: 'sma-cross' };
  return JSON.stringify({
    account: { currency },
    strategies: isBeside ? [{ ...entry, id: 'sma', product: 'btcusd' }, entry] : [entry],
  });
}

const endowed = (strategy: string, n: number, currency = 'usd') =>
  row('booked', { who: 'kairos', why: 'test', entries: [{ kind: 'opening', book: strategy, currency, amount: '10000' }] }, { n });

const ordersIn = (quoteCcy: string) => {
  const common = { product: `btc${quoteCcy}`, baseCcy: 'btc', quoteCcy, fee: '0.5', feeCcy: quoteCcy } as const;
  return {
    bought: orderFacts(1, { ...common, price: '61000', value: '610' }),
    sold: orderFacts(3, { ...common, side: 'sell', price: '57000', value: '570' }),
    boughtAgain: orderFacts(5, { ...common, price: '60000', value: '600' }),
  };
};

/** Equity of all runs of a journal by second: in the first `sma` trades bitcoin, in the second `streak` is in its place and watches ether. */
function equityOf(held: 'nothing' | 'bitcoin', quotes: Readonly<Record<string, readonly QuoteColumns[]>>, options?: Options) {
  return historyOf(held, quotes, options).points.map(({ at, equity: worth }) => [isoTime(at).slice(17, 19), Math.round(worth * 100) / 100]);
}

function historyOf(
  held: 'nothing' | 'bitcoin',
  quotes: Readonly<Record<string, readonly QuoteColumns[]>>,
  { quoteCcy = 'usd', isKept = false, currency = 'usd' }: Options = {},
) {
  const folder = newFolder();
  const file = path.join(folder, 'kairos.db');
  const journal = SqliteJournal.open({ path: file, book: 'paper', beforeCommit: () => {} });
  const run = { mode: 'paper', version: 'test', configHash: 'hash' } as const;
  journal.beginRun({ run: runId('run-1'), at: START, ...run, configJson: configOf('sma', 'btcusd', { currency }) });
  journal.commit([endowed('sma', 0, quoteCcy)]);
  const orders = ordersIn(quoteCcy);
  for (const order of [orders.bought, orders.sold, ...(held === 'bitcoin' ? [orders.boughtAgain] : [])])
    journal.commit([...permits(order), sent(order), accepted(order)]);
  journal.beginRun({
    run: runId('run-2'),
    at: START + 20_000,
    ...run,
    configJson: configOf('streak', 'ethusd', { isBeside: isKept, currency }),
  });
  journal.commit([endowed('streak', 20)]);
  const reader = JournalReader.open(file);
  onTestFinished(() => {
    reader.close();
    journal.close();
  });
  class Recorded extends RunQuotes {
    override of(of: string, { product: wanted }: { readonly product?: string } = {}) {
      return (quotes[of] ?? []).filter(({ product }) => wanted === undefined || product === wanted);
    }
  }
  const trades = new PastTrades(reader);
  const equity = new EquityReader({ journal: reader, trades, quotes: new Recorded(folder, () => 0), monotonicMs: () => 0 });
  equity.read('all');
  return equity.read('all');
}

test('what a strategy lost stays lost in the equity of later runs that are configured without it', () => {
  const points = equityOf('nothing', { 'run-1': [btc], 'run-2': [eth] });
  expect(new Set(points.flatMap(([second, worth]) => (Number(second) >= 9 ? [worth] : [])))).toEqual(new Set([9_959]));
  expect(points.at(-1)).toEqual(['29', 9_959]);
});

test('a position of a strategy that is gone has its last recorded price, else its entry price', () => {
  expect(equityOf('bitcoin', { 'run-1': [btc], 'run-2': [eth] }).at(-1)).toEqual(['29', 9_959 - 0.5 + 5]);
  expect(equityOf('bitcoin', { 'run-2': [eth] }).at(-1)).toEqual(['29', 9_959 - 0.5]);
});

test('a strategy that is added raises the equity by its budget, also while the one before goes on trading', () => {
  const quotes = { 'run-1': [btc], 'run-2': [btcLater, eth] };
  const points = equityOf('nothing', quotes, { isKept: true });
  expect(points.filter(([second]) => Number(second) <= 9).at(-1)).toEqual(['09', 9_959]);
  // From the begin of its run on, and told as what came in.
  expect(new Set(points.flatMap(([second, worth]) => (Number(second) >= 20 ? [worth] : [])))).toEqual(new Set([19_959]));
  expect(historyOf('nothing', quotes, { isKept: true }).joined).toBe(10_000);
});

test('what it made in a currency that no recorded quote converts is left out', () => {
  expect(equityOf('nothing', { 'run-2': [eth] }, { quoteCcy: 'eur' }).at(-1)).toEqual(['29', 10_000]);
});

/** A dollar is worth 1 eur at first, and 0.8 eur from the ninth second on. */
const usdInEur = (from: number, usd: readonly number[]) =>
  laneColumns(
    usd.map((buy, n) => ({ at: START + (from + n * 9) * 1000, buy })),
    { product: 'eurusd', size: 1_000_000 },
  );

test('budgets in another currency are worth the same on both sides of a restart: no step where nothing happened', () => {
  const quotes = { 'run-1': [btc, usdInEur(0, [1, 1.25])], 'run-2': [btcLater, eth, usdInEur(20, [1.25, 1.25])] };
  const points = equityOf('nothing', quotes, { currency: 'eur', isKept: true });
  const before = points.filter(([second]) => Number(second) <= 9);
  expect([before[0], before.at(-1)]).toEqual([
    ['00', 10_000],
    ['09', 7_967.2],
  ]);
  // At the restart the budget of the strategy that was added comes on top, and nothing else.
  expect(new Set(points.flatMap(([second, worth]) => (Number(second) >= 20 ? [worth] : [])))).toEqual(new Set([15_967.2]));
  expect(points.at(-1)).toEqual(['29', 15_967.2]);
});

test('the equity of all runs has no equity drawdown, which is of one run and begins anew with each', () => {
  const quotes = { 'run-1': [btc], 'run-2': [eth] };
  for (const point of historyOf('nothing', quotes).points) expect(Object.keys(point)).toEqual(['at', 'equity', 'low', 'high']);
});

test('a budget in a currency that no recorded quote converts is left out, as in the bar of the page', () => {
  const quotes = { 'run-2': [eth, usdInEur(20, [1.25, 1.25])] };
  expect(equityOf('nothing', quotes, { currency: 'eur', quoteCcy: 'sek', isKept: true }).at(-1)).toEqual(['29', 8_000]);
});
