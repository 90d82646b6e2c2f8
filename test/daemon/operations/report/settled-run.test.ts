import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { headerLine, quoteLine } from '#adapters/recording/log-format.ts';
import { reportOfRun } from '#daemon/operations/report/run-report.ts';
import { runId } from '#domain/names.ts';
import { metricIn } from '#report/figures.ts';
import { fillOf, folder, openJournal, orderFacts, permits, RUN, row, START, sent, unknown } from '../../../adapters/journal/rows.ts';
import { configOf, strategyYaml } from '../../../config/support.ts';
import { quote } from '../../../support/market-data.ts';

const LATER = runId('20261121T040000Z-000002');
const HOUR = 3_600_000;

test('an order of an earlier run that a person settles as executed is traded, costs and is marked in the run that was told so', () => {
  const dir = folder();
  const journal = openJournal(join(dir, 'kairos.db'));
  const facts = { mode: 'paper', version: '0.1.0', configHash: 'c0ffee', configJson: configOf(strategyYaml({ id: 'sma' })).json };
  journal.beginRun({ run: RUN, at: START, ...facts });
  const opening = { kind: 'opening', book: 'sma', currency: 'usd', amount: '10000' } as const;
  journal.commit([row('booked', { who: 'kairos', why: 'opening balances', entries: [opening] }, { n: 0 })]);
  const order = orderFacts(1, { baseCcy: 'btc', quoteCcy: 'usd', feeCcy: 'usd' });
  journal.commit([...permits(order), sent(order), unknown(order)]);
  journal.end(RUN, 'stopped');
  journal.beginRun({ run: LATER, at: START + HOUR, ...facts });
  const settled = row('resolved', { who: 'ann', why: 'in the account', as: 'accepted', fill: fillOf(order) }, { order, n: 2 });
  journal.commit([{ ...settled, at: settled.at + HOUR }]);
  journal.end(LATER, 'stopped');
  journal.close();
  mkdirSync(join(dir, 'recordings', LATER), { recursive: true });
  const lines = Array.from({ length: 20 }, (_, n) => quoteLine(n + 1, START + HOUR + n * 1000, quote({ buy: 60_000 })));
  writeFileSync(join(dir, 'recordings', LATER, 'inbox.ndjson'), [headerLine(LATER, 'paper'), ...lines].join(''));
  const { settings } = configOf(
    `journal: { path: ${join(dir, 'kairos.db')} }\nrecording: { dir: ${join(dir, 'recordings')} }\n${strategyYaml({ id: 'sma' })}`,
  );
  const { sections, headlines, prices, orders } = reportOfRun({ settings, run: LATER });
  expect(headlines.filter(({ text }) => /never traded|nothing was executed/.test(text))).toEqual([]);
  const figures = ['fills', 'volume', 'feeCost', 'slippageCost', 'ordersSent'].map((id) => metricIn(sections, id));
  expect(figures).toEqual([1, Number(order.value), Number(order.fee), 0, 0]);
  expect(prices.map(({ marks }) => marks.map(({ order }) => order))).toEqual([[order.id]]);
  expect(orders.map(({ order: { id }, outcome, why }) => [id, outcome, why])).toEqual([[order.id, 'accepted', expect.stringMatching(/./)]]);
});
