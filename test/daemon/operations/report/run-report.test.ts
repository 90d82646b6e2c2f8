import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { headerLine, quoteLine } from '#adapters/recording/log-format.ts';
import { programFor } from '#cli/commands.ts';
import { runId } from '#domain/names.ts';
import { accepted, folder, openJournal, orderFacts, permits, RUN, row, START, sent } from '../../../adapters/journal/rows.ts';
import { configOf, strategyYaml } from '../../../config/support.ts';
import { quote } from '../../../support/market-data.ts';

const SECOND_RUN = runId('20261121T040000Z-000002');
const HOUR = 3_600_000;

/** What the command printed, on both outputs. */
async function report(dir: string, ...words: string[]): Promise<string> {
  let out = '';
  const take = (chunk: unknown): boolean => {
    out += String(chunk);
    return true;
  };
  const spies = [vi.spyOn(process.stdout, 'write').mockImplementation(take), vi.spyOn(process.stderr, 'write').mockImplementation(take)];
  try {
    const program = await programFor(['report']);
    const set = [`journal.path=${join(dir, 'kairos.db')}`, `recording.dir=${join(dir, 'recordings')}`];
    await program.parseAsync(['report', ...set.flatMap((one) => ['--set', one]), ...words], { from: 'user' });
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return out;
}

/** Two runs: the first buys, is halted and ends; the second, an hour later, sells what the first bought. */
function twoRuns(): string {
  const dir = folder();
  const journal = openJournal(join(dir, 'kairos.db'));
  const { json } = configOf(strategyYaml({ id: 'sma' }));
  const facts = { mode: 'paper', version: '0.1.0', configHash: 'c0ffee', configJson: json };
  journal.beginRun({ run: RUN, at: START, ...facts });
  const entries = [
    { kind: 'opening', book: 'sma', currency: 'usd', amount: '10000' },
    { kind: 'opening', book: 'treasury', currency: 'usd', amount: '990000' },
  ] as const;
  journal.commit([row('booked', { who: 'kairos', why: 'opening balances', entries })]);
  const currencies = { baseCcy: 'btc', quoteCcy: 'usd', feeCcy: 'usd' };
  const buy = orderFacts(1, { ...currencies, price: '60000', size: '0.01', value: '600', fee: '0.6' });
  journal.commit([...permits(buy), sent(buy), accepted(buy)]);
  journal.commit([row('halted', { who: 'ann', why: 'news' })]);
  journal.end(RUN, 'halted');
  journal.beginRun({ run: SECOND_RUN, at: START + HOUR, ...facts });
  const sell = orderFacts(2, { ...currencies, side: 'sell', price: '66000', size: '0.01', value: '660', fee: '0.66' });
  journal.commit([...permits(sell), sent(sell), accepted(sell)].map((one) => ({ ...one, at: START + HOUR + 2000 })));
  journal.end(SECOND_RUN, 'stopped');
  journal.close();
  const record = (run: string, lines: readonly string[]): void => {
    mkdirSync(join(dir, 'recordings', run), { recursive: true });
    writeFileSync(join(dir, 'recordings', run, 'inbox.ndjson'), [headerLine(runId(run), 'paper'), ...lines].join(''));
  };
  record(RUN, [quoteLine(1, START, quote({ buy: 60_000 })), quoteLine(2, START + 2000, quote({ buy: 60_000, sell: 59_900 }))]);
  record(SECOND_RUN, [quoteLine(3, START + HOUR, quote({ buy: 66_000 }))]);
  return dir;
}

const figuresOf = async (dir: string, run: string) =>
  JSON.parse(await report(dir, run, '--json')) as {
    readonly figures: Readonly<Record<string, { readonly value: number | null; readonly why?: string }>>;
    readonly headlines: readonly string[];
    readonly trades: readonly object[];
    readonly open: readonly object[];
  };

test('a run of the journal with its recording; the budget counts, the treasury does not', async () => {
  const dir = twoRuns();
  const { figures, headlines, open } = await figuresOf(dir, RUN);
  expect(figures.capital?.value).toBe(10_000);
  expect(figures.finalEquity?.value).toBeCloseTo(10_000 - 600.6 + 599, 9);
  expect(figures.sharpe).toMatchObject({ value: null, why: 'needs 30 whole days (UTC), there are 0' });
  expect(headlines[1]).toMatch(/^HALTED at .* to the end: news$/);
  expect(open).toMatchObject([{ strategy: 'sma', product: 'btcusd', size: 0.01, price: 59_900 }]);
});

test('of another journal, the recording is looked for where its run had it, as it lies from the journal', async () => {
  const dir = twoRuns();
  const { open } = JSON.parse(await report(folder(), RUN, '--journal', join(dir, 'kairos.db'), '--json'));
  expect(open).toMatchObject([{ strategy: 'sma', price: 59_900 }]);
});

test('a position that an earlier run left is there at the begin, and its round trip is that of the run that closes it', async () => {
  const dir = twoRuns();
  const { figures, headlines, trades, open } = await figuresOf(dir, 'last');
  expect(headlines[1]).toMatch(/^HALTED at 2026-11-21T04:00:00.000Z to the end: news$/);
  expect(figures.capital?.value).toBeCloseTo(10_000 - 600.6 + 660, 9);
  expect(figures.finalEquity?.value).toBeCloseTo(10_000 - 600.6 + 660 - 0.66, 9);
  expect(trades).toMatchObject([{ profit: 58.74, entryOrder: '1-1', exitOrder: '2-1' }]);
  expect(open).toEqual([]);
});

test('text for people, and a page beside it', async () => {
  const dir = twoRuns();
  const file = join(dir, 'report.html');
  const text = await report(dir, 'last', '--report', file);
  expect(text.split('\n').slice(0, 3)).toEqual([
    `wrote ${file}`,
    expect.stringMatching(/^Trading was halted at \S+; too few trades to judge: lost [\d.]+ % after fees in 1 trade over /),
    expect.stringMatching(/^PAPER {2}\d+\.\d % exact fills \(\d of 1\)$/),
  ]);
  for (const part of ['total return', 'n/a, needs 30 whole days (UTC), there are 0:', 'Exit reasons', 'Conventions', '365 days a year']) {
    expect(text).toContain(part);
  }
  expect(readFileSync(file, 'utf8')).toMatch(/^<!doctype html>/);
});

test('a file that is no journal is refused with what report takes', async () => {
  const dir = folder();
  const file = join(dir, 'trials.csv');
  writeFileSync(file, 'id,profit\n1,2\n');
  for (const name of [file, `${file}:1`])
    await expect(report(dir, name)).rejects.toThrow(
      /trials\.csv is no journal: report takes a run, a journal \(FILE\.db, .*JSON.*FILE\.json:1/,
    );
});

test('a run that is not there is named with one that is', async () => {
  const dir = twoRuns();
  await expect(report(dir, '20261121T040000Z-000003')).rejects.toThrow(
    /has no run "20261121T040000Z-000003": there is 20261121T040000Z-000002/,
  );
});
