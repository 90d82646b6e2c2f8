import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { JournalReader } from '#adapters/journal/reader.ts';
import { headerLine, quoteLine } from '#adapters/recording/log-format.ts';
import { exportRun } from '#daemon/operations/bundle/export-run.ts';
import { readMoney } from '#daemon/operations/report/money.ts';
import { reportOfRun } from '#daemon/operations/report/run-report.ts';
import { EquityReader } from '#daemon/page/equity-history.ts';
import { keptDays } from '#daemon/page/kept-days.ts';
import { PastTrades } from '#daemon/page/past-trades.ts';
import { RunQuotes } from '#daemon/page/run-quotes.ts';
import { runId } from '#domain/names.ts';
import { metricIn } from '#report/figures.ts';
import { profitBy } from '#report/profit.ts';
import { accepted, folder, openJournal, orderFacts, permits, RUN, row, START, sent } from '../../../adapters/journal/rows.ts';
import { configOf, strategyYaml } from '../../../config/support.ts';
import { quote } from '../../../support/market-data.ts';

const LATER = runId('20261121T040000Z-000002');
const HOUR = 3_600_000;

/**
 * The first run buys 0.004 and 0.006, is told that the account has 0.005 and that a fee of 0.6 was not taken in usd, and that 0.5 more is gone
 * where nothing is held; the second one sells the 0.005, gets 0.5 usd of fees back, and loses all of 0.001 that it buys. Then the price doubles.
 */
function corrected(): string {
  const dir = folder();
  const journal = openJournal(join(dir, 'kairos.db'));
  const facts = { mode: 'paper', version: '0.1.0', configHash: 'c0ffee', configJson: configOf(strategyYaml({ id: 'sma' })).json };
  const traded = (n: number, side: 'buy' | 'sell', size: string, price: string, fee: string) => {
    const value = String(Number(price) * Number(size));
    const order = orderFacts(n, { ...{ baseCcy: 'btc', quoteCcy: 'usd', feeCcy: 'usd' }, side, size, price, value, fee });
    return [...permits(order), sent(order), accepted(order)];
  };
  const correction = (currency: string, amount: string) =>
    ({ kind: 'correction', book: 'sma', product: 'btcusd', currency, amount }) as const;
  journal.beginRun({ run: RUN, at: START, ...facts });
  const opening = { kind: 'opening', book: 'sma', currency: 'usd', amount: '10000' } as const;
  journal.commit([row('booked', { who: 'kairos', why: 'opening balances', entries: [opening] }, { n: 0 })]);
  journal.commit([...traded(1, 'buy', '0.004', '60000', '0.6'), ...traded(3, 'buy', '0.006', '60000', '0')]);
  const entries = [correction('btc', '-0.005'), correction('usd', '0.6')];
  journal.commit([row('booked', { who: 'ann', why: 'what the account has', entries }, { n: 6 })]);
  journal.end(RUN, 'stopped');
  journal.beginRun({ run: LATER, at: START + HOUR, ...facts });
  const inLater = [
    ...traded(2, 'sell', '0.005', '66000', '0'),
    row('booked', { who: 'ann', why: 'nothing is held', entries: [correction('btc', '-0.5'), correction('usd', '0.5')] }, { n: 4 }),
    ...traded(5, 'buy', '0.001', '66000', '0'),
    row('booked', { who: 'ann', why: 'all of it is gone', entries: [correction('btc', '-0.001')] }, { n: 7 }),
  ];
  journal.commit(inLater.map((one) => ({ ...one, at: one.at + HOUR })));
  journal.end(LATER, 'stopped');
  journal.close();
  const record = (run: string, begin: number, prices: readonly number[]): void => {
    mkdirSync(join(dir, 'recordings', run), { recursive: true });
    const lines = prices.map((buy, n) => quoteLine(n + 1, begin + n * 1000, quote({ buy })));
    writeFileSync(join(dir, 'recordings', run, 'inbox.ndjson'), [headerLine(runId(run), 'paper'), ...lines].join(''));
  };
  record(RUN, START, [60_000, 60_000, 60_000, 60_000, 60_000, 60_000, 60_000, 60_000, 60_000]);
  record(LATER, START + HOUR, [60_000, 60_000, 66_000, 66_000, 66_000, 120_000, 120_000]);
  return dir;
}

test('after a correction of a position report, export, page and profit come to the same, and what is gone is held nowhere', async () => {
  const dir = corrected();
  const { settings } = configOf(
    `journal: { path: ${join(dir, 'kairos.db')} }\nrecording: { dir: ${join(dir, 'recordings')} }\n${strategyYaml({ id: 'sma' })}`,
  );
  const reader = JournalReader.open(settings.journal.path);
  const page = new EquityReader({
    ...{ journal: reader, trades: new PastTrades(reader), quotes: new RunQuotes(settings.recording.dir, () => 0) },
    monotonicMs: () => 0,
  });
  const told = async (run: string) => {
    const { sections, open, trades, equity } = reportOfRun({ settings, run });
    const bundle = join(dir, `bundle-${run}`);
    await exportRun({ settings, run, dir: bundle, folders: { cwd: dir, packaged: dir } });
    const exported = new Database(join(bundle, 'bundle.sqlite'), { readonly: true });
    const [last] = exported.prepare<[], { last: number }>('SELECT last FROM equity ORDER BY ends_at DESC').all();
    const trips = exported.prepare<[], number>('SELECT profit FROM round_trips').pluck().all();
    exported.close();
    return {
      net: metricIn(sections, 'netProfit'),
      revaluation: typeof equity === 'string' ? equity : equity.revaluation,
      trips: [trades.map(({ profit }) => profit), trips],
      open: open.map(({ size, unrealised }) => [size, unrealised]),
      ends: [metricIn(sections, 'finalEquity'), last?.last, page.read(run).points.at(-1)?.equity],
    };
  };
  // Of the 600 that were paid half is there, at the same price; the fee came back.
  expect(await told(RUN)).toEqual({ net: -300, revaluation: 0, trips: [[], []], open: [[0.005, -300]], ends: [9700, 9700, 9700] });
  expect(await told(LATER)).toEqual({
    ...{ net: -35.5, revaluation: 0, trips: [[-270], [-270]], open: [], ends: [9664.5, 9664.5, 9664.5] },
  });
  reader.close();
  const money = readMoney(settings);
  const [total] = profitBy('strategy', money, money.ledger).slice(-1);
  // Together what both runs lost.
  expect([total?.profit, total?.corrections, total?.unrealised].map(String)).toEqual(['-270', '-65.5', '0']);
  expect([Number(total?.return), money.holdings]).toEqual([-0.03355, []]);
  expect(keptDays(settings)?.rows).toEqual(profitBy('day', money, money.ledger));
});
